"""The words that the exclusion rules know (DESIGN section 4). English; the plainest forms of four other languages.

A list is one string: its phrases are apart by `|`, the forms of a word in a phrase by `/`. A rule reads a text as a row
of kinds, one character for each word or phrase (`KINDS`); nothing here is a regular expression.
"""

from __future__ import annotations

# People and time.

PRONOUNS = "he|she|they|i|we|you|who|someone|somebody|everyone|himself|herself"

PEOPLE = """user|users|person|customer|client|boss|manager|colleague|colleagues|coworker|co-worker|teammate|friend|
partner|wife|husband|spouse|girlfriend|boyfriend|fiancé|fiancée|mother|father|mum|mom|dad|parents|brother|sister|son|
daughter|child|children|kid|kids|cousin|uncle|aunt|nephew|niece|grandmother|grandfather|flatmate|roommate|neighbour|
neighbor|apprentice|student|teacher|developer|man|woman|owner|employee|family|landlord|supplier|doctor|maintainer|
person i am talking to|aunty|auntie|grandma|grandpa|granddad|grandson|granddaughter|twin|stepson|stepdaughter|
stepmother|stepfather|in-laws|mother-in-law|father-in-law|sister-in-law|brother-in-law|fiance|fiancee|ex|nurse|farmer|
chef|tenant|neighbours|neighbors|roommates|co-founder|lodger|trainee|intern|pupil|patient|coach|lad|girl|boy|guy|lady|
couple|household|colleague's|mate|girl's|hubby|bf|gf|assistant manager|best friend|team lead|ma'am|folks"""

TODAY = """today|tonight|yesterday|currently|earlier|lately|heute|gerade|aujourd'hui|oggi|adesso|hoy|ahora|
right/just/for now|at/for the moment|at present/first|all day/morning/afternoon/evening/night/week|
this morning/afternoon/evening/week/weekend/session/minute/instant/moment/hour/conversation/chat/time/once|
last night/evening/week|for a moment/minute/while|for an hour|for a few minutes|over/at the weekend|as we speak|
at/by the end of the session/call|in this chat|during/throughout the session|during/before/after/throughout the call|
during our chat|during this|since lunch/breakfast|until noon|a minute/moment/second ago|an hour ago|
minutes/hours/moments ago|before lunch|at this point|on the way here|the other day|
the whole day/morning/evening/session|im moment|en ce moment|ahora mismo|tomorrow|presently|atm|rn|tn|2day|tonite|
momentarily|this very moment/minute|at this moment/hour/minute|as of now/today/writing|
as of this message/morning/writing|these past few hours/days|the past few hours/days|just/only now|these days|
earlier today/tonight/on|an hour/minute/moment later|all through the|
since this/yesterday/last/monday/tuesday/wednesday/thursday/friday|
since the call/meeting/news/letter/email/session/interview|
after the call/meeting/news/session/interview/exam/match/funeral|before tomorrow's|in the last hour|the past hour|
this past hour|half an hour ago|two/three/four/five hours ago|ten/five/twenty/thirty minutes ago|mid-session|mid-call|
when we spoke/talked/started|when he/she/they logged/signed off/on|within the hour|so far today|on monday's call|
ce soir|ce matin|questa mattina|stasera|esta mañana|diese woche|heute abend|as we talk/chat/write/type|
this monday/tuesday/wednesday/thursday/friday/saturday/sunday"""

WEEKDAYS = "monday|tuesday|wednesday|thursday|friday|saturday|sunday"

# What makes a state a habit, a condition or a preference.

LASTING = """swore off/by|swears by|always|never|often|usually|generally|regularly|whenever|wherever|habitually|
everytime|constantly|repeatedly|easily|frequently|typically|normally|mostly|sometimes|consistently|routinely|prefers|
prefer|dislikes|dislike|likes|loves|enjoys|hates|detests|avoids|refuses|appreciates|values|favours|favors|tends|tend|
mondays|tuesdays|wednesdays|thursdays|fridays|saturdays|sundays|weekdays|weekends|recurring|recurrent|chronic|
chronically|anymore|don't|must|should|long-term|if|unless|allergic|weekly|daily|monthly|
every time/day/week/month/morning/evening/night/update/release/build/deploy/other/monday/friday|
every sunday/year/session/winter/summer/spring/autumn|every single time|
each update/release/build/day/week/morning/deploy/year/time|in winter/summer/general/future|rather than|
instead/habit of|by nature/default|as a rule|for years/months/weeks|since childhood|again/time and again|over and over|
in the mornings/afternoons/evenings/future|not before|no meetings/longer|any more|do not|third/fourth/fifth time|
several/many times|times already/now|most days/mornings|once a week/month|has a habit|from now on|going forward|
likely to|in two/three/four/several sessions|across sessions|is known|used to|as a child|in the long run|at all times|
every few|nine times out|each and every|by habit|per week/day/month|in the past|two/three/four/five/six times"""

PRESENT = """lives|works|speaks|owns|maintains|teaches|writes|reads|wants|needs|asks|uses|repairs|plays|studies|
commutes|sells|keeps|goes|prefers|likes|loves|hates|dislikes|cannot|can't|will|please|decided|agreed|chose|requires|
depends|allergic|married|eats|collects|manages|deploys|in the morning/afternoon/evening|at night|has two/three|
would rather|switched/moved to|it has|i use/prefer/want/need/like/live/work|ask me|keep"""
"""A clause with one of these says something that lasts, beside a mood in another clause."""

IMPERATIVES = """use|keep|avoid|write|send|ask|show|put|set|plan|schedule|give|do|don't|never|always|only|no|answer|
offer|remind|skip|start|stop|run|add|check|call|make|let|pin|quote|name|explain|test|commit|save|prefer|wait|leave|
book|reply|be"""

# Moods.

BE_NOW = """is|are|am|'s|'re|'m|isn't|aren't|seems|seem|looks|look|sounds|sound|appears|be|being|ist|bin|est|suis|è|
sono|está|estoy|is being|seems/appears to be|comes across as|fühlt sich|se sent/siente|si sente|remains|stays|
says/said he/she's|is still|'s still|keeps getting|confesses to being"""
FEELING = "reports/mentioned/admits/reported/admitted being/feeling|feeling|is/was/am/are/been/were/'s/'m feeling"
SEEMED = "seemed|sounded|looked|appeared|felt|woke up|seemed/appeared to be|came across as|sat there"
HATES = """garbage|rubbish|not again|hates this/that/everything|hate this|a nightmare/joke/mess/disaster|
a waste of time|a disgrace|a farce|a shambles|useless|pathetic|ridiculous|worthless|idiot|idiots|idiotic|moron|morons|
incompetent|crap|trash|junk|a scam|a rip-off|clowns|a circus|a waste|a lemon|a liar|dumb|brainless|
hated this/that/the/every|hates me|hate me"""
PLACES = "on|at|in|from|for"
FEEL = """feels|feel|feels like|feelin|feeling|says/said he/she/they feels/feel/felt|says/said she/he/they is/was|
felt like"""
BE_THEN = """was|were|wasn't|got|became|grew|went|turned|left|arrived|stayed|been|war|era|était|estaba|came/logged in|
ended up|has/have/had been|was being|was/is getting|fühlte sich|remained|walked in|turned up|showed up|signed off|
logged off/on/in|sat down|went to bed|came home|came back|came out|woke|started the day|began the day|started out|
finished|left the call|is/was left|'d been|got up|hung up"""

DEGREES = """very|really|so|quite|rather|somewhat|pretty|too|extremely|totally|visibly|slightly|just|all|still|
absolutely|completely|super|deeply|unusually|already|clearly|obviously|incredibly|terribly|utterly|not|both|more|
noticeably|fairly|genuinely|simply|again|also|especially|particularly|in|now|suddenly|strangely|mildly|truly|bit|
sounding|looking|apparently|audibly|even|over-|rightly|understandably|probably|sehr|très|molto|muy|a bit/little/tad|
a little bit|kind/sort of|close to|on the verge of|out of sorts and|right|well|proper|properly|dead|bloody|damn|
seriously|honestly|thoroughly|hopelessly|desperately|painfully|insanely|crazy|hella|kinda|sorta|lil|a lil|litle|
a tiny bit|more than a|ever so|a touch|awfully|dreadfully|emotionally|physically|mentally|weirdly|oddly|downright|
nothing but|beyond|a tad bit|bit more|positively|inexplicably|uncharacteristically|overly|exceptionally|such|wildly|
sadly|way|mega|extra|nearly|almost"""

MOODS = """anxious|ashamed|bored|bummed|cranky|dejected|depressed|desperate|devastated|discouraged|drained|edgy|
embarrassed|emotional|excited|exhausted|gloomy|grumpy|happy|homesick|hungover|hungry|impatient|insecure|irritable|
jealous|jittery|lonely|melancholic|melancholy|miserable|moody|nervous|numb|overwhelmed|panicked|panicking|relieved|
restless|sad|scared|shaken|sleepy|sluggish|stressed|sulking|sulky|tearful|tense|thrilled|tired|uneasy|unhappy|
unmotivated|weary|worried|cheerful|cheery|delighted|elated|ecstatic|heartbroken|giddy|euphoric|crushed|proud|hopeful|
confused|hopeless|wired|groggy|tears|glum|downcast|sombre|somber|subdued|distraught|frazzled|frantic|flustered|rattled|
petrified|terrified|frightened|afraid|knackered|shattered|beat|sleep-deprived|wiped|dispirited|demoralised|demoralized|
deflated|downhearted|apathetic|listless|lethargic|nostalgic|wistful|sentimental|guilty|regretful|humiliated|mortified|
hyped|pumped|psyched|stoked|jubilant|overjoyed|joyful|blissful|content|playful|chirpy|upbeat|bubbly|relaxed|calm|
serene|touchy|snappy|testy|irascible|prickly|sullen|withdrawn|distracted|antsy|fidgety|agitated|apprehensive|panicky|
paranoid|spooked|startled|shocked|stunned|dazed|hurt|grieving|grief-stricken|blah|meh|giggly|happier|sadder|calmer|
grumpier|crying|sobbing|weeping|beaming|sick|unwell|nauseous|pleased|glad|hangry|bitter|disheartened|joyless|
speechless|lovesick|infatuated|mopey|hyper|jumpy|fragile|vulnerable|teary|teary-eyed|traurig|müde|gestresst|genervt|
wütend|triste|fatigué|fatiguée|énervé|énervée|stanco|stanca|arrabbiato|arrabbiata|cansado|cansada|enfadado|enfadada|
nerviosa|nervioso|erschöpft|frustriert|bummed/stressed/worn/burnt/burned/wiped/tired out|on edge|
shaken/worked/keyed/choked up|worried sick|over the moon|on cloud nine|in tears/pain/despair|in a funk/panic|
under the weather|out of sorts|worn/run down|dead tired|low energy|low on energy|beside himself/herself/themselves|
ready to cry|schlecht gelaunt|adrift|aghast|alarmed|amped|anguished|annoyed with himself|awkward|bereft|bewildered|
bleary|bleary-eyed|bleak|blissed|blissed-out|bouncy|broken-hearted|brooding|buoyant|burnt-out|burned-out|buzzed|
buzzing|carefree|chipper|choked|chuffed|clammy|cold-footed|comforted|conflicted|contrite|cooped|crabby|crestfallen|
crotchety|crummy|dazzled|dead-tired|despairing|despondent|disconsolate|disenchanted|disillusioned|disoriented|
distressed|dizzy|doleful|dopey|dour|downbeat|dreary|drowsy|drunk|emotionless|enchanted|energised|energized|enthralled|
enthused|exasperated|exhilarated|exuberant|faint|famished|fatigued|festive|feverish|foggy|foggy-headed|foolish|forlorn|
fraught|frail|freaked|fretful|frayed|frightful|frustrated|gleeful|glowing|gobsmacked|grouchy|grumpyish|guilt-ridden|
gutted|haggard|hollow|horrified|hopping|hysterical|in bits/pieces/knots/agony/limbo/shreds/mourning|inconsolable|
inspired|invigorated|jaded|jet-lagged|jetlagged|jolly|jazzed|joyous|keyed|lachrymose|light-headed|lightheaded|lively|
lonesome|low-spirited|lonelier|mardy|maudlin|mellow|merry|mirthful|morose|mournful|nauseated|needy|nervy|offended|
optimistic|overcome|overstimulated|overtired|overworked|overwrought|panic-stricken|peaceful|peckish|peeved|pensive|
pessimistic|perky|perplexed|perturbed|pissy|poorly|powerless|quarrelsome|queasy|radiant|ravenous|refreshed|rejuvenated|
reluctant|remorseful|rested|ropey|rotten|rueful|saddened|satisfied|scatterbrained|shaky|sheepish|shell-shocked|shivery|
shy|skittish|sleepless|sniffly|snappish|solemn|sorrowful|sour|spacey|spaced-out|starving|strung-out|stroppy|surly|
tetchy|thirsty|tipsy|tormented|torn|traumatised|traumatized|tranquil|tremulous|troubled|twitchy|unloved|unnerved|
unsettled|uptight|verklempt|wary|washed-out|wiped-out|woeful|wobbly|woozy|worn-out|worried-sick|wrecked|wretched|
wrung-out|yawning|zonked|zoned|exausted|tierd|stresed|anxios|nervus|depresed|uninspired|pooped|bushed|fried|flat-out|
ill|miffed at life|zen|at peace|at ease|at sea|at a low ebb|fed up with everything|all over the place|all smiles/tears|
on tenterhooks|on pins and|pins and needles|out of it|not himself/herself/themselves|not quite himself/herself|
sorry for himself/herself/themselves|full of beans/joy|full of the joys|in high/low/good/great/poor spirits|
in the doldrums|in seventh heaven|in a state/tizzy/daze/fog/haze/mood/huff/sulk/strop/spin/tailspin|in two minds|
in a bad/good place|in good/great/fine form|on top form|on the edge|on a high|on a downer|over the worst|
close to breaking|weighed down|worn to a|wound tight|strung out|wrung out|washed out|burning up|flying high|
walking on air|tired to death|bored stiff/silly/rigid|bored to tears/death|bored out of|scared stiff/silly|
scared to death|dog/bone tired|dog-tired|bone-tired|half asleep|half-asleep|wide awake|fast asleep|dead on his/her|
falling asleep|nodding off|about to cry|ready to drop/give|down in the|down and out|a bit off|up for it|happy as|
pleased as|good mood|bad mood|hot and bothered|freaked/wigged/stressed/spaced/zoned out|choked with|overcome with|
racked/wracked with|riddled with|sick with worry|worried to death|sick with nerves|nervous wreck|bundle/bag of nerves|
a mess/wreck|a bundle/bag of nerves|a nervous wreck|an emotional wreck|a bit of a mess|green around|
running on empty/fumes|on his/her last legs|euphorisch|nervös|verärgert|inquiet|inquiète|content de|felice|nervoso|
nervosa|feliz|agotado|agotada|hurting|struggling|aching|reeling|spiralling|spiraling|moping|
moved/close/reduced/bored to tears|weepy"""
MOODS_OF_THINGS = "down|low|off|blue|flat|dull|hot|cold|empty"
"""Moods that are also said of things: only after a verb of feeling, or with a degree and a person."""

CROSS = """frustrated|annoyed|angry|irritated|upset|furious|mad|disappointed|cross|livid|fuming|exasperated|infuriated|
enraged|irate|seething|outraged|incensed|aggravated|displeased|peeved|miffed|vexed|indignant|salty|steaming|raging|
grumpy|bitter|unhappy|impatient|disgusted|riled|fed/worked/riled/wound up|pissed/ticked off|sick of|sick and tired|
had/losing it|at the end of his rope|annoyed again|irked|galled|narked|hacked off|
cheesed/browned/hacked/teed/narked/pissed/brassed off|ropeable|spewing|hopping mad|resentful|
beside himself/herself/themselves with rage/anger/fury|fed-up|worked-up|wound-up|bent out of shape|up in arms|
in a rage/fury/huff/strop|apoplectic|incandescent|incandescent with rage|seeing red|red with anger|het up|
hot under the collar|at the end of her/their/my/his rope/tether|at wits end|at his/her/my/their wits|at wits' end|
out of patience|losing patience/it|lost all patience|anoyed|annoyd|frustated|fustrated|frustrat|dissapointed|
dissappointed|angy|sick to death of|flabbergasted|appalled|disgruntled|tetchy|shirty|ratty|crabby|offended|insulted|
aggrieved|unamused|not amused/happy/impressed|unimpressed|wütend|sauer|fâché|fâchée|furieux|furieuse|furioso|furiosa|
molesto|molesta|indignado|pissed|mad as"""

IRRITATION = """frustration|annoyance|exasperation|irritation|anger|fury|rage|impatience|displeasure|disappointment|
outrage|vexation|chagrin|indignation|aggravation|resentment|wrath|disgust|discontent|dismay|dissatisfaction|ire"""
FEELINGS = """hard/rough/tough time|anger|joy|relief|sadness|nostalgia|excitement|anxiety|panic|frustration|
disappointment|guilt|grief|dread|shame|embarrassment|boredom|fear|loneliness|melancholy|enthusiasm|irritation|
impatience|annoyance|exasperation|delight|happiness|worry|despair|exhaustion|stress|pride|jealousy|regret|fury|rage|
hunger|thirst|gloom|misery|dismay|apathy|fatigue|tiredness|jitters|butterflies|giddiness|euphoria|hopelessness|
helplessness|apprehension|agitation|restlessness|sorrow|despondency|nausea|heartache|good cheer|homesickness|remorse|
weariness|unease|gratitude|contentment"""
SHOWED = """expressed|showed|felt|voiced|radiated|displayed|shared|vented|had|sensed|conveyed|feels|admitted to|
hinted at|is showing/expressing|overcome with/by|full/signs/wave/pang/bout/surge/sense of|filled with|confessed|
betrayed|is/was overcome with|is/was full of|is/was consumed by|consumed by|wracked by/with|racked with|gripped by|
seized by|a sense of|bit/hint/touch/note/trace/flicker/flash of|trembling with|buzzing with|bursting with|
brimming with|swimming in|drowning in|tinged with"""

BAD = """bad|rough|hard|terrible|awful|lousy|horrible|foul|tough|stressful|crappy|shitty|exhausting|miserable|
difficult|panicky|sad|low|dreadful|gloomy|dark|grumpy|sour|black|worse|emotional|sombre|cheerful|playful|festive|
ghastly|grim|draining|unpleasant|hellish|nasty|wretched|upsetting|stressed-out|bleak|crap|shit|shite|rotten|disastrous|
harrowing|grey|filthy|wobbly|manic|hectic|lonely|restless|pensive|tearful|hostile|irritable|melancholy"""
GOOD = """good|great|wonderful|lovely|amazing|fantastic|better|high|excellent|best|jolly|sunny|brilliant|marvellous|
splendid|terrific|blissful|merry|buoyant"""
HAVING = """had|has|have|having|has/have had|is/was/am/are having|had/has/have been having|been having|went through|
going through|goes through|is/are going through"""
SPANS = "day|morning|week|evening|night|moment|afternoon|weekend|spell|hour|time of it|few days|moment or two"
WEPT = """cried|wept|sobbed|panicked|blushed|sulked|moped|beamed|high/low/good/poor/great spirits|in tears|
in high/low/good spirits|in the dumps|down in the dumps|not in the mood|on top of the world|had/has butterflies|
burst into tears|teared up|makes/made her/him/me cry|couldn't/can't stop smiling|can't stop crying|could cry|
is/was dreading|had a panic attack|had a meltdown/breakdown|could not stop crying/smiling|can hardly keep|went quiet|
in a slump/rut|in a bit of a slump|on cloud nine|running on fumes/empty/adrenaline|bundle/bag of nerves|
woke up on the wrong side|got up on the wrong side|got out of bed on|wrong side of the bed|curl up in bed|
crawl back into bed|not feeling it|zero energy/motivation|heart is/was racing/heavy/pounding/broken|
heart sank/soared/leapt|with a heavy heart|heavy-hearted|head is/was pounding/spinning/throbbing/splitting/killing|
stomach is/was in/churning/turning|stomach in knots|hands won't stop|lump in his/her/my/their|
tears in his/her/my/their|eyes filled/welled|welled up|fighting/fought back tears|held back tears|choking up|choked up|
in floods of|cried his/her/my|crying his/her/my|bawled|bawling|blubbed|jumping for joy|jumped for joy|bouncing off the|
walking on air|over the moon|grinning from ear|can't/couldn't sit still|can't/couldn't keep his/her/my eyes|
keep his/her/my/their eyes open|coming undone|at breaking point|at the end of her|at the end of my|at the end of his|
at a low ebb|at rock bottom|hit rock bottom|spirits have/has/had lifted/sunk/dropped/sagged|
spirits lifted/sank/sagged/rose/dropped|spirits are/were/is high/low|
mood has/had lifted/soured/dropped/improved/darkened/brightened/sunk|
mood lifted/soured/dropped/improved/darkened/brightened/sank|down in the|feeling/felt the blues|got the blues|
has the blues|having the blues|down in the mouth|a ball of nerves|worried sick|beside himself/herself/themselves with|
got the jitters|has the jitters|butterflies in|splitting headache|under the weather|off his/her food|
lost his/her appetite|pit in his/her/my|knot in his/her/my|weight off his/her/my|like a million|like a failure|
having a wobble|want to cry|wants to cry|wanted to cry|could sleep for|is glowing|was glowing|is beaming|was beaming|
jumping up and|bursting with|brimming with|buzzing with|giddy with|had a good cry|had a cry|had a wobble|having a low|
the dumps|the doldrums|could just cry/scream|tearing up|tears up|broke down in/crying/sobbing/and|
like a failure/fraud/loser/burden/fool/idiot/ghost|feels/felt like a failure/fraud/loser/burden/fool/idiot"""

# Frustrations.

OUTBURSTS = """hit the table/wall|yelled|shouted|cursed|swore|snapped|ranted|raged|groaned|screamed|slammed|facepalmed|
rage-quit|ragequit|banged|kicked|punched|smashed|huffed|hissed|growled|snarled|sighed|muttered|barked|hurled|pounded|
snapped/exploded at|stormed off|stormed/flipped/freaked/lashed out|rolled his/her/their eyes|blew up|had a meltdown|
lost his/her/their/my temper/cool|lost patience/it|lost his/her/my/their patience|threw a fit/tantrum|
threw his/her hands up|threw up his/her hands|hit the desk|typed/wrote in capitals|typed/wrote in all caps|
is yelling/swearing/cursing/shouting/ranting/fuming/venting|was yelling/swearing/cursing/ranting/shouting/venting|
went off on|threw his/her/their|hung up on|called me useless|called it garbage|called me an idiot|called the assistant|
called this ridiculous|wanted to throw|could have thrown/screamed|could scream|almost/nearly threw|slammed down|
rage quit|gave up in disgust|is/was ready to throw|is about to throw|flew off the handle|hit the roof/ceiling|
told me/him/her/them/us off|went ballistic/berserk/nuts/mental/bananas/spare/postal/nuclear/apeshit|blew a fuse/gasket|
blew his/her/my/their top/stack|saw red|lost my mind|lost his/her/their mind|lost his/her/my/their rag/head/cool|
nearly/almost lost it|spitting nails/feathers/blood|spat nails|bit my/his/her head off|snapped my/his/her head|
stormed out|stamped/stomped out/off|stamped his/her|flung his/her|chucked his/her|thumped|whacked|tore into|
ripped into|laid into|had a row|had it out|had a shouting|gave me/him/her/them an earful|gave him/her/them a piece|
gave me/him/her/them grief|chewed out|bawled out|told him/her/them where|fumed|swore at|cursed at|cussed|effed and|
blasphemed|bellowed|hollered|shrieked|groused|spluttered|scoffed|tutted|tearing his/her/my/their hair|
pulling his/her/my/their hair|banging his/her/my/their head|is/was/'m/'s about to lose|
wanted to scream/cry/strangle/smash|want to scream/strangle/smash|could have cried/strangled/killed/kicked|
could strangle/murder/kill|ready to scream/strangle|ready to throw|about to throw|gave up and left|gave up and went|
gave up on the whole|called me a|wrote in capitals|typing in capitals|writing in capitals|demanded a refund|
demanded to see the manager|demanded to speak|hissy fit|went through the roof|hit the ceiling|had a fit|having a fit|
dropped the f-bomb|gave it the finger|flipped the table|slammed down the|flung|
told me/him/her/them to shut/get/piss/fuck/sod/sit/go|told me to shut up|told me to get lost|
swearing/yelling/shouting/cursing/screaming/raging/hollering at|i've had it|i have had it|tore my/his/her/their|
tore my/his/her/their hair out|tearing my/his/her/their hair out"""
COMPLAINTS = """complained|grumbled|moaned|whined|vented|griped|bitched|ranted|fumed|sulked|grouched|protested|
was/is complaining|is/was grumbling|lamented|bemoaned|groused|bellyached|kvetched|whinged|remonstrated|bleated|
raged about|whinging|moaning|griping|grumbling|is/was/were/are fuming/moaning/whining/griping/whinging/kvetching|
let off steam|letting off steam|blew off steam|left an angry|wrote a furious|sent a furious|filed an angry|
wrote a scathing|kicked up a fuss|made a fuss|made a scene|caused a scene"""
INTERJECTIONS = """damn|ugh|argh|aargh|grr|grrr|wtf|ffs|dammit|damnit|goddammit|fuck|shit|damn it/you|
for god's/fuck's/heaven's/pete's sake|for crying out loud|oh come on|not again|screw/fuck this|i give up|this sucks|
so annoying/frustrating|bloody hell|what the hell/heck|what a joke/nightmare/mess/waste|why won't|i can't even|gah|
grrrr|arrgh|arghh|urgh|ughh|bah|bollocks|bugger|crikey|bullshit|merde|scheiße|scheisse|mierda|cazzo|jesus christ|
christ|good grief|for goodness'/christ's/pity's sake|oh great|just great|just my luck|just brilliant|unbelievable|
unreal|ridiculous|outrageous|what an absolute|what an utter|what a shambles/farce/circus/disgrace/day|what a complete|
what a total|what a useless|i swear|i'm done|so done|so fed|not this again|here we go again|why on earth|
are you kidding|you've got to be kidding|you have got to be|give me a break|this is a joke|this is insane|
this is madness|this is hopeless|this bloody|this damn|goddamn|screw it|sod it|sod this|to hell with|
enough is enough"""
OUTCRIES = """stupid|up the wall|driving me crazy/mad/nuts/insane|driving him/her crazy/mad/nuts|
drove him/her/me mad/crazy|drove me/him/her nuts|the last straw|complete/total waste of time|done for today|
had enough of|has/have had enough|had it with|got on his/her/my/their nerves|this is ridiculous/unacceptable|
this was ridiculous|wasted an hour|wasted my/his/her/two/three/half|wasted the whole|eaten/ate my|cost me my|
this stupid/damn/bloody/fucking/freaking|that stupid/damn|the damn/bloody/stupid/fucking|sick/tired of this|
are/is killing me|made my blood boil|ruined my/his/her|can't/cannot believe|beyond a joke|
a total/complete/utter/absolute joke/disgrace/shambles/nightmare/farce/mess/disaster|
an absolute/utter joke/disgrace/shambles/nightmare/farce/mess/disaster|driving me/him/her/them up|
drove me/him/her/them up|at the end of my patience|pushed me/him/her over|did my/his/her head|doing my/his/her head|
made me/him/her/them see red|made me/him/her/them furious/mad/livid/angry|made his/her blood|makes my/his/her blood|
got under his/her/my|got up his/her/my|got my/his/her goat|wound me/him/her up|winds me/him/her up|
ticked me/him/her off|pissed me/him/her off|pisses me/him/her off|rubbed me/him/her up|ruined everything|waste of an|
waste of a|waste of my/his/her|kept me/him/her/them waiting/on|left me/him/her/them waiting/hanging/stranded/standing|
stood me/him/her up|fifty/forty/thirty/ninety minutes on hold|an hour on hold|umpteenth|a pain in|royal pain|
useless piece|piece of junk/crap/rubbish/shit/garbage|heap of junk|useless garbage|utterly/completely/totally useless|
so useless|so stupid|absolutely useless|bloody useless|the nerve of|the audacity|how dare|ripped me/him/her off|
fobbed me/him/her off|messed me/him/her around|messed up my/his/her|screwed me/him/her|screwed up my/his/her|
lost my/his/her whole|ruined my/his/her/their/the whole|wrecked my/his/her/their|spoiled my/his/her/their|
umpteenth time|are you even|do you even|can you not read|for the love of"""
TRYING = """infuriating|frustrating|maddening|annoying|irritating|exasperating|aggravating|nightmarish|enraging|
hellish|galling|vexing|infuriatingly|frustratingly|disgraceful|appalling|shambolic|dreadful|unbearable|insufferable|
disappointing|dispiriting|miserable|nerve-racking|nerve-wracking|upsetting|irksome|tiresome|thankless|pointless|
fruitless"""

TOWARDS = "to|with|about|by|over|of|toward|towards|against"
CLAUSES = """that|because|when|after|before|since|as|while|during|until|once|how|why|where|owing to|due to|thanks to|
on account of|cos|coz|cuz|bc|now that|ahead of|as though|if only|whether"""
SPECIFIC = "a|an|the|this|that|these|my|his|her|their|our|one|another|some|its|me|him|us|it|them"
WENT = """was|were|had|did|broke|went|lost|took|came|got|ate|rang|ran|froze|hung|fell|forgot|left|made|stopped|didn't|
wasn't|weren't|couldn't|wouldn't|hadn't|kept|cut|put|shut|hit|quit|threw|sent|gave|told|said|has|isn't|again|did not|
is gone|split|burst|burnt|burned|spilled|spilt|collapsed|overflowed|flooded|leaked|stalled|stuck|jammed|cancelled|
canceled|vanished|disappeared|bit|tore|stole|swallowed|rejected|refused|charged|cost|shrank|sank|bled|bent|blew|broken|
forgotten|stolen|missed|overcharged|double-booked|woke|slept|rained|spoke|held|stood|sold|caught|drove|dug|lent|rose|
shook|shot|slid|swept|hasn't|haven't|is broken/down/late/dead|are late|won't|could not|would not|wrote"""


BODY = """can/could barely/hardly focus/concentrate/think/keep/move/speak|
can't/couldn't focus/concentrate/think/face/stop|can't/couldn't seem to|couldn't sleep|could not sleep|
can't/cannot sleep|barely/hardly slept|slept badly/poorly/terribly/well|didn't/hardly sleep|did not sleep|
tossed and turned|no sleep|lack of sleep|sleepless night|up all night|on no sleep|
on two/three/four/five hours of sleep|two/three/four hours of sleep|energy is/was low/gone|zero energy|no energy|
out of energy|has no energy|has set in|have set in|set in this|in bits|in pieces|nerves are/were|cold feet|
has/had a headache|a headache|a migraine|feels/felt a cold|a sore throat|off colour|stay in bed all|stayed in bed all|
hands are/were/is shaking|knees are/were|grinned|grinning|giggled|giggling|hummed|humming to|whistling|dancing around|
whimpered|weeping|sobbing|itching to|counting the hours|watching the clock|hit a wall|hitting a wall|
doesn't/don't want to get up|did not want to get|doesn't/don't feel like|did not feel like|didn't feel like|not in the|
having a moment|having one of|one of those days|lost for words|at a loss|falling apart|fell apart|coming apart|
like a zombie|like death|like crap/shit/rubbish/hell|like a wreck|like a new person|like giving up|like screaming|
like nothing matters|like the world|had a bad night|had a rough night|bad/rough/terrible night|had a sleepless|
having an off|an off day|a bad one|a funk|the mood for|trembling with|shaking with|sick with|can't be bothered|
couldn't be bothered|pull the covers|hide under the|a lump in|no motivation|zero motivation|having second thoughts|
on his/her/my/their last|last legs|a pit in|lack of energy|aching/sore all|aches all|yawning|nodding off|
dragging himself/herself|shivering|trembling|shaking|sniffling|limping|pacing|fidgeting|doom-scrolling|
wants to be left alone|want to be left alone|wanted to be left alone"""
CALLED = "called|calling|calls|branded|labelled|described"
THREW = "threw|flung|hurled|chucked|tossed|slung|lobbed|kicked|launched|pitched|swept"
THROWN = """across the room/kitchen/table/yard/workshop/shop/office/garage/barn/floor|against/at the wall|
out of the window|out the window|off the table/desk|on/to the floor|to the ground|in/into the bin|in the trash"""

MOOD_STARTERS = (
    MOODS, CROSS, BAD, FEELINGS, IRRITATION, WEPT, OUTBURSTS, COMPLAINTS, TRYING, INTERJECTIONS, OUTCRIES, HATES, GOOD,
    MOODS_OF_THINGS, BODY, THREW, "mood|spirits|felt|week",
)  # fmt: skip

KINDS = (
    ("L", LASTING), ("T", TODAY), ("I", INTERJECTIONS), ("V", OUTBURSTS), ("b", BODY),
    ("t", THREW), ("z", THROWN), ("k", CALLED),
    ("v", COMPLAINTS), ("J", OUTCRIES), ("j", HATES), ("C", CROSS),
    ("K", WEPT), ("M", MOODS),
    ("f", FEELING), ("s", SEEMED), ("F", FEEL), ("B", BE_NOW), ("P", BE_THEN),
    ("H", HAVING), ("D", DEGREES),
    ("A", MOODS_OF_THINGS), ("e", SHOWED), ("r", IRRITATION), ("E", FEELINGS),
    ("R", TRYING), ("Q", BAD), ("q", GOOD), ("m", "mood"), ("Y", SPANS),
    ("S", PRONOUNS + "|" + PEOPLE), ("c", CLAUSES), ("d", SPECIFIC),
    ("o", TOWARDS), ("a", PLACES),
    ("W", PRESENT), ("G", "gets|get|getting|is getting"), ("&", "and|but|or"), ("p", WENT),
    ("w", WEEKDAYS), ("l", "every|each"),
)  # fmt: skip
