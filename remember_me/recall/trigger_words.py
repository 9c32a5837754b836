"""The words of the trigger match: how a text is split, which words count, and what is a slip of the pen.

A light stemmer, so that names stay apart; two word lists, because a small store cannot tell from its own frequencies
that "file" is common. A hook loads this: neither `re` nor `typing`, which take longer than all that it does.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_STOP_WORDS = """
    a about above actually after again against all almost alone along already also although always am among an and
    another any anybody anyone anything anyway are aren around as at away back basically be because been before
    being below between both but by can cannot could couldn did didn do does doesn doing don done dont down during e
    each eg either else enough etc even ever every everybody everyone everything few for from further g get gets
    getting give given go goes going gone got had hadn has hasn have haven having he hello her here hers herself hey
    hi him himself his honestly how however i ie if im in instead into is isn it its itself just kind let lets like
    ll made make makes making many may maybe me might mine more most much must my myself need needs neither never
    next no nobody none nor not nothing now of off often oh ok okay on once one only onto or other others our ours
    out over own per perhaps please probably quite rather re really right same see seem seems shall she should
    shouldn since so some somebody someone something sometimes soon still such sure take takes taking tell than
    thank thanks that the their theirs them themselves then there these they thing things think this those though
    through thus to together too toward towards ugh um under until up upon us use used uses using ve very via vs
    want wants was wasn way we well were weren what whatever when where whether which while who whoever whole whom
    whose why wich will with within without won would wouldn yes yet you your yours yourself
"""
STOP = frozenset(_STOP_WORDS.split())
"""Words that never count."""

_COMMON_WORDS = """
    able accept access account across action actual add added adding address afraid age ago agree air allow answer
    answers app application apply approach april area argument arguments arrive article ask asked asks august author
    available avoid bad base based basic become began begin behind believe best better big bit black block blog blue
    body book books bottom box boy break bring brother brown browser bug bugs build building built button buy bytes
    call called calls came car card care case cases cat cause cell center centre certain chain change changed
    changes character characters chat check child children choice choose city class classes clean clear click client
    clients close closed cloud code codebase coding cold collect color colour column columns come comes comfortable
    coming command commands comment comments commit common company compare complete component components computer
    config configuration configure confirm connect connection consider console contain contains content context
    continue control convert copy correct cost count country couple course cover create created creating current
    currently customer cut dark data date day days dead deal debug december decide decided decision decisions deep
    default define delete deploy describe description design detail details develop developer development device
    dict dictionary difference different difficult directory disable display doc docs document documentation
    documents dog domain door double draft draw drive drop early easy edit editor effect email empty enable end
    engineer english enter entire entries entry environment error errors evening event events evidence exact exactly
    example examples except execute exist existing exit expect expected experience explain explicit explicitly extra
    eye face fact fail failed fails failure fair fall false family far fast father favorite feature features
    february feel field fields figure file files fill filter final finally find fine finish fire first fit five fix
    fixed flag flow focus folder follow following food force form format forward found four frame free fresh friday
    friend friends front full fun function functions future game general generate girl git global goal goals good
    great green group grow guess hand handle handles handling hang happen happened happens happy hard head health
    hear heard heart heat help helper high higher history hit hold home hope hot hour hours house human hundred idea
    ideas image images implement implementation import important improve include includes index info information
    input inside install instance interest interface internal internet issue issues item items january job join july
    june keep keeps kept key keys kid kill kinds know known language large last late later latest layer lead learn
    learned least leave left length less letter level library life light limit line lines link list listen little
    live load local lock log login logs long longer look looking loop lost lot love low lower lunch machine mail
    main major manage manager march mark match matter mean means meet meeting meetings memory menu merge message
    messages method methods middle mind minute minutes miss mode model models module modules moment monday money
    month months morning mother mouse move music name named names near nearly network new news nice night node
    normal note notes notice november number numbers object objects october offer office old older open option
    options order original output outside package page pages paper parameter parent part parts party pass past paste
    path pattern patterns pay people percent person phone photo pick picture piece place plain plan plans plant play
    player point points policy poor port position possible post power prefer preference preferences prefers present
    press pretty prevent previous price print private problem problems process produce product production program
    project projects proper provide public pull push put query question questions quick quickly quiet ran random
    range rate raw reach react read reader reading reads ready real reason receive recent recipe record red reduce
    refactor reference release remember remind remove rename replace report request requests require required
    response rest result results return returned returns review rewrite road room root round row rows rule rules run
    running runs safe saturday save saw say says scale schedule school science screen script scripts sea search
    second seconds section seen select send sense sentence separate september series serve server service services
    session sessions set sets setting settings setup seven shape shapes share ship short show shows side sign silent
    similar simple simply single sister sit site situation six size skip sleep slow small software solution solve
    song sort sound source space speak special specific speed split stack stage standard start started state status
    stay step steps stop storage store story strategy street string strings strong structure structured style
    subject suggest suggestion summarise summarize summary summer sun sunday support switch system systems table
    tables tag talk target task tasks team ten term terminal test tested testing tests text theme theory third
    thought thousand thread three threw throw thursday ticket time times title today token told tomorrow tool tools
    top topic total touch town track train travel tree true try trying tuesday turn tutorial two type types
    understand unit update updated upgrade upper url user users usual usually valid value values variable variables
    version versions video view visit voice wait walk wall warm warning watch water weather web website wednesday
    week weekend weeks weight went white wide wife wind window winter wish wonder wood word words work worked
    working works world worry worth write writes writing written wrong year years yellow yesterday young zero
"""
COMMON = frozenset(_COMMON_WORDS.split())
"""Words that are common in any prompt: they count little, and alone they trigger nothing."""

SLIP_LETTERS = 5
"""A stored word of so many letters forgives one slip."""
SLIP_HEAD = 2
"""So many first letters must be right."""

_TAILS = frozenset(("s", "m", "re", "ve", "ll", "d", "t"))
_APART = {code: " " for code in range(128) if not chr(code).isalnum() and chr(code) not in "'+#"}
"""ASCII characters between words; of the three others the place tells whether they belong to one."""
_ENDS_SENTENCE = frozenset(".?!…;:")
_WIDE_ENDS = str.maketrans(dict.fromkeys("。？！", "\n"))
_FENCES = ("```", "~~~")
_FENCE_INDENT = 3
_BETWEEN_SENTENCES = 20
_REMEMBERED = 200_000
_VOWELS = frozenset("aeiouy")


class Word:
    """One word of a text, folded, with its term (its stem) and its place; a new sentence leaves a gap of places.

    `shout`: in capitals in a text that is not all capitals, so perhaps an acronym. `named`: it begins with a capital
    inside a sentence, so perhaps a name.
    """

    __slots__ = ("at", "named", "sentence", "shout", "term", "text")

    def __init__(self, text: str, at: int, sentence: int, shout: bool, named: bool) -> None:
        self.text, self.term, self.at, self.sentence = text, term_of(text), at, sentence
        self.shout, self.named = shout, named


def without_quotes(prompt: str) -> str:
    """A prompt without code fences and quoted lines: nobody asks in them."""
    if not ("```" in prompt or "~~~" in prompt or ">" in prompt):
        return prompt
    kept: list[str] = []
    fence = ""
    for line in prompt.split("\n"):
        mark = line.lstrip(" ")
        mark = mark[:3] if len(line) - len(mark) <= _FENCE_INDENT else ""
        if fence:
            fence = "" if mark == fence else fence
        elif mark in _FENCES:
            fence = mark
        elif not line.startswith(">"):
            kept.append(line)
    return "\n".join(kept)


def words_of(text: str) -> list[Word]:
    """The words of a text in order; runs of Chinese, Japanese and Korean as overlapping pairs of characters."""
    found: list[Word] = []
    at = sentence = 0
    shouting, first, ended = text.isupper(), True, False
    for line in _prepared(text).split("\n"):
        for chunk in line.split():
            for word in _words_in(chunk):
                if ended and found:
                    sentence, at, first = sentence + 1, at + _BETWEEN_SENTENCES, True
                ended = False
                for part in _parts(word):
                    shout = part.isupper() and not shouting and len(part) > 1
                    named = not first and not shouting and part[0].isupper()
                    for piece in _pieces(fold(part)):
                        found.append(Word(piece, at, sentence, shout, named))
                        at += 1
                    first = False
            ended = ended or chunk[-1] in _ENDS_SENTENCE
        ended = True
    return found


def _prepared(text: str) -> str:
    """Composed, so that an accent does not part a word, and with a line end for each end of a Japanese sentence."""
    if text.isascii():
        return text
    import unicodedata

    return unicodedata.normalize("NFC", text).translate(_WIDE_ENDS)


def _words_in(chunk: str) -> Iterator[str]:
    """The words of a text without white space: letters and digits, apostrophes inside, and a final ++ or #."""
    for piece in chunk.translate(_APART).split():
        if piece.isalnum():
            yield piece
        else:
            yield from _odd_words(piece)


def _odd_words(piece: str) -> Iterator[str]:
    at, length = 0, len(piece)
    while at < length:
        if not piece[at].isalnum():
            at += 1
            continue
        end = at + 1
        while end < length and (
            piece[end].isalnum() or (piece[end] in "'’" and end + 1 < length and piece[end + 1].isalnum())
        ):
            end += 1
        if piece.startswith("++", end):
            end += 2
        elif piece.startswith("#", end) and not piece[end + 1 : end + 2].isalnum():
            end += 1
        yield piece[at:end]
        at = end


def _parts(word: str) -> list[str]:
    if word.isalnum():
        return [word]
    parts = word.replace("’", "'").split("'")
    return parts[:1] if len(parts) == 2 and parts[1].lower() in _TAILS else parts


def _pieces(folded: str) -> list[str]:
    if folded.isascii() or not any(map(_is_wide, folded)):
        return [folded]
    return [folded[at : at + 2] for at in range(max(1, len(folded) - 1))]


def _is_wide(letter: str) -> bool:
    """Kana, Chinese characters, Hangul: scripts without spaces, or with endings that stick to the word."""
    return "\u3040" <= letter <= "\u30ff" or "\u3400" <= letter <= "\u9fff" or "\uac00" <= letter <= "\ud7af"


def plain_words(text: str) -> list[str]:
    """The folded words of a text in order: those of `words_of`, without their places."""
    if text.isascii() and not ("'" in text or "+" in text or "#" in text):
        return text.lower().translate(_APART).split()
    return [
        piece
        for chunk in _prepared(text).split()
        for word in _words_in(chunk)
        for part in _parts(word)
        for piece in _pieces(fold(part))
    ]


def content(words: Iterable[Word]) -> list[Word]:
    """The words that count: no stop words, no single letters."""
    return [word for word in words if content_term(word.text)]


def fold(text: str) -> str:
    """Case, composition, width and Latin accents are folded; Hangul and kana stay composed."""
    if text.isascii():
        return text.lower()
    import unicodedata

    wide = unicodedata.normalize("NFKD", text.casefold())
    return unicodedata.normalize("NFC", "".join(letter for letter in wide if not "\u0300" <= letter <= "\u036f"))


class _Terms(dict[str, str]):
    """Word -> term, each made once."""

    def __missing__(self, word: str) -> str:
        if len(self) >= _REMEMBERED:
            self.clear()
        term = self[word] = word if word in STOP or word.startswith("=") else _stem(word)
        return term


class _ContentTerms(dict[str, str]):
    """Word -> term, or nothing for a word that does not count."""

    def __missing__(self, word: str) -> str:
        if len(self) >= _REMEMBERED:
            self.clear()
        counts = word not in STOP and (len(word) > 1 or not word.isascii() or word.isdigit())
        term = self[word] = term_of(word) if counts else ""
        return term


term_of = _Terms().__getitem__
"""The term of a folded word; stop words and acronyms (`=DLQ`) stay as they are."""
content_term = _ContentTerms().__getitem__
"""The term of a folded word, empty for a stop word or a single letter."""


def _stem(word: str) -> str:
    """Porter's first step (plural, -ed, -ing) and a final -e."""
    if len(word) < 4 or not word.isalpha() or not word.isascii():
        return word
    word = _past(_plural(word))
    if word.endswith("e") and len(word) > 4:
        word = word[:-1]
    if word.endswith("y") and len(word) > 3 and word[-2] not in "aeiou":
        word = word[:-1] + "i"
    return word


def _plural(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith("es") and word[:-2].endswith(("ss", "sh", "ch", "x", "zz")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and word[-2] not in "sui" else word


def _past(word: str) -> str:
    for tail in ("ing", "ed"):
        root = word.removesuffix(tail)
        if root != word and len(root) >= 3 and not _VOWELS.isdisjoint(root):
            return root[:-1] if root[-1] == root[-2] and root[-1] not in "lsz" else root
    return word


COMMON_TERMS = COMMON | {term_of(word) for word in COMMON}


def forgives_slip(word: str) -> bool:
    """Whether a stored word is recognised with a slip in it."""
    return len(word) >= SLIP_LETTERS and word.isalpha() and word not in STOP


def is_slip(written: str, meant: str) -> bool:
    """Whether `written` is `meant` with one letter changed, left out, added, or swapped with the next one."""
    if written == meant or written[:SLIP_HEAD] != meant[:SLIP_HEAD] or abs(len(written) - len(meant)) > 1:
        return False
    shorter, longer = sorted((written, meant), key=len)
    at = 0
    while at < len(shorter) and shorter[at] == longer[at]:
        at += 1
    if len(shorter) < len(longer):
        return shorter[at:] == longer[at + 1 :]
    swapped = longer[at + 1 : at + 2] + longer[at : at + 1] + longer[at + 2 :]
    return shorter[at + 1 :] == longer[at + 1 :] or shorter[at:] == swapped
