"""The words of guesses at motives (DESIGN section 4); `mood_words.py` says how a list is written."""

from __future__ import annotations

from remember_me.policy.mood_words import PEOPLE, TOWARDS

OTHERS = "he|she|they|who|someone|somebody|himself|herself|themselves"
HEDGES = """probably|perhaps|maybe|presumably|apparently|possibly|likely|seemingly|supposedly|conceivably|might|may|
seems|seem|seemed|appears|appeared|suggests|suggesting|implies|hints|doubtless|guess|guessing|presumed|suspect|
suspects|suspected|surely|evidently|potentially|arguably|judging|speculation|speculating|reckon|somehow|could be|
could well/it be|must be/have|i think/suspect/guess/assume/believe/bet/feel/imagine/wonder/sense/fear/infer/reckon|
i have the feeling|i get the feeling/impression|i'd say/guess|i would say/guess|
my guess/theory/hunch/impression/sense/suspicion|looks/sounds/feels like|looks as if/though|one gets the impression|
gives the impression|the impression|makes me think/suspect/believe|leads me to|tells/strikes me|no doubt|would explain|
comes across|i'm guessing/sure|in all likelihood|chances/odds are|wonder whether/if|wouldn't be surprised|
reading between the lines|one could think|as if/though|i'd bet/wager/venture/suspect/assume/imagine/reckon|
i bet/wager/gather/assume/presume/take|my bet/read/feeling/take|i'm betting/convinced|if you ask me|
as far as i can tell|prolly|probs|surmise|surmises|i surmise|almost certainly|most likely|smells/reads like|reads as|
feels to me|seems like|seemed to be|strikes one|i can't help thinking|i cannot help thinking|i could swear|
one suspects|one wonders|must've|i wonder|could it be|has to be|it's as if|it's obvious|it is obvious/clear|it's clear|
in my view/opinion|to my mind|if i'm honest|i have a hunch/feeling/suspicion|word is|rumour has it|the sense is|
i'm fairly/pretty sure|i am sure/convinced|wouldn't surprise me|would not surprise me|may well|might well|
likely as not|by the look/looks/sound of|there is a chance|there's a chance|one might think|you'd think|the guess is|
best guess|may/might/could/must have|i don't doubt|without doubt|undoubtedly|transparently|patently|visibly|
comes over as|i read|obviously|clearly|could"""
PLAIN_HEDGES = """maybe|perhaps|probably|presumably|apparently|possibly|likely|feeling|suspect|guess|impression|theory|
hunch|suggests|suspects|might|suspected|prolly|wager|bet|guessing|reckon|underneath|deep|compensating|surely|just|only|
wonder|hides|masks|obviously|clearly|evidently|simply|merely|solely|sense|sly"""
CAUSES = """because|since|as|out of|for fear|due to|driven/motivated by|rooted in|stems/comes/coming from|
only/just/simply because|so as to|in order to|out of sheer/pure/some|as a way of|a way of|thanks to|owing to|
on account of|for the sake of|fuelled/fueled/prompted/caused by|born of|grounded in|hence|which is why|that's why|
that is why|for lack of|comes down to|boils down to|down to|all about|is really about|less about|more about|
the point is to|the aim is to|it's because|it is because"""
INNER = """needs control|afraid|ashamed|embarrassed|bored|insecure|lonely|jealous|scared|fear|fears|feared|boredom|
laziness|lazy|anxiety|nervous|worried|guilty|guilt|shame|pride|stubbornness|marriage|divorce|resents|hates|secretly|
insecurity|envy|loneliness|greed|vanity|spite|resentment|regret|regrets|grudge|intimidated|threatened|unhappy|unloved|
inadequate|embarrassment|ego|approval|recognition|distrust|distrusts|validation|jealousy|promotion|tired of|too proud|
wanted/want/afraid to|dislikes/likes me|does not care/like/want|doesn't care/like/want|didn't want|did not want|
loves him/her|need for approval/control|lacks/low confidence|is not confident|isn't confident|lack of confidence|
burned/burnt out|can't/cannot admit|looks down on|afraid that|low self-esteem|is in love|childhood|abandonment|
neglected|unappreciated|undervalued|inferior|inferiority|humiliated|humiliation|self-doubt|self-pity|self-hatred|
self-worth|self-loathing|bitterness|bitter|hatred|contempt|disdain|desperation|desperate|homesick|heartbroken|
heartbreak|grief|paranoia|paranoid|anger|angry|frustration|remorse|sympathy|pity|lust|despises|detests|loathes|admires|
fancies|craves|yearns|longs|dreads|mistrusts|begrudges|covets|panics|panicked|overwhelmed|inadequacy|vulnerable|
vulnerability|rejection|ridicule|judged|judgement|scares|terrified|petrified|threatening|superior|superiority|sulking|
resented|despised|can't bear/stand/handle/face/cope/commit/stomach/let|cannot bear/stand/handle/face/cope/let|
couldn't bear/stand/face/handle|could not bear/stand/face|nobody/no-one ever|never felt/got/had/learned|
dislikes/dislike children/people/him/her/them/us|can't be bothered|couldn't be bothered|doesn't believe in|
doesn't respect|does not respect|out of his/her/their depth|ex-wife|ex-husband|ex|mother-in-law|father-in-law|
the inheritance|heart isn't|nobody/no-one asks|nobody/no-one else|not good enough|wants to/me/him/her"""
MOTIVES = """to be liked/admired/praised|impress|envy|envious|jealousy|spite|grudge|revenge|attention-seeking|
insecurities|crave|craves|craving|mistrusts|resents|resent|resentment|resentful|overcompensating|pretends|pretending|
ulterior|narcissism|stubbornness|upstage|jealous/ashamed of|get even|get back at|showing off|to show off|
wants/for/seeking/seeks attention|looking for attention/approval/praise|wants/seeks/seeking approval|feel in control|
in denial|to look good/smart/smarter/important/busy/competent|look stupid/foolish|behind his/her/their/my|
to annoy/punish/provoke/humiliate/manipulate/undermine/spite/flatter/intimidate/sue|
to please/undercut/hurt his/her/their/the/everyone/others|test/testing/like/likes/dislikes/hates me|
agree with everything|hiding/hides something|something/trying/tries to hide|hide the fact|covering up|
embarrassed/threatened/intimidated by|embarrassed/lying about|afraid of being/failing/failure/losing/looking|
scared of being/failing/failure|fear of failure/failing/being/rejection/commitment/looking|
not trust me/him/her/his/them/us/anyone/people|doesn't trust me/him/her/his/them/us|trust/mother/daddy issues|
feel old/stupid/superior/important/small|feels threatened/inferior/inadequate/guilty|
compensating/compensate for his/her/something|make up for his/her|being nice|hidden agenda|
for a new/another/different job|job hunting|quit his/her/their job|leave the company/association|
leave his/her/their job/wife/husband/partner/company/team/boss|leaving his/her/the wife/husband/company/team/job|
the project/him/her/them to fail|lead role|dares not|does not dare|wants to be seen/liked/admired/praised|be seen as|
credit for himself/herself|take/taking the credit|to get promoted|
avoid/avoiding responsibility/confrontation/conflict/blame/work/working/talking|
avoid/avoiding his/her boss/wife/husband/family/manager/colleague/colleagues|get out of work/doing|
run/running away from|prove himself/herself/themselves|prove them wrong|being proved wrong|inferiority complex|
imposter/impostor syndrome|midlife crisis|unhappy at work|unhappy/problems/trouble/something at home|
unhappy in his/her/the|unhappy/compete/competing with his/her|unhappy with the|having an affair|in love with|crush on|
lying to|is lying|not telling the truth|hates/dislikes his/her boss/job/manager/colleague/colleagues|
look/looks/looking down on|thinks he/she is better|delay paying|buying time|save/saving face|power play/trip|
guilty conscience|out of guilt/pride/boredom/envy/loneliness/laziness/vanity|control freak|low self-esteem|
needs/wants/want to feel|money problems/troubles|going through a divorce/breakup|push him/her out|replace/rid him|
replace/rid/pad her|trying/wants/want to look|appear/seem smarter/busy/important|
want/wants/can't/won't/cannot/afraid to admit|not want to say so|planning/intends/plans to quit/resign/leave|
thinking of/about leaving|pad his/their|really care|to admit|
prove/proving his/her/their/something/everyone/others/me/us/everybody|prove/proving him/her/them wrong|
out to get/prove/impress|prove to his/her/their/everyone/others|
dodge/dodging/escape/escaping his/her/their/responsibility/blame/scrutiny/work|
avoid/avoiding scrutiny/commitment/intimacy/embarrassment/facing/being/having/looking/admitting/us/me|
smarter/better/cleverer/superior than/to everyone/others/us/me/anyone/him/her|above everyone/others/us|for show|
take/takes/taking/claim/claims/steal/steals credit|curry/currying favour/favor|suck/sucking up|kiss/kissing up|
brown-nose|brown-nosing|fishing for|fish for|cry for help|bid for attention/sympathy/power|
play/playing the victim/martyr|
win/winning/gain/gaining/get/getting approval/favour/favor/sympathy/attention/affection/respect/praise/love|
earn/earning/buy/buying approval/favour/favor/sympathy/attention/affection/respect/praise/love|
win/gain/get/earn his/her/their/our/my approval/favour/favor/sympathy/attention/affection/respect/praise/love/trust|
to win/be/get him/her/them back|
look/looks/looking generous/important/busy/clever/smart/tough/cool/rich/young/younger/richer/good/great/better|
appear/seem/seems generous/important/busy/clever/smart/tough/cool/rich/strong/successful|
feel/feeling needed/wanted/loved/special/superior/powerful/important/big|looks good on/for|look good on/for/in|
good in front|to be noticed/needed/seen/left|belittle|belittles|belittling|sabotage|sabotaging|sabotages|undermine|
undermining|humiliate|humiliating|outdo|outdoing|one-up|outshine|provoke|provoking|spiting|gloat|gloating|brag|
bragging|boast|boasting|punish/punishing him/her/them/me/us/his|manipulate|manipulating|manipulates|control-freak|
controlling|clout|bragging rights|trophy|status symbol|social climber|climb the|climbing the|power over|have/has power|
sense of power|in control of|control over|cover/covering up/for|cover/covering his/her/their|
mask/masks/masking his/her/their|hide/hides/hiding his/her/their/how/behind|conceal/concealing his/her/their|
distract/distracts/distracting from|distract himself/herself|numb/numbing|fill/filling a/the void|make up for|
making up for|compensate|compensates|compensating|compensation for|overcompensates|substitute for|
enjoys/likes/loves making/seeing/watching people/others/me/us/them|them/us/me/him/her suffer/squirm/wait/fail/look|
to fail so|wants/want him/her/them/us/me to fail/suffer/leave/quit/lose/resign/look|
wants/want him/her/them/us/me out/gone|drive/driving him/her/them|hire/promote his/her/their|
get/getting his/her/their own|gets/getting/get a kick|kick out of|enjoys the drama|enjoys/loves the attention|
the attention|attention of|likes/loves the sound|begrudges|envies|fancies|adores|smitten|infatuated|has feelings|
has a thing|still loves|carries/carrying a torch|in love|sleeping with|cheating on|not over his/her/their|
his/her/their ex|closer to his/her/their|be near his/her/their|doesn't trust/respect/like/care/love/want|
does not trust/respect/like/care/love/want|don't/didn't trust/respect/like/care|no respect|not/strike/as sincere|
insincere|two-faced|fake|faking|fakes|putting on|put on|bluffing|bluffs|lying|making/made it/that/things up|
nothing to lose|something to hide|cheating|deceive|money-grubbing|after his/her/their/the money|after money|
for the money|the inheritance|gold digger|greed|greedy|ego|bitterness|self-pity|loneliness|cowardice|laziness|malice|
entitled|entitlement|spoiled|spoilt|thinks he/she/they|thinks highly|thinks little|believes he/she/they is/are|
considers himself/herself|looks up to|father/mother figure|his/her/their approval|midlife|mid-life crisis|
identity crisis|daddy's girl|mummy's boy|chip on|axe to grind|score to settle|settle/settling a/old score/scores|
to sabotage/outshine/upstage/shame/silence/control/test/bait|testing my/the|patience with|can't be bothered|
couldn't be bothered|could not be bothered|can't bear/stand|cannot bear/stand|never got/felt/had|nobody/no-one ever|
has given up|gave up on|checked out|burnt/burned out|job-hunting|looking for another|
plans/planning to leave/quit/defect/sell|quitting|to quit|about to quit|
wants/want to quit/leave/hurt/control/dominate/own|running away|run/runs away|running from|escape from|
afraid/scared of commitment/intimacy/him/her|perfectionist|people pleaser|
lonely/bitter/insecure/sad/broken/unhappy/damaged person/man/woman/individual/soul|out of habit and|sunk cost|
peer pressure|sour grapes|wounded pride|hurt pride|bruised ego|hurt feelings|saving face|
back at his/her/their/him/them|back at the|teach him/her/them/us a|teaching him/her/them a|a lesson|
make/making him/her/them/others jealous/jealous|else/him/her/them/others look bad|rid of him/her/them/me/us|
too proud/shy/scared/afraid/embarrassed/ashamed/insecure to|
avoid/avoiding going/seeing/telling/meeting/thinking/feeling/sharing|flirts|flirting|flirt|out of sheer/pure/wounded|
rather than admit|without admitting|pretend|in his/her/their honour|deeply lonely/bitter/insecure/unhappy/jealous|
want/wants/seek/seeks validation/reassurance/attention/recognition/sympathy/praise/admiration/power/fame|
needs/crave/craves/after validation/reassurance/attention/recognition/sympathy/praise/admiration/power/fame|
wants/seek/seeks/craves approval|wants/want out of|lies/lying/lied about his/her/their|centre/center of attention|
trying/tries to replace/please/control/win/prove|avoid/avoiding work/working/doing|get/getting out of work/doing/it|
not have to talk/face|to look good|to look bad|to look smart|to meet women/men/girls/boys"""
HIDDEN = """secretly dislike/hate/want/like/love/resent/plan/fear/wish/think/hope|subconsciously|unconsciously|
secretly wants/hopes/hates/likes/loves/plans/planning/fears/resents/thinks/enjoys/believes/wishes|
secretly afraid/jealous/dislikes/trying/wanted/hoping|secretly in love|is/was secretly|
ulterior/real/true motive/motives|hidden agenda|the real reason he/she/they/is|the real reason the user|
out of spite/envy/jealousy/insecurity/laziness/vanity|trying to impress|only/just wants to impress|
just/only wants attention|just wants to show off|just trying to look/get/hide|only trying to look|fragile ego|
power trip|needs to feel superior|just afraid/jealous/acting|really just afraid|is hiding something|
lying to himself/herself|afraid to admit|cries/cry for attention|seeking attention|wants to get back at|
deep down he/she/they/is/wants|deep down the user|really just wants to be|doing this/it to impress|
doing it for attention|only said/says that to|only said it to|just says that to|doing this to|doing it to get|
only/just doing this/it|what drives him/her/them/this/the|what motivates him/her/them/this/the|
compensating for his/her/their/something/never/a|compensates for his/her/their|overcompensating for|deep down he's|
deep down she's|deep down they/he/she|deep inside he/she/they|at heart he/she|underneath it all|
underneath the/his/her/their jokes/bravado/smile/calm|beneath the/his/her bravado/smile/jokes|
behind his/her/the smile/bravado/jokes|in his/her/their heart of hearts|inwardly|
harbours/harbors/harbored/nursing/nurses/bears a grudge|harbours/harbors resentment|holding/holds a grudge|
still bitter about|still holding a|has it in for|is out to get|out to get|has a chip on|an axe to grind|a cry for help|
only cares about|only/just cares about himself/herself/money|just in it for|only doing it because/to/for|
just doing it because/to/for|only does it because/to/for|just does it to/for/because|does it for attention|
only nice to|only being nice|pretends/pretending not to/to|pretends he/she|acts tough|acting tough|
plays/playing dumb/innocent|all for show|likes the attention|loves the attention|loves the sound|thinks the world|
thinks he/she knows|trying to get a rise|to get a rise|to prove a point|to spite|as revenge|in revenge|for revenge|
out of sheer/pure/wounded|to feel superior/important/needed/powerful/special|to feel better about|
better about himself/herself|real motive|true motives/intentions|real intention/intentions/agenda|true agenda|
is really after|what he/she really wants|what they really want|really only wants|afraid of his/her/their own|
in denial about|projecting his/her/their|taking it out on|takes it out on|trauma response|attachment issues|
abandonment issues|trust issues|daddy/mommy/mother issues|god/hero/saviour/savior/martyr/napoleon complex|
jealous of his/her/their|envious of his/her/their|envies his/her/their|
out of revenge/shame/pride/guilt/loneliness/greed/bitterness|just to spite/annoy/provoke/hurt/impress/please/punish|
in order to appear/seem/impress/please/hurt|
in order to look smart/good/busy/important/clever/tough/rich/better/cool/competent|puts on a brave/show|puts on an act|
just/only wants to look smart/good/busy/important/clever/tough/cool/better/rich|hiding from his/her/their|
trying to impress/manipulate/sabotage|just/only wants to seem/appear/please/annoy/impress/hurt|just wants to prove|
only wants to prove|prove him/her/them wrong|prove his/her/their mother/father/brother/boss/ex/sister/parents|
just wants to be liked/loved/noticed/admired|only in it for|
out to squeeze/trick/ruin/humiliate/exploit/rob/cheat/embarrass/prove/destroy|must think i/i'm/we/me|
thinks i'm stupid/dumb/an|thinks i am|terrified of being/losing/failing|terrified of being alone|deathly afraid"""
CHARACTER = """lazy|arrogant|selfish|immature|passive-aggressive|manipulative|narcissist|narcissistic|coward|cowardly|
liar|bully|sociopath|psychopath|projecting|overcompensating|compensating|greedy|vain|dishonest|people-pleaser|spiteful|
vindictive|petty|egotistical|envious|power-hungry|hypocrite|two-faced|insecure|paranoid|pathetic|stupid|jealous of|
insecure about|threatened/intimidated by|passive aggressive|control freak|attention seeker|in denial|
seeking attention/approval/validation|not very smart/bright|people pleaser|a narcissist/jerk|an idiot|
unsure of himself/herself|snob|snobbish|control-freak|egoist|egomaniac|egocentric|megalomaniac|conceited|smug|pompous|
haughty|spineless|weak-willed|gutless|callous|heartless|cold-hearted|ruthless|cruel|malicious|deceitful|untrustworthy|
dishonorable|disloyal|sneaky|scheming|conniving|devious|opportunist|opportunistic|freeloader|slacker|lazybones|
attention-seeker|drama queen|know-it-all|show-off|showoff|crybaby|hypochondriac|commitment-phobe|codependent|needy|
clingy|domineering|overbearing|bossy|neurotic|unstable|emotionally unavailable/immature/stunted|mentally weak|entitled|
spoiled|spoilt|ungrateful|ignorant|dumb|dim|clueless|incompetent|phony|phoney|fake|gold-digger|gold digger|
social climber|yes-man|sycophant|brown-noser|suck-up|creep|jerk|attention-seeking|miser|stingy|racist|sexist|bigot|
passive-aggressive/jealous/mean/vindictive/cruel/narcissistic/selfish streak|a bit of a snob|a cheat|a fake|a phony"""
CHARACTER_ADVERBS = """just|simply|obviously|clearly|basically|really|a|an|very|so|too|bit|of|such|kind|rather|quite|
extremely|plainly|being|actually|secretly|probably|incredibly|total|typical|little|plain|bit of a|deep down|deeply|
truly|pretty|somewhat|fundamentally|inherently|naturally|sort of|kind of|slightly|a little|still|all|just plain|
downright|genuinely|ever so|rather a|at heart|most|pretty much|super|hugely|awfully|terribly|the type|the kind|
of person|person|sort|somebody|someone|to be|been|hopelessly|little bit|a touch|borderline"""
IS = "is|are|am|'s|'re|'m|was|were|being|be|has been|have been|is being|acts|act|acting|acted"
ARTICLES = "the|a|an|this|these|some|all"
NEGATIONS = "not|cannot|can't|doesn't|don't|won't|never|wouldn't|couldn't|didn't"
WEAK = """just|only|merely|simply|solely|purely|really|actually|mainly|clearly|obviously|all because|nothing but|
no more than|bound to be|the only reason|the reason he/she|it's/is all about|was all about|is/was about|more about|
always"""
MASKING = """mask|masks|masking|hide|hides|hiding|conceals|concealing|conceal|disguise|disguises|betrays|stems from|
fuelled/fueled/driven/motivated/prompted by|springs/comes from|born of|rooted in|covering|bury|burying|smother|
suppress|comes down to|drives|motivates"""

STARTERS = (MOTIVES, INNER, HIDDEN, CHARACTER, PLAIN_HEDGES, MASKING)
FROM_WHOM = "from his/her/their|from him/her/them/us/me|from everyone/others/people/colleagues"
THINKING = "thinks|think|feel|feels|felt|believes|hopes|hoped|thought|trust|trusts|thinks he/she"

KINDS = (
    ("X", HIDDEN), ("Z", MOTIVES), ("Q", CHARACTER), ("z", INNER),
    ("h", HEDGES), ("w", WEAK), ("e", THINKING), ("k", MASKING), ("f", FROM_WHOM), ("b", CAUSES),
    ("u", "so that|in order that"), ("n", NEGATIONS), ("R", OTHERS), ("R", PEOPLE),
    ("i", "i|i've"), ("B", IS), ("D", CHARACTER_ADVERBS), ("y", "his|her|their"),
    ("o", TOWARDS + "|and|but|in"), ("t", ARTICLES),
)  # fmt: skip
