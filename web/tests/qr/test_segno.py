"""QR codes module by module against segno, their masks against the standard's rules, and read back by zbar.

    python -m pytest web/tests/qr           each version, in one of its levels; needs node and zbarimg; SEED=… makes other texts
    python -m pytest web/tests/qr --long    each version in each level, and more short texts

segno 1.6.6 deviates from ISO/IEC 18004:2015 in what follows. The tests show each of these, and that nothing else differs.

- `write_padding_bits` appends eight zeroes, not none, to a stream that ends where a codeword does, as one in byte mode
  always does; clause 7.4.10 pads only a stream that does not. So a codeword of zeroes stands in front of the pad
  codewords. Readers do not mind, as it is behind the terminator, but the symbols differ. So they are compared with that
  function mended, and as segno makes them where there is no room for padding.
- `find_and_apply_best_mask` scores symbols in which format, version and dark module are left light ("DO NOT add format /
  version info in advance of evaluation"), but clause 7.8.3.1 has the complete symbol evaluated.
- `mask_scores` finds the pattern of N3 as seven modules, whatever stands beside them. So it also takes widths such as
  2:1:3:1:1, which is not the ratio of table 11; and it goes on behind a pattern that it counted, so that it misses one
  that begins inside, though each occurrence counts.
"""

import json
import os
import random
import re
import subprocess
from collections import Counter
from pathlib import Path

import pytest
import segno
from PIL import Image
from segno import consts, encoder

SEED = int(os.environ.get("SEED", "18004"))
LEVELS = {"L": consts.ERROR_LEVEL_L, "M": consts.ERROR_LEVEL_M, "Q": consts.ERROR_LEVEL_Q, "H": consts.ERROR_LEVEL_H}

# Of each text the code as it comes, then the one with each mask.
PROGRAM = """
    import { readFileSync } from 'node:fs';
    import SCRIPT;
    const print = ({ version, mask, modules }) => console.log(
        [version, mask, ...modules.map(row => row.map(Number).join(''))].join(' '));
    for (const [text, level] of JSON.parse(readFileSync(0, 'utf8'))) {
        for (const mask of [undefined, 0, 1, 2, 3, 4, 5, 6, 7]) print(QRCode.encode(text, { level, mask }));
    }"""


class Code:
    """A text with the version and the mask that it got, and its rows of 0 and 1 with that and with each mask."""

    def __init__(self, text, level, lines):
        self.text, self.level = text, level
        version, mask, *self.rows = lines[0].split(" ")
        self.version, self.mask = int(version), int(mask)
        self.masked = [line.split(" ")[2:] for line in lines[1:]]

    def __str__(self):
        return f"version {self.version}, level {self.level}, mask {self.mask}, {self.text[:60]!r} of SEED={SEED}"


def encode(texts):
    program = PROGRAM.replace("SCRIPT", json.dumps((Path(__file__).parents[2] / "qr-code.js").as_uri()))
    command = ["node", "--input-type=module", "-e", program]
    node = subprocess.run(command, input=json.dumps(texts), stdout=subprocess.PIPE, text=True, check=True)
    lines = node.stdout.splitlines()
    return [Code(*text, lines[9 * i:9 * i + 9]) for i, text in enumerate(texts)]


def in_utf8(text):
    """With U+FFFD for a lone surrogate."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace").encode()


def room(version, level):
    """The bytes that fit: behind four bits of mode and eight or sixteen of count."""
    return (consts.SYMBOL_CAPACITY[version][LEVELS[level]] - (12 if version < 10 else 20)) // 8 if version else -1


def make(code, **options):
    plainly = {"mode": "byte", "encoding": "utf-8", "boost_error": False, "micro": False}
    made = segno.make(in_utf8(code.text), error=code.level, **plainly, **options)
    return made.mask, ["".join(map(str, row)) for row in made.matrix]


LETTERS = [
    "abcdefghijklmnopqrstuvwxyzABCXYZ0123456789-._~:/?#[]@!$&'()*+,;=%",
    "aZ09 éßñøЖдאבجد하이中文字かなカナ한글€™→🎉👩\u200d👧🇩🇪\u0301\ufeff\0\ud800\udfff",
    "".join(map(chr, range(256))),
    "\0", "\xff", "01",
]


def text_of(length, chance):
    letters, text, left = chance.choice(LETTERS), "", length
    while left:
        letter = chance.choice(letters)
        # A surrogate that finds its other half takes another number of bytes with it.
        added = len(in_utf8(text[-1:] + letter)) - len(in_utf8(text[-1:]))
        if added > left:
            letter, added = "x", 1
        text, left = text + letter, left - added
    assert len(in_utf8(text)) == length
    return text


@pytest.fixture(scope="session")
def all_codes(request):
    """Some as full as they get, and others: of each version, or with --long of each size, one somehow filled, and short ones."""
    is_long = request.config.getoption("--long")
    print(f"SEED={SEED}")
    chance = random.Random(SEED)
    levels = list(LEVELS)
    full, filled = ([(version, level) for version in range(1, 41) for level in (levels if is_long else [levels[(version + shift) % 4]])]
                    for shift in (0, 2))
    lengths = [(room(*size), size[1]) for size in full]
    lengths += [(chance.randint(room(version - 1, level) + 1, room(version, level)), level) for version, level in filled]
    lengths += [(length, chance.choice("LMQH")) for length in [0, 1, 2, *(chance.randrange(300) for _ in range(297 if is_long else 77))]]
    codes = encode([(text_of(length, chance), level) for length, level in lengths])
    assert [(code.version, code.level) for code in codes[:len(full + filled)]] == full + filled, f"SEED={SEED}"
    return codes[:len(full)], codes[len(full):]


@pytest.fixture
def full_codes(all_codes):
    return all_codes[0]


@pytest.fixture
def other_codes(all_codes):
    return all_codes[1]


@pytest.fixture
def codes(full_codes, other_codes):
    return full_codes + other_codes


@pytest.fixture
def mended_padding(monkeypatch):
    """segno with zeroes up to the end of a codeword, and none behind."""
    def write_padding_bits(buffer, version, length):
        buffer.extend([0] * (-length % 8))

    monkeypatch.setattr(encoder, "write_padding_bits", write_padding_bits)


def test_every_module_is_as_segno_draws_it(other_codes, mended_padding):
    for code in other_codes:
        assert make(code, version=code.version, mask=code.mask) == (code.mask, code.rows), code


def test_every_module_of_full_codes_is_as_segno_draws_it_unmended(full_codes):
    for code in full_codes:
        assert len(in_utf8(code.text)) == room(code.version, code.level)
        assert make(code, version=code.version, mask=code.mask) == (code.mask, code.rows), code


def test_every_mask_is_as_segno_draws_it(codes, mended_padding):
    for code in [code for code in codes if code.version < 12]:
        for mask in range(8):
            assert make(code, version=code.version, mask=mask) == (mask, code.masked[mask]), code


def test_the_smallest_version_is_the_one_that_segno_takes(codes):
    for code in codes:
        assert encoder.find_version(encoder.prepare_data(in_utf8(code.text), consts.MODE_BYTE, "utf-8"),
                                    LEVELS[code.level], eci=False, micro=False) == code.version, code


@pytest.mark.parametrize("mended", [False, True])
def test_segno_pads_with_a_codeword_of_zeroes(mended, monkeypatch, request):
    if mended:
        request.getfixturevalue("mended_padding")
    seen = []
    make_final_message = encoder.make_final_message

    def see(version, error, buffer):
        seen.extend(buffer.toints())
        return make_final_message(version, error, buffer)

    monkeypatch.setattr(encoder, "make_final_message", see)
    segno.make(b"abc", version=1, error="M", mode="byte", boost_error=False)
    message, padding = [0x40, 0x36, 0x16, 0x26, 0x30], [0xEC, 0x11] * 5 + [0xEC]
    assert seen == message + (padding if mended else [0] + padding[:-1])


def finders(line):
    """How often 1:1:3:1:1, in modules as of a finder, stands in a line with four light modules on a side, or on both."""
    line = f"0000{line}0000"  # the quiet zone
    places = [match.start() + 1 for match in re.finditer("(?=010111010)", line)]
    return sum("0000" in (line[place - 4:place], line[place + 7:place + 11]) for place in places)


def finders_of_segno(line):
    """The same as segno finds it: whatever its ends border on, but not within another one."""
    line = f"0000{line}0000"
    found, place = 0, line.find("1011101")
    while place >= 0:
        counts = "0000" in (line[place - 4:place], line[place + 7:place + 11])
        found += counts
        place = line.find("1011101", place + (7 if counts else 1))
    return found


def penalties(rows, finders):
    """N1 to N4 by clause 7.8.3.1, for one symbol."""
    size = len(rows)
    lines = rows + ["".join(column) for column in zip(*rows)]
    runs = [len(run) for line in lines for run in re.findall("0{5,}|1{5,}", line)]
    squares = 0
    for dark in [rows, [row.translate({48: "1", 49: "0"}) for row in rows]]:
        numbers = [int(row, 2) for row in dark]
        squares += sum((a & b & a >> 1 & b >> 1).bit_count() for a, b in zip(numbers, numbers[1:]))
    dark = sum(row.count("1") for row in rows)
    return (
        sum(3 + run - 5 for run in runs),
        3 * squares,
        40 * sum(map(finders, lines)),
        10 * (abs(20 * dark - 10 * size * size) // (size * size)),
    )


def best_mask(symbols, finders):
    scores = [sum(penalties(rows, finders)) for rows in symbols]
    return scores.index(min(scores))


def unfinished(rows, version):
    """A symbol as segno scores it: format, version and dark module are light."""
    size = len(rows)
    modules = [list(row) for row in rows]
    for i in [0, 1, 2, 3, 4, 5, 7, 8, *range(size - 8, size)]:
        modules[8][i] = modules[i][8] = "0"
    if version > 6:
        for i in range(18):
            modules[i // 3][size - 11 + i % 3] = modules[size - 11 + i % 3][i // 3] = "0"
    return ["".join(row) for row in modules]


def test_the_mask_is_the_one_of_the_lowest_penalty(codes):
    for code in codes:
        assert code.mask == best_mask(code.masked, finders), code
    assert {code.mask for code in codes} == set(range(8))


def test_segno_scores_alike_but_for_its_finders(codes):
    differ = 0
    for code in codes[::4]:
        scores = encoder.mask_scores([bytearray(map(int, row)) for row in code.rows], len(code.rows), len(code.rows))
        assert scores == penalties(code.rows, finders_of_segno), code
        differ += scores != penalties(code.rows, finders)
    assert differ


@pytest.mark.parametrize(["line", "ours", "segnos"], [
    ("0000" "1011101" "0000", 1, 1),
    ("1011101" "01110" "1011101", 2, 2),  # the quiet zone is light
    ("11" "000" "1011101" "000" "11", 0, 0),
    ("11" "0000" "1011101" "1", 0, 1),  # 1:1:3:1:2
    ("1" "1011101" "0000" "11", 0, 1),  # 2:1:3:1:1
    ("11" "0000" "1011101" "011101" "0000" "11", 2, 1),  # two that share a module
])
def test_what_counts_as_a_finder(line, ours, segnos):
    assert (finders(line), finders_of_segno(line)) == (ours, segnos)


def test_segno_chooses_another_mask_for_no_other_reason(other_codes, mended_padding, request):
    codes = other_codes[::2] if request.config.getoption("--long") else [code for code in other_codes if code.version < 12]
    reasons = Counter()
    for code in codes:
        chosen, _ = make(code, version=code.version)
        light = [unfinished(rows, code.version) for rows in code.masked]
        assert chosen == best_mask(light, finders_of_segno), code
        if chosen != code.mask:
            by_light = best_mask(light, finders) == chosen
            by_finders = best_mask(code.masked, finders_of_segno) == chosen
            reasons[{(1, 1): "either", (1, 0): "light", (0, 1): "finders", (0, 0): "both"}[by_light, by_finders]] += 1
    print(f"another mask for {sum(reasons.values())} of {len(codes)} codes: {dict(reasons)}")
    assert {"light", "finders"} <= set(reasons)


def read_back(code, folder, *options):
    """What zbar reads from a picture with four pixels a module and the quiet zone."""
    size = len(code.rows)
    symbol = Image.frombytes("L", (size, size), bytes(0 if module == "1" else 255 for row in code.rows for module in row))
    picture = Image.new("L", (size + 8, size + 8), 255)
    picture.paste(symbol, (4, 4))
    picture.resize((4 * size + 32, 4 * size + 32), Image.Resampling.NEAREST).save(folder / "code.png", compress_level=1)
    zbar = subprocess.run(
        ["zbarimg", "--quiet", "--nodbus", "--raw", "-Sdisable", "-Sqrcode.enable", *options, folder / "code.png"],
        stdout=subprocess.PIPE)
    assert zbar.returncode == 0, f"not readable: {code}"
    return zbar.stdout


def test_every_byte_is_read_back(other_codes, tmp_path):
    for code in other_codes:
        assert read_back(code, tmp_path, "-Sbinary") == in_utf8(code.text), code


# A reader has to guess that it is UTF-8. zbar takes a few accented letters alone, such as "é", for Shift JIS.
@pytest.mark.parametrize("level", LEVELS)
def test_texts_are_read_back(level, tmp_path):
    texts = [
        "https://example.com/?ref=alice&utm_campaign=spring", "", "a", " ", "two\nlines\tand a tab", "x" * 200,
        "é 語 🎉", "语言 中文字", "かなカナ漢字", "한글", "жизнь", "שלום עולם", "🎉", "👩\u200d👩\u200d👧 🇩🇪 €™→", "é語🎉" * 50,
    ]
    for code in encode([(text, level) for text in texts]):
        assert read_back(code, tmp_path).decode() == code.text + "\n", code
