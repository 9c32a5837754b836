"""The words of sensitive attributes of a person (DESIGN section 4); `mood_words.py` says how a list is written."""

from __future__ import annotations

from remember_me.policy.mood_words import PEOPLE, PRONOUNS, TODAY

ATTRIBUTES = """gay|lesbian|bisexual|bi|pansexual|asexual|aromantic|demisexual|transgender|trans|transman|transwoman|
transsexual|non-binary|nonbinary|enby|genderqueer|genderfluid|gender-fluid|agender|queer|intersex|heterosexual|
homosexual|cisgender|two-spirit|muslim|christian|catholic|protestant|jewish|jew|hindu|buddhist|sikh|atheist|mormon|
lutheran|baptist|methodist|anglican|calvinist|presbyterian|quaker|pentecostal|evangelical|jain|zoroastrian|baha'i|
bahai|shia|sunni|sufi|druze|yazidi|scientologist|born-again|churchgoer|adventist|taoist|shinto|mennonite|amish|coptic|
copt|rastafarian|hasidic|religious|socialist|communist|marxist|fascist|libertarian|anarchist|leftist|monarchist|
nationalist|left-wing|right-wing|left-winger|right-winger|far-right|far-left|centre-left|centre-right|pro-life|
pro-choice|anti-abortion|tory|trotskyist|anti-vaxxer|zionist|separatist|neo-nazi|roma|romani|sami|sámi|kurdish|kurd|
arab|latino|latina|latinx|hispanic|afro-american|african-american|indigenous|aboriginal|maori|māori|inuit|uyghur|
uighur|hmong|biracial|mixed-race|multiracial|caucasian|afro-caribbean|berber|pashtun|tutsi|hutu|igbo|yoruba|métis|
half-jewish|half-black|ashkenazi|sephardic|romany|sinti|pregnant|infertile|hiv-positive|hiv-negative|diabetic|
epileptic|bipolar|schizophrenic|autistic|dyslexic|dyspraxic|neurodivergent|anorexic|bulimic|alcoholic|manic-depressive|
suicidal|asthmatic|anaemic|anemic|impotent|menopausal|immunocompromised|paraplegic|quadriplegic|addict|psychotic|
haemophiliac|hemophiliac|obese|celiac|coeliac|narcoleptic|refugee|asylum-seeker|ex-con|ex-convict|ex-offender|felon|
criminal|ex-prisoner|trade-unionist|unionised|unionized|trans/transgender man/woman|non binary|gender fluid|born again|
seventh-day adventist|jehovah's/jehovahs witness|jehovah 's witness|orthodox jew|deeply religious|
social/christian democrat|far right/left|left/right wing|trump supporter|
labour/green/republican/democratic/swing voter|african/native american|mixed race|person/man/woman of colour|
person/woman/man of color|first nations|half jewish/black|hiv positive/negative|
terminally/mentally/chronically/seriously ill|clinically depressed|manic depressive|in remission/therapy/rehab|
on antidepressants/dialysis/chemo/parole/bail|in a wheelchair|on the spectrum/pill|on the autism spectrum|
cancer/stroke survivor|cancer patient|wheelchair user|drug/heroin/gambling/recovering addict|recovering alcoholic|
addicted to alcohol/drugs/heroin/cocaine/opioids/painkillers/gambling/pills|undergoing chemotherapy/chemo/ivf|
in psychiatric care|hard of hearing|legally blind|illegal/undocumented immigrant|asylum seeker|
in the country illegally|here/living/working illegally|daca recipient|on a student/work/tourist/spouse visa|on a visa|
on an h-1b/h1b|on an h-1b/h1b visa|facing deportation|awaiting/seeking asylum|applying/waiting for asylum|
convicted felon/of|registered sex offender|sex offender|out on bail|under house arrest|former inmate|
under criminal investigation|trade union member|trade unionist|
union member/rep/representative/steward/organiser/organizer/activist|shop steward|party member|tamil|sinhalese|punjabi|
bengali|hazara|baloch|rohingya|tibetan|mapuche|quechua|aymara|cherokee|navajo|lakota|ojibwe|cree|ainu|basque|breton|
chechen|tatar|crimean|circassian|assyrian|maronite|alawite|alevi|ismaili|ahmadi|ahmadiyya|wahhabi|salafi|haredi|chabad|
hare krishna|wiccan|pagan|neopagan|satanist|spiritualist|unitarian|congregationalist|episcopalian|nazarene|
salvationist|moravian|hutterite|huguenot|waldensian|melkite|chaldean|jesuit|franciscan|ex-muslim|ex-mormon|ex-catholic|
ex-jehovah's|nonbeliever|non-believer|unbeliever|humanist|antitheist|confucian|tenrikyo|shaman|animist|voodooist|
santera|santero|evangelist christian|reformed church|cis|homoromantic|biromantic|polyamorous|polysexual|omnisexual|
graysexual|greysexual|bicurious|bi-curious|closeted|femme|butch|genderless|gender-nonconforming|gender-queer|bigender|
demigirl|demiboy|transmasc|transfeminine|transmasculine|transfem|ftm|mtf|lgbt|lgbtq|lgbtq+|cross-dresser|crossdresser|
drag king|feminist|leninist|maoist|stalinist|thatcherite|blairite|corbynite|reaganite|trumpist|trumper|maga|brexiteer|
remainer|eurosceptic|europhile|islamist|jihadist|royalist|republican voter|unionist|loyalist|populist|anti-vaxx|
anti-vax|antifa|anti-fascist|antifascist|anti-capitalist|anticapitalist|neoconservative|neoliberal|paleoconservative|
social-democrat|environmentalist voter|pro-palestinian|pro-israel|pro-gun|pro-abortion|pro-brexit|pro-russian|
white supremacist|black nationalist|secessionist|tankie|depressive|hypomanic|manic|dyscalculic|tourettic|asperger|
aspie|audhd|adhder|psychopathic|schizoaffective|borderline|agoraphobic|claustrophobic|haemophilic|hypertensive|
hypothyroid|hyperthyroid|prediabetic|pre-diabetic|arthritic|rheumatic|osteoporotic|anaphylactic|tetraplegic|hemiplegic|
amputee|double amputee|deafblind|hard-of-hearing|visually impaired|hearing impaired|partially sighted|wheelchair-bound|
bedridden|housebound|terminally-ill|postmenopausal|perimenopausal|sterile|seropositive|poz|transplant recipient|
organ recipient|insulin dependent|insulin-dependent|opioid-dependent|alcohol-dependent|teetotal alcoholic|drug addict|
crackhead|junkie|pill addict|in recovery|in a psychiatric ward/hospital|in a mental hospital|sectioned|in hospice care|
in palliative care|expecting a baby/child/twins|expecting her first|expecting their first/second/third|having a baby|
trying for a baby|months pregnant|weeks pregnant|with child|stateless|undocumented migrant/worker|
illegal alien/migrant|sans-papiers|asylum applicant|deportee|deported|refugee from|political refugee|daca|on daca|
on asylum|on parole|on death row|on an asylum claim|on a dependent visa|on a tourist visa|on a j-1|on an f-1|
on an f-1 visa|on a skilled worker visa|on a temporary visa|jailbird|convict|repeat offender|young offender|parolee|
ex-gang member|out on parole|on the run|in prison/jail/custody|in juvenile detention|behind bars|incarcerated|
imprisoned|jailed|on remand|tagged offender|on house arrest|on an ankle tag|wearing an ankle monitor|
under investigation for|gypsy|traveller gypsy|irish traveller|sinto|romanichal|yenish|afro-latino|afro-latina|
afro-brazilian|afro-cuban|blasian|eurasian|mestizo|mestiza|mulatto|creole|cajun|ladino|mizrahi|beta israel|falasha|
falun gong|south asian|east asian|southeast asian|british asian|asian american|asian-american|black british|
han chinese|arab american|arab-american|mexican-american|mexican american|cuban-american|korean-american|
chinese-american|japanese-american|indian-american|pacific islander|native hawaiian|alaska native|
torres strait islander|dalit|brahmin|scheduled caste|upper/lower caste|kshatriya|vaishya|shudra|adivasi|
person with schizophrenia|jehovah's witnesses|jehovah 's witnesses|latter-day saint|latter day saint|old believer|
russian/greek/serbian/coptic/romanian/eastern/ukrainian orthodox|greek catholic|roman catholic|church of england|
brexit supporter/voter|biden/harris/obama/sanders/clinton/farage/corbyn supporter/voter|
party/labour/tory/republican/democratic/green/snp/union activist|libdem|lib dem|lib-dem|ukipper|
green/labour/conservative/liberal/socialist/communist/republican/democratic/reform party member|trade-union member|
union man|party activist/loyalist/official/worker"""
PLAIN_ATTRIBUTES = """undocumented|black|white|asian|conservative|liberal|straight|republican|democrat|disabled|blind|
deaf|agnostic|african|moderate|progressive|apolitical|paralysed|paralyzed|believer"""
"""Attributes that are also said of things: only where the subject is plainly a person and nothing is named after."""

IS_OF_A_KIND = """is|are|was|am|were|'s|'m|'re|be|been|being|isn't|wasn't|raised|became|becoming|born|feels|turned|
identifies/identify/identified/raised as|came/comes out as|was raised/born|was raised as|grew/brought up|grew up as|
was brought up|describes himself/herself/themselves as|calls/considers himself/herself|has been|as someone who is|
turns out to be|happens to be|that he/she is|turning|remains|stays|stayed|
considers/considered himself/herself/themselves|calls/called himself/herself/themselves|thinks of himself/herself as|
sees himself/herself as|is/are known to be|got|went|has/have/had become|has always/long been|have been|had been|
describing himself/herself as|describes/identifies/identified himself/herself as|raised as a|comes from a|came from a|
comes from an|born into a|is from a|was from a|married a|was born a|born a|let slip that he/she is|mentioned being|
mentions being|says he/she is|told me he/she is|revealed he/she is|admitted to being|disclosed being|
confided that he/she is"""
BELONGS = """joined|leaves|left|member/members/delegate/representative/treasurer/part of|belongs/belong to|
member/active in|active member of|organises/organiser/organizer/steward/delegate for|comes from|joins|join|joining|
signed up to/with|active with/within|card from|dues to|steward of|steward at|officer of/for|secretary of|chairs|
chair of|founder of|volunteers/volunteered for|activist in/for|rep for/at|representative for|represents|elected to|
attends|attended|attending|worships/prays with|affiliated with/to|loyal to|card-carrying member of|
baptised/baptized in|elder/deacon in/of|pays dues to|leafleting for|stood for"""
VOTES = """voted|votes|vote|voting|supports|support|will/would vote|supporter/fan of|donates/donated to|
canvasses/campaigns/campaigned/marched/ran/votes for|sympathises/sympathizes with|backs|backed|backing|endorses|
endorsed|canvassing/campaigning/leafleting/volunteering for|leaflets/canvassed/volunteered/volunteers/stood/stands for|
donated/donating to|rallies/rallied for|cast his/her/their vote/ballot for|always/usually/still votes|swings|leans|
leaning"""
NO_VALUE = """do|don't|never|not|no|none|optional|unknown|ask|leave|out|omit|required|removed|stored|forbidden|off|
allowed|confidential|private|is|are|field|column|must|should|kept|excluded|deleted|nothing|and"""
ATTRIBUTE_ADVERBS = """a|an|the|also|openly|proudly|practising|practicing|practicant|devout|devoutly|strict|strictly|
both|not|lifelong|registered|secular|orthodox|shia|sunni|reform|liberal|former|ex|lapsed|recovering|proud|committed|
staunch|very|quite|deeply|now|currently|as|member|of|hard-line|hardline|raised|himself|herself|probably|actually|
closeted|still|originally|nominally|roman|greek|russian|type|1|2|high-functioning|politically|rather|being|really|
self-described|self-declared|convinced|militant|active|passionate|half|part|functional|high|mildly|severely|partly|
partially|fully|legally|ethnically|black|white|british|american|severe|moderate|ultra-orthodox|months|weeks|five|six|
seven|eight|four|three|two|card-carrying|in|born|fervent|observant|lesbian|gay|undocumented|muslim|jewish|trans|queer|
unapologetically|fiercely|die-hard|diehard|ardent|avid|hardcore|moderately|semi-|profoundly|congenitally|newly|
third-generation|second-generation|observantly|nominal|cultural|culturally|non-practising|non-practicing|outspoken|
fervently|paid-up|long-standing|longtime|long-time|life-long|clinically|chronically|medically|genetically|biologically|
predominantly|mostly|loyal|solid|conservative|progressive|only|just|likely|apparently|reportedly|ten|nine|twelve|young|
old"""
AFTER_ATTRIBUTE = """and|but|or|too|himself|herself|themselves|since|by|from|in|who|with|as|at|because|though|although|
so|while|after|on|for|to|according|until|however|again|now|immigrant|man|woman|person|couple|family|parents|voter|
background|believer|descent|heritage|origin|minority|activist|faith|community|supporter|convert|girl|boy|guy|patient|
politically|both|either|last|this|recently|during|household|people|tribe|roots|upbringing|ancestry|like|has|had|have|
was|were|will|would|goes|wears|keeps|whose|then|even|these|when|before|throughout|all|years|through|via|under|over|
ever|once|having|being|myself|partner|mother|father|parent|husband|wife|son|daughter|sister|brother|teenager|teen|
adult|youth|elder|clan|nation|nationals|veteran|survivor|migrant|refugee|stock|every|each|daily|twice|nightly|weekly|
monthly|half|priest|imam|monk|nun|minister|preacher|cleric|rabbi|pastor|deacon|missionary|councillor|candidate|
organiser|organizer|campaigner|dissident|exile|citizen"""

HAS = """has|have|had|having|battles|battling|battled|fighting|fights|survived|developed|contracted|his|her|my|their|
suffers/suffer/suffered/suffering/recovering from|
lives/living/struggles/struggled/struggling/diagnosed/coping/born with|
treated/medication/treatment/therapy/therapist/surgery/hospitalised/hospitalized for|history of|on medication for|
takes pills for|living through|was born with|tested positive for|in remission from|because of his/her/their/my|
due to his/her/their/my|after his/her|includes|included|history includes|manages|managing|managed|beat|beats|beating|
kicked|recovering after|being treated for|treated for|is being treated for|been treated for|in treatment for|
under treatment for|in hospital with|hospitalised/hospitalized with|off sick with|signed off with|died of|dying of|
lost to|dealing/deals/dealt with|carrier of|living with|relapsed into|awaiting a|waiting for a|needs a|recovers from|
lives with|on disability for|diagnosed him/her with|caught|got|gets|getting over|had a|prone to|wears a|undergoing|
underwent|undergoes|shows signs/symptoms of|showing signs of|screened for"""
CONDITIONS = """depression|anxiety|cancer|hiv|diabetes|epilepsy|adhd|autism|asperger's|aspergers|asperger|ptsd|ocd|
bipolar|schizophrenia|parkinson|parkinson's|parkinsons|alzheimer|alzheimer's|dementia|crohn|crohn's|hepatitis|anorexia|
bulimia|addiction|miscarriage|abortion|std|sti|leukemia|leukaemia|lymphoma|melanoma|lupus|tourette|tourette's|
endometriosis|arthritis|insomnia|asthma|migraine|migraines|herpes|syphilis|chlamydia|gonorrhoea|tuberculosis|colitis|
psoriasis|fibromyalgia|cirrhosis|tumour|tumor|burnout|dyslexia|psychosis|huntington|huntington's|hypothyroidism|
infertility|alcoholism|agoraphobia|seizures|chemotherapy|felony|disease|syndrome|disorder|
anxiety/bipolar/eating/panic/personality/mental disorder|multiple sclerosis|hepatitis b/c|
drinking/gambling/drug/alcohol problem|panic attacks|suicidal thoughts|rheumatoid arthritis|
heart attack/condition/failure|heart/celiac/coeliac/kidney/liver/thyroid/lung disease|chronic fatigue/pain|
chronic fatigue syndrome|long covid|sickle cell|cystic fibrosis|cerebral palsy|muscular dystrophy|kidney failure|
brain tumour/tumor|postpartum/postnatal depression|down syndrome|mental/chronic/terminal illness|erectile dysfunction|
social anxiety|epileptic seizures|criminal record|criminal/prior/drunk-driving conviction|criminal/prior convictions|
conviction for|drug addiction|hypertension|anaemia|anemia|osteoporosis|sclerosis|copd|ibs|pcos|pmdd|cptsd|c-ptsd|bpd|
hpv|gout|vitiligo|eczema|rosacea|glaucoma|cataracts|neuropathy|sciatica|scoliosis|emphysema|pneumonia|sepsis|
sarcoidosis|narcolepsy|dyscalculia|dyspraxia|aphasia|mania|hypomania|paranoia|delusions|hallucinations|flashbacks|
orthorexia|alcoholic hepatitis|thalassaemia|thalassemia|haemophilia|hemophilia|myeloma|sarcoma|carcinoma|glioblastoma|
lymphoedema|metastases|stoma|colostomy|catheter|pacemaker|prosthesis|transplant|dialysis|chemo|radiotherapy|rehab|
psychotherapy|detox|relapse|overdose|stutter|stammer|incontinence|impotence|menopause|vaginismus|fibroids|
osteoarthritis|angina|arrhythmia|aneurysm|hashimoto's|hashimoto|graves'|addison's|cushing's|lyme|malaria|
gender dysphoria|dysphoria|hyperthyroidism|prediabetes|coeliac|celiac|crohns|ehlers-danlos|mcas|neurodivergence|
stoma/colostomy bag|prosthetic leg/arm|kidney/liver/heart/bone transplant|heart attack|high blood pressure|
breast/prostate/lung/skin/colon/bowel/ovarian/thyroid/cervical/testicular/pancreatic/stomach cancer|
eating/mood/sleep/attention/personality/bipolar disorders|borderline/narcissistic personality|suicidal ideation|
nervous breakdown|mental breakdown/illness|substance/alcohol/opioid abuse|substance use disorder|
opioid/alcohol/drug/gambling dependency/addiction|learning/intellectual/physical disability|type 1/2|type 1/2 diabetes|
motor neurone disease|restless legs|autism spectrum disorder|obsessive compulsive disorder|
obsessive-compulsive disorder|post-traumatic stress|post-traumatic stress disorder|premenstrual syndrome|
polycystic ovaries|spina bifida|tourette syndrome|psychotic/manic/depressive episode/episodes|bouts of depression|
seasonal affective disorder|genital warts|down's syndrome|a disability|chronic fatigue|panic disorder"""
FACTS = """sober for|has/had a conviction|prays at the mosque/church/temple/synagogue|green card expires/expired/runs|
had a nervous breakdown|self-harms|card-carrying|sexual orientation is|had/having an abortion|
had a miscarriage/stroke/mastectomy/vasectomy/hysterectomy|had a heart attack|had chemo|had/undergoing chemotherapy|
goes to therapy/aa/church/mosque/mass/synagogue/temple|attends therapy/aa/church/mass/mosque/synagogue|
sees a therapist/psychiatrist/psychologist|sees an oncologist|seeing a therapist/psychiatrist|
takes antidepressants/lithium/insulin/methadone/hormones/prozac/xanax/ritalin/adderall|injects insulin|
attempted suicide|tried to kill himself/herself|alcoholics/narcotics anonymous|carries the gene|tested positive|
sober since|hears voices|going through chemotherapy/chemo/ivf|undergoing ivf|fertility treatment|
gender reassignment/dysphoria|sex reassignment|hormone therapy|transitioning/transition from male/female|
born/assigned male/female|came out to|attracted to men/women/both|dates men/women|sleeps with men/women|
bipolar disorder|converted to islam/judaism/christianity/catholicism/buddhism/hinduism|
convert to islam/judaism/catholicism|believes in god|doesn't believe in god|does not believe in god|left the church|
joined the church/union/teamsters|goes to the mosque/synagogue/temple|go to church/mosque/mass/synagogue|
go to the mosque/temple|attends a mosque/synagogue/church|attends the mosque/synagogue|went to mass/prison/jail|
prays five/daily/every|fasts/fasting during/for ramadan|observes ramadan/shabbat/sabbath/lent|
observes/keeps the sabbath|keeps shabbat/ramadan|was baptised/baptized/arrested/convicted/deported|
got baptised/baptized/arrested/convicted|practises islam/judaism/buddhism/hinduism|
practices islam/buddhism/judaism/hinduism/catholicism|lost his/her/their/my faith|
raised catholic/muslim/jewish/mormon/christian/hindu|spent time in prison/jail|been to prison|were arrested/convicted|
been arrested/convicted/deported|convicted of|charged with assault/theft/fraud/possession/murder/drunk/drug|
suspended/prison/jail sentence|pleaded guilty|served a sentence|probation/canvassed/canvasses for|
overstayed his/her/their/my/a|applied/asked/waiting for asylum|granted/denied asylum|asylum application|refugee status|
being deported|fears/facing deportation|without papers|has no papers|no/without legal status|
without a residence permit|has/holds a green card|green card holder|work permit expires/expired/runs|
residence permit expires/expired/runs/was|immigration status is|came as a refugee|as a refugee|
crossed the border illegally|entered/lives/living/works/here illegally|entered the country illegally|
temporary protected status|on a student/work/tourist visa|pays union dues|union dues/card|joined a union|
joined a trade union|member of a/the trade union|member of a union|
member of the union/teamsters/labour/green/communist/conservative/socialist/republican/democratic|
belongs to a/the union|belongs to a trade union|active in the/a union|elected union|
member of unite/unison/ver.di/verdi/antifa|member of ig metall|political views/opinions are|politics are|
politically conservative/liberal/left/right/he/she/far|
votes labour/conservative/republican/democrat/democratic/green/tory/left/right/liberal|
voted labour/conservative/republican/democrat/green/tory/leave/remain/left|always/usually votes|
leans left/right/conservative/libertarian|campaigned for the|supports/opposes/against abortion|against immigration|
donates to the party|supports trump/biden|marched against|identifies as a woman/man|identifies as male/female|
waiting for a residence permit|lost her/his work permit|on antidepressants/lithium/methadone/hrt/prozac/zoloft/ritalin|
same-sex marriage/relationship|served time|years/months/was/been in prison/jail|has a felony|
his/their/her visa expires/expired/runs|ethnically|prescribed for depression/anxiety/schizophrenia|
his husband/boyfriend|her wife|two mums/moms/dads|they/them pronouns|uses they/them|
asylum claim/case/hearing is/was/still|transitioned last/in/at/two/three|sex/gender change|
came/come/coming out of the closet|out of the closet|not out at|hasn't come out|gay/same-sex marriage|
likes men/women/girls/boys|fancies men/women|prefers men/women|into men/women|lost the baby|lost her/the baby|
terminated the pregnancy|gave birth|is expecting her/their/twins|egg donor|iui|ivf|round of ivf|cycle of ivf|
fertility treatments|had his/her/their gallbladder/appendix/breast/breasts/leg/prostate/womb/ovaries|
had a bypass/colostomy/transplant/lobotomy|on the transplant list|mental health crisis|psychiatric ward/hospital/unit|
a suicide attempt|attempt/attempted suicide|cuts himself/herself|self-harm|self-harmed|self-harming|in aa|
aa meetings/sponsor|twelve-step|clean and sober|is sober|off the drink|off drugs|relapsed after|in rehab|
went to/into rehab|out of rehab|has a drinking|detoxed|check into rehab|
wears a hijab/niqab/kippah/yarmulke/turban/headscarf|wears the hijab/niqab|keeps kosher|keeps halal|eats kosher/halal|
prays to/at/in|prays before/the/every|says the rosary|says his/her prayers|goes to confession|takes communion|
took communion|first communion|bar/bat mitzvah|confirmed in the church|was confirmed in|christened|
son/daughter of a rabbi/vicar/pastor/imam/minister|is a deacon/imam/rabbi/vicar/pastor/priest/nun/monk|lost faith|
lost the faith|found god/jesus/religion/islam|born-again|reverted to islam|raised in the church|
brought up in the faith|embraced islam/judaism/buddhism/christianity|practises/practices christianity/paganism/wicca|
follows islam/judaism/buddhism/hinduism|studies the torah/quran/koran|reads the quran/koran/torah|went on hajj|hajj|
umrah|does not eat pork|doesn't eat pork|bible study|sunday worship|voted for the|voting for the|votes for the|
voted for biden/trump/obama/clinton/harris/macron/le/labour|votes/voted/voting snp/ukip/afd/spd/cdu/lib/reform|
stood for parliament|ran for the greens/labour|knocks on doors for|
leafleted/leaflets/canvassing/canvasses/campaigning/door-knocking for|went on strike|on strike with|picket line|
on the picket|shop steward for|paid-up member|pays monthly/weekly/his/her/their dues|branch secretary|strike committee|
union card/branch|residence permit/visa was/has/is denied/refused/expired/revoked/rejected|
work visa was/is/expires/expired|deportation order/hearing/notice|overstayed|smuggled into/across|fled to|fled from|
came/arrived illegally|came/arrived without papers|came/arrived by boat|no right to work|leave to remain|
indefinite leave|settled/pre-settled status|naturalisation/naturalization interview|granted asylum|lives under a false|
has no visa|no residence permit|spent/did/served a/two/three/four/five/six/ten/eighteen months/years in|
in young offenders|in a young offenders'|was in juvie|suspended sentence|community service for|wears an ankle|
restraining order against|sex offender|criminal conviction|a conviction for|convictions for|spent conviction|
on his/her record from|done time|did time|doing time|is/was/been on parole|is/was/been on bail|out of prison/jail|
left prison|released from prison/jail|was cautioned by|been cautioned|lost his/her licence for drink-driving|
police caution|transitioned from|months/years inside|on an asylum claim|by ethnicity|
clean for two/three/four/five/six/ten/a|goes to na/ga/counselling/counseling/confession|
on a spousal/marriage/partner/dependent/family/fiancé/fiancée/bridging/humanitarian/tourist/visitor visa|
on an expired visa"""
LABELLED = """religion|ethnicity|caste|denomination|sexuality|diagnosis|ethnic background/origin|sexual orientation|
gender identity|political views/affiliation/opinion/opinions/leaning|party affiliation/membership|
immigration/residence/visa/hiv status|union membership|trade union membership|criminal record/history|
medical history/condition|mental health|skin colour/color|religious affiliation/belief/beliefs|
health condition/conditions|faith|belief|beliefs|disability|pronouns|orientation|blood status|
political orientation/stance/beliefs|religious background/faith|trade union|immigration|criminal|convictions|
medication|medications|gender|nationalityat birth|sex assigned at birth|illnesses|chronic illness|chronic illnesses|
mental illness|pregnancy status|hiv|asylum status|visa type|racial background|ethnic group|sexual preference"""
ORGANISATIONS = """union|party|church|mosque|synagogue|minority|parish|congregation|trade|chapel|gurdwara|shul|
cathedral|lodge|congregations|synagogues|mosques|coven|ashram|sangha|diocese"""
NO_ORGANISATIONS = """european|credit|student|students|customs|birthday|dinner|soviet|african|third|search|tag|
disjoint|discriminated|type|rowing|release|planning|stag|hen|tea|lan|office|house|rescue|tenants'|launch|garden|sql|
street|rugby|trade|fair|third-party|choir|orchestra|hall|organ|reunion|wedding|pizza|halloween|christmas|tennis|
cricket|football|savings|building|western|players'|writers'|housing|board"""
POLITICS = """party|labour|democrats|republicans|greens|conservatives|tories|trump|biden|clinton|obama|harris|sanders|
election|elections|referendum|brexit|candidate|socialist|socialists|left|right|afd|spd|cdu|fdp|president|mayor|
parliament|liberals|coalition|lega|macron|leave|remain|communists|populists|independence|le pen|snp|ukip|starmer|
farage|corbyn|johnson|sunak|thatcher|netanyahu|modi|orbán|orban|erdogan|bolsonaro|lula|meloni|milei|green|reform|
independents|liberal|conservative|nationalists|unionists|far-right|far-left|plaid|anarchists|separatists|sinn féin"""
ROOTS = "descent|heritage|ethnicity|extraction|ancestry|origin|blood|roots"
MEDICINES = """sertraline|zoloft|fluoxetine|prozac|citalopram|escitalopram|lexapro|cipralex|paroxetine|paxil|seroxat|
venlafaxine|effexor|duloxetine|cymbalta|mirtazapine|bupropion|wellbutrin|amitriptyline|trazodone|quetiapine|seroquel|
olanzapine|zyprexa|risperidone|risperdal|aripiprazole|abilify|clozapine|haloperidol|lamotrigine|lamictal|valproate|
depakote|carbamazepine|levetiracetam|keppra|methylphenidate|ritalin|concerta|adderall|vyvanse|lisdexamfetamine|elvanse|
atomoxetine|strattera|diazepam|valium|lorazepam|ativan|alprazolam|xanax|clonazepam|klonopin|zopiclone|zolpidem|insulin|
metformin|ozempic|semaglutide|wegovy|mounjaro|levothyroxine|methotrexate|humira|adalimumab|prednisone|prednisolone|
tamoxifen|letrozole|methadone|buprenorphine|suboxone|naltrexone|antabuse|disulfiram|truvada|antiretrovirals|
antiretroviral|biktarvy|estradiol|oestrogen|estrogen|testosterone|spironolactone|hrt|hormones|t-blockers|
puberty blockers|finasteride|clomid|viagra|cialis|sildenafil|antidepressants|antidepressant|ssri|ssris|antipsychotics|
antipsychotic|beta blockers|warfarin|blood thinners|anticonvulsants|painkillers|opioids|oxycontin|oxycodone|tramadol|
fentanyl|morphine|chemo|chemotherapy|immunosuppressants|immunosuppressant|statins|mood stabilisers/stabilizers|
stimulants|donepezil|levodopa|dialysis|fertility drugs|hormone blockers|hormone replacement|the pill|medical cannabis|
medical marijuana|sleeping pills|anxiety/depression/adhd/hiv/bipolar/heart/psychiatric meds|
anxiety/depression/adhd/hiv/bipolar medication|psychiatric medication|lithium tablets/carbonate"""
TAKES = """takes|take|taking|took|on|prescribed|injects|injecting|uses|using|started|starts|restarted|stopped|needs|
back on|put on|came off|coming off|weaned off|weaning off|switched to|switching to|hooked on|addicted to|dose of|
relies on|pops|popping|refill of|refills|has been taking|skipped|skips|forgets|forgot|missed"""
CRIMES = """burglary|theft|fraud|assault|shoplifting|arson|manslaughter|murder|robbery|embezzlement|forgery|perjury|
drink-driving|drunk-driving|dui|dwi|dealing|trafficking|stalking|vandalism|smuggling|possession|bribery|extortion|
kidnapping|rape|stealing|looting|rioting|harassment|joyriding|blackmail|laundering|larceny|poaching|homicide|treason|
terrorism|cannabis|cocaine|heroin|gbh|abh|tax evasion/fraud|drink/drunk driving|driving drunk|car theft|
money laundering|drug dealing/possession/trafficking|armed robbery|domestic violence|selling drugs/weed/cannabis|
benefit fraud|insurance fraud|identity theft|handling stolen goods"""
PUNISHED = """convicted|arrested|jailed|imprisoned|sentenced|cautioned|did time|served|prison|jail|locked up|guilty|
conviction|convictions|caution|charged|behind bars|indicted|acquitted|
did six/eighteen/two/three/four/five/ten/twelve/nine/a|put away|sent down|banged up|years|months|probation|fined|
on trial|done for|picked up|spent two/three/four/five"""
ORGANISATION_NAMES = """sinn féin|sinn fein|snp|plaid cymru|dup|sdlp|ukip|reform uk|brexit party|lib dems|
liberal democrats|the tories|fidesz|syriza|podemos|psoe|vox|ciudadanos|bjp|anc|likud|hamas|hezbollah|pkk|akp|chp|hdp|
smer|pis|fpö|spö|övp|svp|die linke|front national|rassemblement national|le pen|fratelli d'italia|forza italia|
lega nord|five star movement|movimento 5 stelle|sverigedemokraterna|sweden democrats|danish people's party|
workers' party|momentum|antifa|proud boys|oath keepers|ku klux klan|kkk|nra|extinction rebellion|just stop oil|
black lives matter|blm|tea party|dsa|democratic socialists|afd|spd|cdu|csu|fdp|gmb|unison|usdaw|rmt|aslef|nasuwt|neu|
ucu|teamsters|seiu|afl-cio|uaw|afscme|ig metall|ver.di|verdi|cgt|cfdt|cgil|ugt|ccoo|solidarność|solidarnosc|
fellesforbundet|kommunal|nautilus|tgwu|unite the union|knights of columbus|opus dei|freemasons|church of scientology|
falun gong|hare krishnas|nation of islam|muslim brotherhood|salvation army|orange order|the labour party|labour party|
conservative party|communist party|republican party|democratic party|green party|socialist party|
communist/socialist/young youth league|unite|social/christian/liberal/free/young/new democrats|
the greens/conservatives/democrats/republicans/liberals/communists/tories"""
FAMILIES = """family|household|background|upbringing|community|faith|congregation|people|tribe|parents|descent|
heritage|origin|stock|minority|diaspora|clan|nation|home"""

STARTERS = (
    ATTRIBUTES, PLAIN_ATTRIBUTES, CONDITIONS, FACTS, LABELLED, ORGANISATIONS, ROOTS, POLITICS, MEDICINES, CRIMES,
    ORGANISATION_NAMES, "diagnosed|diagnosis",
)  # fmt: skip

KINDS = (
    ("F", FACTS), ("g", "diagnosed with|diagnosis of|tested positive for"), ("K", ATTRIBUTES),
    ("k", PLAIN_ATTRIBUTES), ("X", CONDITIONS), ("m", MEDICINES),
    ("l", LABELLED), ("W", ORGANISATION_NAMES), ("B", IS_OF_A_KIND),
    ("j", BELONGS), ("V", VOTES), ("H", HAS), ("r", ROOTS),
    ("O", POLITICS), ("U", ORGANISATIONS), ("s", NO_ORGANISATIONS),
    ("d", ATTRIBUTE_ADVERBS), ("R", PRONOUNS), ("R", PEOPLE), ("T", TODAY),
    ("&", "and|but"), ("a", FAMILIES), ("f", AFTER_ATTRIBUTE), ("n", NO_VALUE),
    ("t", TAKES), ("v", PUNISHED), ("c", CRIMES),
)  # fmt: skip
