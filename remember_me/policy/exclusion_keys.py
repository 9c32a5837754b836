"""The words without which no exclusion rule can apply, so that most texts load none of the rules' lists.

Of each phrase in a rule's `STARTERS` one word that is not common; a test names the phrases that have none.
"""

from __future__ import annotations


def phrases(listed: str) -> list[str]:
    """The phrases of a list."""
    return listed.replace("\n", "").split("|")


COMMON = """a|an|the|of|to|in|on|for|with|and|or|not|is|are|was|be|been|his|her|their|my|me|him|them|he|she|they|i|it|
this|that|has|had|have|as|at|by|from|about|up|out|down|off|over|into|just|only|all|so|too|very|really|no|do|does|did|
don|t|s|than|more|good|bad|well|one|two|three|wants|want|look|looks|get|take|taking|make|makes|like|likes|use|using|
what|why|how|work|works|go|goes|going|can't|doesn't|won't|being|wanted|write|wrote|set|left|right|group|open|list|low|
high|day|time|first|last|under|if|its|our|new|other|some|home|lives|live|works|man|case|called|seen|better|people|would|could|can|
cannot|say|said|says|feel|half|who|seems|during|through|born|type|care|part|trying|test|running|run|every|second|hour|
close|free|still|light|point|oh|come|again|due|here|life|country|person|names|member|morning|evening|after|before|old|done|told|never|order|takes|made|own|job|think|end|stop|weekend
|night|place|needs|need|we|enough|see|thing|things|went|put|1|2|uses|small|kept|form|checked|given|best|weeks|months
|years|ten|four|five|hold|lose|sound|thought|while|when|then|until|us|once|yet|may|might|should|wait|fill|away|strong
|everything|please|wonder|commit|fit|give|asked|needed|proved|since|today|stand|colour|color|taken|moved|hours|full
|any|across|door|between"""

MOOD_KEYS = """
aargh absolute aches aching adrenaline adrift afraid aggravated aggravating aggravation aggrieved aghast agitated
agitation agony agotada agotado air alarmed alone amazing amped amused anger angry anguished angy annoyance annoyd
annoyed annoying anoyed antsy anxiety anxios anxious apathetic apathy apeshit apoplectic appalled appalling
apprehension apprehensive argh arghh arms around arrabbiata arrabbiato arrgh ashamed asleep assistant ate audacity
awake awful awkward bah ballistic bananas banged barely barked bawled bawling beamed beaming beans beat bed believe
bellowed bellyached bemoaned bereft berserk bewildered bit bitched bits bitter black blah blasphemed bleak bleary
bleary-eyed bleated blew blissed blissed-out blissful blood bloody blubbed blue blues blushed bollocks bone-tired
bored boredom bothered bouncing bouncy brainless brassed break breakdown breaking brilliant brimming broke
broken-hearted brooding browned bubbly bugger bullshit bummed buoyant burden burned burned-out burning burnt
burnt-out bursting bushed butterflies buzzed buzzing calm calmer cansada cansado capitals caps carefree cazzo
chagrin cheer cheerful cheery cheesed chewed chipper chirpy choked choking christ chucked chuffed circus clammy
cloud clowns cold cold-footed comforted coming complained complaining complete concentrate conflicted confused
content contentment contrite cooped cost couldn counting covers crabby cranky crap crappy crestfallen cried crikey
cross crotchety crummy crushed cry crying curl cursed cursing cussed dammit damn damnit dare dark daze dazed
dazzled dead dead-tired death deflated dejected delight delighted demanded demoralised demoralized depresed
depressed despair despairing desperate despondency despondent devastated didn difficult disappointed disappointing
disappointment disaster disastrous disconsolate discontent discouraged disenchanted disgrace disgraceful
disgruntled disgust disgusted disheartened disillusioned dismay disoriented dispirited dispiriting displeased
displeasure dissapointed dissappointed dissatisfaction distracted distraught distressed dizzy doesn dog-tired
doldrums doleful doom-scrolling dopey dour downbeat downcast downer downhearted drained draining dread dreadful
dreading dreary driving drove drowsy drunk dull dumb dumps earth ease eaten ebb ecstatic edge edgy effed elated
embarrassed embarrassment emotional emotionless empty enchanted energised energized energy enfadada enfadado
enraged enraging enthralled enthused enthusiasm erschöpft euphoria euphoric euphorisch even exasperated
exasperating exasperation exausted excellent excited excitement exhausted exhausting exhaustion exhilarated
exploded exuberant eyes f-bomb face facepalmed failure faint falling famished fantastic farce fatigue fatigued
fatigué fatiguée fear fed fed-up feeling felice feliz fell felt festive feverish ffs fidgeting fidgety fifty filthy
fine flabbergasted flat flat-out flipped floods flung flustered flying fobbed focus fog foggy foggy-headed food
fool foolish forlorn forty foul fragile frail frantic fraud fraught frayed frazzled freaked freaking fretful fried
frightened frightful fruitless frustated frustrat frustrated frustrating frustratingly frustration frustriert fuck
fucking fumed fumes fuming funk furieuse furieux furiosa furioso furious fury fuss fustrated fâché fâchée gah
galled galling garbage gave genervt gestresst ghastly ghost giddiness giddy giggled giggling giggly giving glad
gleeful gloom gloomy glowing glum gobsmacked goddammit goddamn got gratitude great grey grief grief-stricken
grieving grim grinned grinning griped griping groaned groggy grouched grouchy groused growled grr grrr grrrr
grumbled grumbling grumpier grumpy grumpyish guilt guilt-ridden guilty gutted hacked haggard half-asleep handle
hanging hangry happier happiness happy hard hardly harrowing hate hated hates having haze head headache heart
heartache heartbroken heavy-hearted heck hectic hell hellish helplessness herself het hide himself hissed hissy hit
hollered hollering hollow homesick homesickness hopeful hopeless hopelessness hopping horrible horrified hostile
hot huff huffed humiliated hummed humming hung hunger hungover hungry hurled hurt hurting hyped hyper hysterical
idiot idiotic idiots ill impatience impatient impressed incandescent incensed incompetent inconsolable indignado
indignant indignation infatuated infuriated infuriating infuriatingly inquiet inquiète insane insecure inspired
insufferable insulted invigorated irascible irate ire irked irksome irritable irritated irritating irritation
itching jaded jazzed jealous jealousy jet-lagged jetlagged jitters jittery joke jolly joy joyful joyless joyous
joys jubilant jumping jumpy junk keyed kicked kidding kill killed killing knackered knees knot knots kvetched
kvetching lachrymose laid lamented lashed launched legs lemon lethargic liar light-headed lightheaded limbo limping
listless lively livid lobbed lonelier loneliness lonely lonesome loser losing loss lost lousy love lovely lovesick
low-spirited luck lump m mad maddening madness manic mardy marvellous matters maudlin meh melancholic melancholy
mellow meltdown mental merde merry mess messed mierda miffed migraine million minds mirthful miserable misery
moaned moaning molesta molesto mood moody moon moped mopey moping moron morons morose mortified motivation mournful
mourning mouth murder muttered müde nails narked nasty nausea nauseated nauseous needy nerve nerve-racking
nerve-wracking nerves nerviosa nervioso nervosa nervoso nervous nervus nervy nervös nightmare nightmarish ninety
nodding nostalgia nostalgic nuclear numb nuts offended optimistic outrage outraged outrageous overcome overjoyed
overstimulated overtired overwhelmed overworked overwrought pacing pain panic panic-stricken panicked panicking
panicky paranoid pathetic patience peace peaceful peckish peeved pensive perky perplexed perturbed pessimistic
petrified pieces pins piss pissed pisses pissy pit pitched playful pleased pointless pooped poorly postal pounded
powerless prickly pride protested proud psyched pulling pumped punched pushed quarrelsome queasy quiet racing
racked radiant rage rage-quit raged ragequit raging ranted ranting rattled ratty ravenous ready red reeling
refreshed regret regretful rejuvenated relaxed relief relieved reluctant remonstrated remorse remorseful resentful
resentment rested restless restlessness riddled ridiculous riled rip-off ripped rock roof rope ropeable ropey
rotten rough row rubbed rubbish rueful ruined rut sad saddened sadder sadness sake salty satisfied sauer scam
scared scathing scatterbrained scene scheisse scheiße schlecht scoffed scream screamed screaming screw screwed sea
seem seething sentimental serene seventh shaken shaking shaky shambles shambolic shame shape shattered sheepish
shell-shocked shirty shit shite shitty shivering shivery shocked shouted shouting shreds shrieked shut shy sick
sighed sit skittish slammed sleep sleep-deprived sleepless sleepy slept sluggish slump slung smash smashed smiles
smiling snapped snappish snappy snarled sniffling sniffly sobbed sobbing sod solemn somber sombre sore sorrow
sorrowful sorts sour spaced spaced-out spacey spare speechless spewing spin spiraling spiralling spirits spitting
splendid spluttered spoiled spooked stamped stanca stanco standing startled starving state steam steaming stoked
stomach stomped stood stormed stranded strangle strangled straw stresed stress stressed stressed-out stressful
strop stroppy struggling strung strung-out stunned stupid subdued sucks sulk sulked sulking sulky sullen sunny
surly swear swearing swept swore tailspin teared tearful tearing tears teary teary-eyed teed tense tenterhooks
terrible terrific terrified testy tetchy tether thankless themselves thirst thirsty thirty those threw thrilled
throw thrown thumped ticked tierd tipsy tired tiredness tiresome tizzy top tore tormented torn tossed total touchy
tough tranquil trash traumatised traumatized traurig trembling tremulous triste troubled tutted twitchy ugh ughh
umpteenth unacceptable unamused unbearable unbelievable unease uneasy unhappy unimpressed uninspired unloved
unmotivated unnerved unpleasant unreal unsettled unwell upbeat upset upsetting uptight urgh useless utter ve vented
venting verklempt verärgert vexation vexed vexing vulnerable waiting wall wary washed washed-out waste wasted
watching weariness weary weather week weeping weepy weighed weight welled wept whacked where whimpered whined
whinged whinging whining whistling wigged winds wiped wiped-out wired wistful withdrawn wits wobble wobbly woeful
woke won wonderful woozy worked worked-up world worn worn-out worried worried-sick worry worse worst worthless
wound wound-up wracked wrath wreck wrecked wretched wrung wrung-out wtf wütend yawning yelled yelling you zen
zombie zoned zonked énervé énervée
""".replace("\n", " ")
MOTIVE_KEYS = """
abandonment above act acting admiration admired admires admit admitting adores affection afraid agenda aggressive
agree anger angry annoy another anxiety anyone apparently appear approval arrogant ashamed attachment attention
attention-seeker attention-seeking avoid avoiding back bait bear because begrudges behind believes belittle
belittles belittling beneath bet betrays big bigot bitter bitterness bluffing bluffs boast boasting bored boredom
bossy bothered boys brag bragging brave breakup bright broken brown-nose brown-noser brown-nosing bully burned
burnt bury burying busy buying callous cares cheat cheating childhood chip clearly clever cleverer climb climber
climbing clingy closer clout clueless codependent cold-hearted comes commitment-phobe compensate compensates
compensating compensation compete competent competing complex conceal concealing conceals conceited confidence
confident conniving contempt control control-freak controlling cool cope couldn cover covering covets coward
cowardice cowardly crave craves craving credit creep crisis cruel crush cry crybaby daddy damaged dare dares
deceitful deceive deep defect denial depth desperate desperation despised despises destroy detests devious didn
different digger dim disdain disguise disguises dishonest dishonorable dislike dislikes disloyal distract
distracting distracts distrust distrusts divorce dodge dodging doesn doing dominate domineering drama dreads drive
driven drives driving dumb ego egocentric egoist egomaniac egotistical else embarrass embarrassed embarrassment
emotionally entitled entitlement envies envious envy escape escaping even everyone evidently ex ex-husband ex-wife
exploit face fail fake fakes faking fame fancies father father-in-law favor favour fear feared fears feeling
feelings felt fish fishing flatter flirt flirting flirts foolish freeloader front frustration fueled fuelled gave
generous getting girls gloat gloating gold-digger gone got grapes great greed greedy grief grind grudge guess
guessing guilt guilty gutless habit handle hates hatred haughty having heart heartbreak heartbroken heartless
herself hidden hide hides hiding himself hire holding homesick honour humiliate humiliated humiliating humiliation
hunch hunting hurt hypochondriac hypocrite idiot ignorant immature important imposter impostor impress impression
inadequacy inadequate incompetent infatuated inferior inferiority inheritance innocent insecure insecurities
insecurity insincere intentions intimidate intimidated inwardly jealous jealousy jerk job-hunting judged judgement
kick kiss kissing know-it-all laziness lazy lazybones learned leave leaving lesson let liar lied lies liked likely
loathes loneliness lonely longs looking love loved loves lust lying making malice malicious manipulate manipulates
manipulating manipulative marriage martyr mask masking masks maybe megalomaniac men mentally merely mid-life
midlife miser mistrusts mommy money money-grubbing mother mother-in-law motivated motivates motive motives mummy
must narcissism narcissist narcissistic near needy neglected nervous neurotic nice no-one nobody nothing noticed
numb numbing obviously one-up opportunist opportunistic others outdo outdoing outshine overbearing overcompensates
overcompensating overwhelmed pad panicked panics paranoia paranoid passive-aggressive pathetic patience paying
people-pleaser perfectionist perhaps petrified petty phoney phony pity planning plans pleaser pompous possibly
power power-hungry powerful praise praised pressure presumably pretend pretending pretends pride probably problems
projecting prolly promote promoted promotion prompted proud prove proving provoke provoking psychopath punish
punishing pure push putting quit quitting racist real reassurance reckon recognition regret regrets rejection
remorse replace resent resented resentful resentment resents resign respect response revenge rich richer rid
ridicule rise rob role rooted ruin runs ruthless sabotage sabotages sabotaging sad scared scares scheming secretly
seeing seem self-doubt self-esteem self-hatred self-loathing self-pity self-worth selfish sense settle settling
sexist shame sheer show show-off showing showoff shy silence simply sincere slacker sleeping sly smart smarter
smitten smother smug sneaky snob snobbish sociopath solely something special spineless spite spiteful spiting
spoiled spoilt springs squeeze squirm stems stingy stomach streak stubbornness stupid subconsciously substitute
successful suck suck-up sucking sue suffer suggests sulking sunk superior superiority suppress surely suspect
suspected suspects sycophant symbol sympathy talk teach teaching telling terrified testing theory thinks threatened
threatening tired torch tough trick tries trophy trouble trust two-faced ulterior unappreciated unconsciously
undercut undermine undermining underneath undervalued ungrateful unhappy unloved unstable untrustworthy upstage
vain validation vanity victim vindictive void vulnerability vulnerable wager watching weak-willed win women worried
wounded wrong yearns yes-man young younger
""".replace("\n", " ")
IDENTITY_KEYS = """
aa abh abilify aboriginal abortion adalimumab adderall addict addicted addiction addison adhd adhder adivasi
adventist afd afl-cio african african-american afro-american afro-brazilian afro-caribbean afro-cuban afro-latina
afro-latino afscme agender agnostic agoraphobia agoraphobic ahmadi ahmadiyya ainu akp alaska alawite alcohol
alcohol-dependent alcoholic alcoholics alcoholism alevi alprazolam alzheimer american amish amitriptyline amputee
anaemia anaemic anaphylactic anarchist anarchists anc ancestry anemia anemic aneurysm angina anglican animist ankle
anorexia anorexic antabuse anti-abortion anti-capitalist anti-fascist anti-vax anti-vaxx anti-vaxxer anticapitalist
anticonvulsants antidepressant antidepressants antifa antifascist antipsychotic antipsychotics antiretroviral
antiretrovirals antitheist anxiety aphasia apolitical appendix arab arab-american aripiprazole aromantic arrest
arrested arrhythmia arrived arson arthritic arthritis asexual ashkenazi ashram asian asian-american aslef asperger
aspergers aspie assault assyrian asthma asthmatic asylum asylum-seeker atheist ativan atomoxetine attack attacks
attempted attracted audhd autism autistic aymara baby background baha bahai bail baloch baptised baptist baptized
bars basque bedridden belief beliefs believe believer believes bengali berber bi bi-curious bible bicurious biden
bifida bigender biktarvy bipolar biracial biromantic birth bisexual bjp black blackmail blairite blasian blind blm
blockers blood bolsonaro borderline born-again boyfriend boys bpd brahmin breakdown breast breasts breton brexit
brexiteer bribery buddhism buddhist bulimia bulimic buprenorphine bupropion burglary burnout butch bypass c-ptsd
cajun calvinist came campaigned campaigning cancer candidate cannabis canvassed canvasses canvassing carbamazepine
carcinoma card-carrying caste cataracts cathedral catheter catholic catholicism caucasian cautioned ccoo cdu celiac
centre-left centre-right cerebral cfdt cgil cgt chabad chaldean chapel charged chechen chemo chemotherapy cherokee
child chinese-american chlamydia chp christened christian chronic chronically church churchgoer cialis cipralex
circassian cirrhosis cis cisgender citalopram ciudadanos claustrophobic clean clinically clinton clomid clonazepam
closet closeted clozapine coalition cocaine coeliac colitis colostomy columbus communion communist communists
community concerta condition confession confirmed confucian congregation congregationalist congregations
conservative conservatives converted convict convicted conviction convictions copd copt coptic corbyn corbynite
counseling counselling coven covid cptsd crackhead cree creole crimean criminal crohn crohns cross-dresser
crossdresser csu cuban-american cushing custody cymbalta daca dads dalit deacon deaf deafblind dealing death
delusions dem dementia demiboy demigirl demisexual democrat democratic democrats dems denomination depakote
deportation deported deportee depression depressive descent detention detox detoxed diabetes diabetic diagnosed
diagnosis dialysis diazepam diocese disability disabled disease disorder disorders disulfiram doing domestic
donepezil donor door-knocking drag drink drink-driving drinking driving drug drugs drunk-driving druze dsa dues dui
duloxetine dup dwi dyscalculia dyscalculic dysfunction dyslexia dyslexic dysphoria dyspraxia dyspraxic dystrophy
eczema effexor ehlers-danlos eighteen election elections elvanse embezzlement embraced emphysema enby endometriosis
environmentalist epilepsy epileptic episcopalian erdogan escitalopram estradiol estrogen ethnic ethnically
ethnicity eurasian europhile eurosceptic evangelical evasion ex-catholic ex-con ex-convict ex-gang ex-jehovah
ex-mormon ex-muslim ex-offender ex-prisoner expecting extinction extortion extraction f-1 failure faith falasha
false falun far far-left far-right farage fascist fdp fellesforbundet felon felony female feminist femme fentanyl
fertility fibroids fibromyalgia fibrosis fidesz finasteride flashbacks fled fluoxetine forgery former fpö
franciscan fraud freemasons ftm ga gallbladder gambling gay gbh gender gender-fluid gender-nonconforming
gender-queer genderfluid genderless genderqueer gene genital girls glaucoma glioblastoma gmb god gonorrhoea gout
graves graysexual green greens greysexual gurdwara gypsy h-1b h1b haemophilia haemophiliac haemophilic hajj halal
half-black half-jewish hallucinations haloperidol hamas han handling harassment hard-of-hearing haredi harris
hashimoto hasidic hasn hawaiian hazara hdp health hearing hemiplegic hemophilia hemophiliac hepatitis heritage
heroin herpes herself heterosexual hezbollah himself hindu hinduism hispanic hiv hiv-negative hiv-positive hmong
homicide homoromantic homosexual hormone hormones hospice hospital housebound hpv hrt huguenot humanist humira
huntington husband hutterite hutu hypertension hypertensive hyperthyroid hyperthyroidism hypomania hypomanic
hypothyroid hypothyroidism hysterectomy ibs identifies igbo illegal illegally illness illnesses imam immigrant
immigration immunocompromised immunosuppressant immunosuppressants impotence impotent imprisoned incarcerated
incontinence independence independents indian-american indigenous infertile infertility inside insomnia insulin
insulin-dependent intersex inuit investigation islam islamist islander ismaili israel italia iui ivf j-1 jail
jailbird jailed jain japanese-american jehovah jehovahs jesuit jesus jew jewish jihadist johnson joyriding judaism
junkie juvie keepers keppra kidnapping kkk klonopin klux knocks kommunal koran korean-american kosher krishna
krishnas kshatriya kurd kurdish labour ladino lakota lamictal lamotrigine larceny latina latino latinx latter
latter-day laundering leafleted leaflets league leans leave left-wing left-winger leftist leg lega legal leninist
lesbian letrozole leukaemia leukemia levetiracetam levodopa levothyroxine lexapro lgbt lgbtq lgbtq+ lib-dem libdem
liberal liberals libertarian likud linke lisdexamfetamine lithium lobotomy lodge looting lorazepam loyalist lula
lupus lutheran lyme lymphoedema lymphoma macron maga malaria male mania manic manic-depressive manslaughter maoist
maori mapuche marched maronite marxist mass mastectomy mayor mcas medical medication medications meds melanoma
melkite meloni men mennonite menopausal menopause mental mentally mestiza mestizo metall metastases metformin
methadone methodist methotrexate methylphenidate mexican-american migraine migraines milei minister minority
mirtazapine miscarriage mitzvah mixed-race mizrahi moderate modi momentum moms monarchist monk moravian mormon
morphine mosque mosques mounjaro movimento mtf mulatto multiracial mums murder muslim myeloma métis māori na
naltrexone narcissistic narcolepsy narcoleptic narcotics nasuwt national nationalist nationalists nations
naturalisation naturalization nautilus navajo nazarene neo-nazi neoconservative neoliberal neopagan netanyahu neu
neurodivergence neurodivergent neuropathy non non-believer non-binary nonbeliever nonbinary nra nun obama obese
observes ocd oestrogen offender offenders oil ojibwe olanzapine omnisexual oncologist opioid opioid-dependent
opioids opus orange orban orbán orientation origin orthodox orthorexia osteoarthritis osteoporosis osteoporotic
ovaries overdose overstayed oxycodone oxycontin ozempic pacemaker pagan paid-up painkillers paleoconservative
palliative pansexual papers paralysed paralyzed paranoia paraplegic parish parkinson parkinsons parliament parole
parolee paroxetine partially party pashtun pastor paxil pcos pen pentecostal perimenopausal perjury permit picket
pill pis pkk plaid pleaded pmdd pneumonia poaching podemos police political politically politics polyamorous
polysexual populist populists pork positive possession post-traumatic postmenopausal poz practices practises
prayers prays pre-diabetic pre-settled prediabetes prediabetic prednisolone prednisone pregnancy pregnant
presbyterian president priest prison pro-abortion pro-brexit pro-choice pro-gun pro-israel pro-life pro-palestinian
pro-russian probation progressive pronouns prostate prosthesis prosthetic protestant prozac psoe psoriasis
psychiatric psychiatrist psychologist psychopathic psychosis psychotherapy psychotic ptsd punjabi quadriplegic
quaker quechua queer quetiapine quran rabbi race radiotherapy ramadan rape rastafarian reaganite reassignment
recipient record recovery referendum reform refugee rehab relapse relapsed religion religious remain remainer
remand remission republican republicans residence restless restraining rheumatic right-wing right-winger rioting
risperdal risperidone ritalin rmt robbery rohingya roma romani romanichal romany roots rosacea rosary royalist
sabbath salafi salvation salvationist same-sex sami sanders sangha sans-papiers santera santero sarcoidosis sarcoma
satanist schizoaffective schizophrenia schizophrenic sciatica scientologist sclerosis scoliosis sdlp secessionist
secretary sectioned seiu seizures self-harm self-harmed self-harming self-harms semaglutide separatist separatists
sephardic sepsis seriously seropositive seroquel seroxat sertraline served settled sex sexual sexuality shabbat
shaman shia shinto shoplifting shudra shul sickle sikh sildenafil sinhalese sinn sinti sinto six skin sleeping smer
smuggled smuggling snp sober social-democrat socialist socialists solidarnosc solidarność spd spectrum spent
spiritualist spironolactone spö ssri ssris stabilisers stabilizers stalinist stalking stammer star starmer
stateless statins std stealing sterile steward sti stimulants stoma straight strattera strike stroke stutter
suboxone substance sufi suicidal suicide sunak sunni suspended sverigedemokraterna svp swing synagogue synagogues
syndrome syphilis syriza sámi t-blockers tamil tamoxifen tankie taoist tatar teamsters temple temporary tenrikyo
terminally terminally-ill terminated terrorism testosterone tetraplegic tgwu thalassaemia thalassemia thatcher
thatcherite theft therapist therapy tibetan torah tories tory tourette tourettic trade trade-union trade-unionist
trafficking tramadol trans transfem transfeminine transgender transitioned transman transmasc transmasculine
transplant transsexual transwoman traveller trazodone treason trotskyist trump trumper trumpist truvada
tuberculosis tumor tumour tutsi twelve-step two-spirit uaw ucu ugt uighur ukip ukipper umrah unbeliever
undocumented union unionised unionist unionists unionized unison unitarian unite usdaw uyghur vaginismus vaishya
valium valproate vandalism vasectomy venlafaxine ver.di verdi viagra vicar visa visually vitiligo voices voodooist
voted votes voting vox vyvanse wahhabi waldensian warfarin wears weed wegovy wellbutrin wheelchair wheelchair-bound
white wiccan wife wing woman womb women worship xanax yazidi yenish yoruba zionist zoloft zolpidem zopiclone
zoroastrian zyprexa övp
""".replace("\n", " ")
