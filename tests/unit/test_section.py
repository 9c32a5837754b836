"""The marked section of a file: which markers count, what is put in and taken out, and that all other bytes stay."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from remember_me.clients.section import (
    BEGIN,
    END,
    NOTICE,
    SectionFault,
    find_section,
    section_content,
    with_section,
    without_section,
)

OLD = '<remember-me etag="000000000000">\nIndex:\n</remember-me>\n'
PAIR = f"{BEGIN}\n{OLD}{END}\n"
BLOCK = '<remember-me etag="0123456789ab">\nIndex:\nk7m2pq FACT x\n</remember-me>\n'
CONTENT = section_content(BLOCK)
LOST = "there is other text in the section of remember-me, which would be lost"


def fault(text: str) -> tuple[int, str]:
    with pytest.raises(SectionFault) as caught:
        find_section(text)
    return caught.value.line, caught.value.reason


@pytest.mark.parametrize(
    "text",
    [
        PAIR,
        f"\ufeff{PAIR}",
        PAIR.replace("\n", "\r\n"),
        PAIR.removesuffix("\n"),
        f"{BEGIN}\n{END}\n",
        f"# Rules\n\nBe kind.\n{PAIR}More.\n",
        f"```\n{PAIR}```\n\n{PAIR}",
        f"~~~ text\n```\n{PAIR}~~~\n{PAIR}",
        f"````\n```\n{PAIR}````   \n{PAIR}",
        f"   ```\n{PAIR}  ```\n{PAIR}",
        f"- ```\n  {BEGIN}\n  ```\n\n{PAIR}",
        f"1. ```\n   x\n\nLeft the item.\n{PAIR}",
        f"    ```\n{PAIR}",
        f"    {BEGIN}\n{PAIR}",
        f"<pre>\n```\n</pre>\n{PAIR}",
        f"<div>\n```\n\n{PAIR}",
        f"x <!-- y\n~~~\n-->\n~~~\n{PAIR}",
        f"``` a`b\n{PAIR}",
        f"<!--\n{BEGIN[:-4]}\n-->\n{PAIR}",
        f"<!-- one\n\n```\ntwo -->\n{PAIR}",
        f"It writes `{BEGIN}` and `` {END} ``.\n\n{PAIR}",
        f"An arrow <!-- in words.\n\n{PAIR}",
        f"<!--remember-me:begin-->\n{OLD}<!--  REMEMBER-ME:end -->  \n",
        f"{BEGIN}\n{CONTENT}{END}\n",
        f"{BEGIN}\r\n{BLOCK}{END}\n".replace("\n", "\r\n").replace("\r\r", "\r"),
    ],
)
def test_one_pair_counts(text: str) -> None:
    found = find_section(text)
    assert found is not None
    assert text[found.start : found.inner].strip().lower().startswith("<!--")
    changed, lead = with_section(text, BLOCK)
    new = BLOCK.replace("\n", "\r\n") if "\r\n" in text else BLOCK
    assert (changed, lead) == (f"{text[: found.inner]}{new}{text[found.inner_end :]}", None)
    assert with_section(changed, BLOCK) == (changed, None)
    assert without_section(text, "") == text[: found.start] + text[found.end :]


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        (f"# Rules\n\n{BEGIN}\nold\n\nMine.\n", 3, "the begin marker of remember-me has no end marker"),
        (f"{END}\nMine.\n", 1, "the end marker of remember-me has no begin marker"),
        (f"{END}\nA\n{BEGIN}\nB\n", 1, "the end marker of remember-me stands before its begin marker"),
        (f"{PAIR}C\n{PAIR}", 1, "there are 2 begin and 2 end markers of remember-me instead of one pair"),
        (f"{BEGIN}\n{PAIR}", 1, "there are 2 begin and 1 end markers of remember-me instead of one pair"),
        (f"{PAIR}{END}\n", 1, "there are 1 begin and 2 end markers of remember-me instead of one pair"),
        (f"x\n\n```\n{PAIR}```\nD\n", 4, "the markers of remember-me stand in a code fence or a comment only"),
        (f"~~~\n{PAIR}", 2, "the markers of remember-me stand in a code fence or a comment only"),
        (f"<!--\n{BEGIN[:-4]}\n-->\nD\n", 2, "the markers of remember-me stand in a code fence or a comment only"),
        (f"{BEGIN}\n```\n{END}\n```\n", 1, "the begin marker of remember-me has no end marker"),
        (f"> {BEGIN}\n> {END}\n", 1, "a marker of remember-me stands there among other words"),
        (f"{BEGIN} {END}\n", 1, "a marker of remember-me stands there among other words"),
        (f"x\n    {BEGIN}\n{PAIR}", 2, "a marker of remember-me stands there among other words"),
        (f"x {BEGIN}\nold\n{END}\n", 1, "a marker of remember-me stands there among other words"),
        (f"{BEGIN}\n{CONTENT}Mine.\n{END}\n", 1, LOST),
        (f"x\n{BEGIN}\nMine.\n{END}\n", 2, LOST),
    ],
)
def test_anything_else_is_left_alone(text: str, line: int, reason: str) -> None:
    assert fault(text) == (line, reason)
    for change in (lambda: with_section(text, CONTENT), lambda: without_section(text, None)):
        with pytest.raises(SectionFault):
            change()


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("x\n```\nnever closed\n", 2, "a code fence begins there and is never closed"),
        ("x\n~~~~\n~~~\n", 2, "a code fence begins there and is never closed"),
        ("<!-- closed -->\n\n<!-- never closed\n\ny\n", 3, "a comment or other HTML begins there and is never closed"),
        ("<pre>\n\ny\n", 1, "a comment or other HTML begins there and is never closed"),
    ],
)
def test_nothing_is_put_behind_what_would_take_it_in(text: str, line: int, reason: str) -> None:
    assert find_section(text) is None
    with pytest.raises(SectionFault) as caught:
        with_section(text, CONTENT)
    assert (caught.value.line, caught.value.reason) == (line, reason)


@pytest.mark.parametrize(
    ("text", "lead", "ends"),
    [
        ("", "", "\n"),
        ("\ufeff", "", "\n"),
        ("\n", "", "\n"),
        ("Mine.\n", "\n", "\n"),
        ("Mine.\n\n", "", "\n"),
        ("Mine.\n \t\n", "", "\n"),
        ("Mine.", "\n\n", ""),
        ("A\r\nMine.\r\n", "\r\n", "\r\n"),
        ("A\r\nMine.", "\r\n\r\n", ""),
        ("A\r\nB\nC\nMine.\n", "\n", "\n"),
        ("Mine.\r", "\n\n", ""),
        ("\udcff\udcfe\n", "\n", "\n"),
        ("```\nx\n```", "\n\n", ""),
        ("- a\n  - ```\n    x\n    ```\n", "\n", "\n"),
    ],
)
def test_a_section_is_put_behind_and_taken_out_again(text: str, lead: str, ends: str) -> None:
    newline = "\r\n" if "\r\n" in lead else "\n"
    changed, put = with_section(text, CONTENT)
    body = f"{BEGIN}\n{CONTENT}{END}".replace("\n", newline)
    assert (changed, put) == (f"{text}{lead}{body}{ends}", lead)
    assert with_section(changed, CONTENT) == (changed, None)
    assert without_section(changed, put) == text
    other, _ = with_section(changed, "")
    assert without_section(other, put) == text


@pytest.mark.parametrize("text", ["", "Mine.\n", "Mine.", "A\r\nMine.\r\n", "A\r\nMine."])
def test_without_a_record_the_same_is_taken_out(text: str) -> None:
    assert without_section(with_section(text, CONTENT)[0], None) == text


def test_what_a_person_put_around_it_stays() -> None:
    changed, lead = with_section("Mine.", CONTENT)
    assert without_section(f"{changed}\nMore.\n", lead) == "Mine.\n\nMore.\n"
    assert without_section(f"{changed}\nMore.\n", None) == "Mine.\n\nMore.\n"
    assert without_section(changed.replace("Mine.", "Mine, too.\n"), lead) == "Mine, too.\n"
    assert without_section("Mine.\n", None) == "Mine.\n"


def test_stored_text_opens_and_closes_nothing() -> None:
    stored = (
        f"k7m2pq FACT {END} <!-- @~/.ssh/id_rsa (@x) ada@example.org\n"
        f"    {END}\n    ```\n    <!--\n\n    ~~~\n    @import\n"
    )
    content = section_content(BLOCK.replace("k7m2pq FACT x\n", stored))
    assert content == (
        f'{NOTICE}\n<remember-me etag="0123456789ab">\nIndex:\n'
        "k7m2pq FACT \\x3c!-- remember-me:end --> \\x3c!-- \\x40~/.ssh/id_rsa (\\x40x) ada@example.org\n"
        "    \\x3c!-- remember-me:end -->\n    ```\n    \\x3c!--\n\n    ~~~\n    \\x40import\n</remember-me>\n\n"
    )
    changed, lead = with_section("Mine.\n", content)
    assert with_section(changed, content) == (changed, None)
    assert without_section(changed, lead) == "Mine.\n"
    assert section_content("") == ""


PIECES = st.sampled_from(
    [
        BEGIN, END, f"  {BEGIN}", f"> {END}", f"`{BEGIN}`", "```", "~~~", "````", "  ```", "    ```", "\t```", "``` x",
        "- ```", "  ~~~", "1. ~~~~", "> ```", "<!--", "-->", "<!-- x -->", "x <!-- y", "<!-->", "text", "  text", "",
        "", "- item", "# head", "---", "<div>", "<pre>", "    code",
    ]
)  # fmt: skip
DOCUMENTS = st.tuples(st.lists(PIECES, max_size=14), st.sampled_from(["\n", "\r\n"]), st.booleans()).map(
    lambda parts: parts[1].join(parts[0]) + (parts[1] if parts[2] else "")
)


@given(DOCUMENTS, st.sampled_from(["", CONTENT]))
def test_put_in_and_taken_out_gives_the_same_bytes(text: str, content: str) -> None:
    try:
        found = find_section(text)
        changed, lead = with_section(text, content)
    except SectionFault:
        return
    if found is None:
        assert changed.startswith(text)
        assert lead is not None
        assert without_section(changed, lead) == text
    else:
        assert changed.startswith(text[: found.inner])
        assert changed.endswith(text[found.inner_end :])
    assert with_section(changed, content) == (changed, None)


@given(DOCUMENTS)
def test_a_section_hides_nothing_that_follows_it(text: str) -> None:
    """What a person writes behind the section is to Markdown what it would be without it."""
    section, _ = with_section("", CONTENT)
    whole = MarkdownIt("commonmark").parse(section + text)
    alone = MarkdownIt("commonmark").parse(text)
    assert [(token.type, token.content) for token in whole][len(whole) - len(alone) :] == [
        (token.type, token.content) for token in alone
    ]
