"""The words that a title may leave out, put in or put otherwise without saying more than its quote (DESIGN section 5).

Whatever stands in no list here must be the same in both, in the same order. So a word that is missing from a list costs
a review card, and a word that is wrong in one costs trust: none belongs here that limits, weakens or turns a statement.
"""

from __future__ import annotations

from typing import NamedTuple

from remember_me.policy.exclusion_keys import phrases


class Language(NamedTuple):
    """`free` words count on neither side; `own` ones are the user; `soft` ones may be left out of a title, not put in.

    `negations`: word -> NOT or NEVER. `forms`: word -> the word that it is a form of. `starters` begin a clause behind
    a comma. `endings` are those of a verb's forms beside the English ones.
    """

    free: frozenset[str]
    own: frozenset[str]
    soft: frozenset[str]
    negations: dict[str, str]
    forms: dict[str, str]
    starters: frozenset[str]
    endings: tuple[str, ...] = ()


NOT, NEVER, WANT, LIKE = "NOT", "NEVER", "WANT", "like"


def word_set(words: str) -> frozenset[str]:
    """The words of a list, which white space keeps apart."""
    return frozenset(words.split())


def _forms(groups: str) -> dict[str, str]:
    listed = [group.split() for group in groups.replace("\n", " ").split("|")]
    return {form: group[0] for group in listed for form in group}


ENGLISH = Language(
    free=word_set("a an the am is are be being do does and that in on of to then"),
    own=word_set("i me my mine myself we us our ours ourselves"),
    soft=word_set("""please pls plz thanks thank btw fyi so because use uses using at as either"""),
    negations={"not": NOT, "no": NOT, "never": NEVER},
    forms=_forms("WANT want wants wanting|like likes|have has"),
    starters=word_set(
        """i we my our us so but because and please not no never don't dont do use keep write give just when if for
        unless except only which he she they it you like e.g then although though however while since thanks can could
        would will should let's than also i'm im i've i'd i'll we're we've we'd it's that's"""
    ),
)
GERMAN = Language(
    free=word_set(
        """der die das den dem des ein eine einen einem einer eines und ist bin sind dass zu zum zur im in an am auf
        auch dann"""
    ),
    own=word_set("ich mich mir mein meine meinen meinem meiner wir uns unser unsere unseren unserem"),
    soft=word_set("bitte danke übrigens also weil denn"),
    negations=dict.fromkeys(["nicht", "kein", "keine", "keinen", "keinem", "keiner", "keines"], NOT)
    | dict.fromkeys(["nie", "niemals"], NEVER),
    forms=_forms(
        """essen esse isst|haben habe hat|nehmen nehme nimmt|lesen lese liest|sprechen spreche spricht|fahren fahre
        fährt|tragen trage trägt|schlafen schlafe schläft|geben gebe gibt|laufen laufe läuft|sehen sehe sieht|
        treffen treffe trifft|vergessen vergesse vergisst|helfen helfe hilft|wissen weiß|heißen heiße heißt"""
    ),
    starters=word_set(
        """ich wir mein meine unser unsere und aber weil denn bitte nicht kein keine nie also nur wenn falls außer"""
    ),
    endings=("en", "et", "st", "e", "t"),
)
FRENCH = Language(
    free=word_set("le la les l un une des de d du et est suis sont à au aux en"),
    own=word_set("je j me m mon ma mes moi nous notre nos s son sa ses"),
    soft=word_set("svp stp ne n merci donc parce alors"),
    negations=dict.fromkeys(["pas", "aucun", "aucune", "non"], NOT) | {"jamais": NEVER},
    forms=_forms(
        """avoir ai a|aller vais va|faire fais fait|vouloir veux veut|pouvoir peux peut|devoir dois doit|savoir
        sais sait|vivre vis vit|prendre prends prend|venir viens vient|boire bois boit|lire lis lit|écrire écris
        écrit|mettre mets met|connaître connais connaît|dormir dors dort|courir cours court"""
    ),
    starters=word_set("je j nous mon ma mes notre et mais car donc parce si sauf quand s pas ne jamais merci"),
)
INTENSIFIERS = word_set(
    """very really always definitely absolutely totally also immer sehr wirklich toujours vraiment très aussi"""
)
"""A title may leave these out, but not behind a "not", where they weaken."""
OPENERS = word_set(
    """hey hi hello ok okay well yeah yes personally actually simply remember note claude codex gemini chatgpt assistant
    hallo ja mal doch bonjour"""
)
"""A title may leave these out where a clause begins with them."""
LANGUAGES = (ENGLISH, GERMAN, FRENCH)

NUMBERS = {
    word: str(number)
    for number, word in enumerate(phrases("zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"))
    if number != 1
}
"""Without `one`, which is a pronoun as well."""

PAST = _forms(
    """was were been|go went gone|buy bought|take took taken|make made|see saw seen|come came|know knew known|
    think thought|give gave given|find found|tell told|become became|leave left|feel felt|bring brought|begin
    began begun|keep kept|hold held|write wrote written|stand stood|hear heard|mean meant|meet met|run ran|
    pay paid|sit sat|speak spoke spoken|lead led|grow grew grown|lose lost|fall fell fallen|send sent|build
    built|understand understood|draw drew drawn|break broke broken|spend spent|rise rose risen|drive drove
    driven|wear wore worn|choose chose chosen|eat ate eaten|sing sang sung|swim swam swum|win won|teach taught|
    catch caught|fight fought|sell sold|seek sought|sleep slept|fly flew flown|throw threw thrown|forget forgot
    forgotten|have had|do did done|get got gotten|say said|say says"""
)
"""Irregular past forms, and after each base; what is past must stay so."""

CONTRACTIONS = {
    "can't": "can not",
    "cannot": "can not",
    "cant": "can not",
    "won't": "will not",
    "wont": "will not",
    "dont": "do not",
    "doesnt": "does not",
    "didnt": "did not",
    "isnt": "is not",
    "arent": "are not",
    "shouldnt": "should not",
    "im": "i am",
    "ive": "i have",
    "i'd": "i would",
    "we'd": "we would",
    "let's": "",
    "lets": "",
    "dislike": "not like",
    "dislikes": "not likes",
}
IS_AFTER = word_set("it he she that what there here who where how")
"""After these `'s` is "is"; after a noun it is dropped, as `is` is."""
ENDINGS = {"m": "am", "re": "are", "ve": "have", "ll": "will", "d": "would"}

PHRASES = {
    tuple(phrase.split()): key
    for key, listed in {
        "": "by the way|for the record|from now on|going forward|in future|in the future|as you know|to be honest"
        "|for me|for the user|keep in mind|bear in mind|make sure|remember that|note that|i want you to|i need you to"
        "|i would like you to|in everything you write|no matter what|you should|you must|you need to|at all|as a rule"
        "|every single time",
        "WANT": "would like|would likes",
        "usedto": "used to|use to",
        "prefer": "would prefer",
        "NEVER": "not ever|not do ever|never ever",
        "have": "have got|has got",
        "haveto": "have to|has to|have got to|has got to|got to",
        "aboutto": "about to",
        "born": "was born",
        "call": "you can call|can call",
    }.items()
    for phrase in listed.split("|")
}
"""Rows of words that stand for one key; with an empty one they count on neither side."""

CONNECTIVES = word_set("but so because although though however whereas aber weil denn mais parce donc")
JOINING = word_set("and und et")
ARTICLES = word_set("a an one single ein eine einen un une")
BEING = word_set("am is are be being bin ist sind est suis sont")
USER = word_set("user users nutzer benutzer utilisateur")
"""Words for the user in a title; in a quote they are somebody else."""
SPEAKING = word_set("i we ich wir je j nous")
SOFT_VERBS = word_set("use uses using have")
LEADING = word_set("use write keep make put have")
"""A request may lose these in a title when it begins with them."""
MODAL = word_set("can could may might must shall should will would cannot have was were had did WANT usedto")
ADVERBS = word_set(
    """NOT NEVER only usually often sometimes mostly normally rarely generally still already mainly typically just"""
)
"""What may stand between I and its verb."""
PLACES = word_set("answers replies responses messages output")
"""Behind "your" these are everything that an agent writes, and no limit."""
STATIVE = word_set("prefer like love hate want need find think know WANT")
"""Verbs that a title may have without an s though the user spoke of himself: they read as no order."""

LIMITS = word_set(
    """if when whenever unless except until till while during before after once only today tonight tomorrow
    now currently but though although however not never no without this these those that it them there here maybe
    perhaps probably sometimes mean wait sorry rather otherwise instead yet still wenn falls aber nur heute jetzt außer
    say says said tell tells told ask asks asked think thinks thought write writes wrote claim claims claimed
    believe believes according guess doubt hear heard read suppose hope wish sagt sagte meint glaube dit
    disait pense si mais sauf
    seulement aujourd'hui nie nicht kein pas jamais ne n"""
)
"""A clause with one of these may limit the one beside it, and is not left out."""
DROPPABLE = word_set(
    """need i we my our so because please thanks can could would will like e.g let's ich wir mein je j mon merci"""
)
"""So may a clause begin that has nothing to do with the one beside it."""
ADVERBIAL = word_set("for in on at during with under when if while after before until unless once")
MAIN = word_set("use keep write never always please give ask put answer reply need don't dont i we")

ASKED_LIMITS = word_set("only except unless but not never no if when")
"""Such words in a question behind a statement may limit that."""
OBJECT_VERBS = word_set("have use need WANT eat drink")
"""They have no car: they do not have one."""

QUESTION_WORDS = word_set(
    """what why how who where which whose should could can would will do does did is are am may shall"""
)
ASKED = word_set("i we you he she they it the this that my your our there anyone someone")
OTHERS = word_set("he she they his her their who someone everyone")
TAGS = word_set("right no ok okay yes correct huh eh or yeah oder non")

HYPOTHETICAL = """imagine|pretend|suppose|supposing|hypothetically|what if|let's say|let s say|
as if|say i were|
say i was|assume|assuming|i wish|act as|role play|roleplay|in a story|in the story|angenommen|
stell dir vor|imagine que|supposons|if i were|were i|imagine i|for the sake of argument|in theory"""
RETRACTED = """just kidding|kidding|jk|never mind|nevermind|nvm|scratch that|not really|take that back|forget that|
forget it|strike that|ignore that|psych|i was joking|joking|just a joke|irony|sarcasm|s a joke|yeah right|as if|
wait no|no wait|actually no|or rather|on second thought|correction|oh wait|not lol|spaß|nur spaß|je plaisante|
oh great|oh sure|as if that|lol|haha"""
SARCASTIC = ("/s", "🙃", "🙄", "😂", "🤡", "😏", "😜", "😉", ";)", "(not)", "[sarcasm]")
LEAD_INS = word_set(
    """remember note notes btw fyi ps also rule rules important reminder preference preferences fact facts goal goals
    context about me my our us i am background please one thing things this that and another last first setup stack
    details house style general more thanks just here is are some s the a few of to know for
    you record quick p.s hi hello hey"""
)
BOUND_STRONG = word_set("but only except unless however though although or until aber nur mais sauf otherwise")
BOUND_SHORT = word_set(
    """not just for in on at when if while sometimes mostly usually maybe probably today tonight tomorrow during after
    before and well actually wait sort kind depends at least this these as with within heute wenn quand pour"""
)
SHORT_SENTENCE = 5
