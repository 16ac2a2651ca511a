"""Draw the map of the harbour: `documents/harbour-map.png`."""

import struct
import zlib
from pathlib import Path

import numpy as np

FOLDER = Path(__file__).parent
WIDTH, HEIGHT = 720, 480
SCALE = 3  # a dot of a letter is three pixels wide

PALETTE = {
    "water": (172, 205, 226),
    "land": (243, 237, 221),
    "road": (255, 255, 255),
    "house": (208, 198, 182),
    "roof": (84, 140, 92),
    "ink": (38, 44, 56),
    "way": (198, 52, 44),
    "rail": (122, 122, 134),
}
COLOURS = tuple(PALETTE)

# Five rows of three dots, a row in an octal digit.
LETTERS = {
    "A": "25755", "B": "65656", "C": "34443", "D": "65556", "E": "74647", "F": "74644", "G": "34553", "H": "55755", "I": "72227",
    "K": "55655", "L": "44447", "M": "57755", "N": "65555", "O": "25552", "P": "65644", "Q": "75571", "R": "65655", "S": "34216",
    "T": "72222", "U": "55557", "Y": "55222", "0": "25552", "1": "26227", "2": "61247", "4": "55711", " ": "00000",
}  # fmt: skip

Picture = np.ndarray


def box(picture: Picture, colour: str, left: int, top: int, right: int, bottom: int) -> None:
    """Fill a rectangle."""
    picture[top:bottom, left:right] = COLOURS.index(colour)


def write(picture: Picture, words: str, left: int, top: int) -> None:
    """Write words in capitals."""
    for letter in words:
        for row, dots in enumerate(LETTERS[letter]):
            for column in range(3):
                if int(dots, 8) >> (2 - column) & 1:
                    x, y = left + column * SCALE, top + row * SCALE
                    box(picture, "ink", x, y, x + SCALE, y + SCALE)
        left += 4 * SCALE


def dashes(picture: Picture, begin: tuple[int, int], end: tuple[int, int]) -> None:
    """Draw a dashed way that goes along or up the page."""
    length = max(abs(end[0] - begin[0]), abs(end[1] - begin[1]))
    step = (np.sign(end[0] - begin[0]), np.sign(end[1] - begin[1]))
    for along in range(0, length, 14):
        x, y = begin[0] + step[0] * along, begin[1] + step[1] * along
        box(picture, "way", x - 3, y - 3, x + 4, y + 4)


def draw() -> Picture:
    """Return the map as places in the palette; a pixel is about a metre, north is up."""
    picture = np.zeros((HEIGHT, WIDTH), dtype=np.uint8)
    box(picture, "land", 0, 150, 640, 450)
    box(picture, "water", 470, 250, 640, 340)  # the old basin
    box(picture, "road", 0, 150, 640, 176)  # North Quay
    box(picture, "road", 368, 150, 396, 450)  # Net Street
    box(picture, "house", 130, 40, 160, 150)  # the pier
    for left, top, right, bottom in (
        (20, 220, 110, 290),
        (130, 220, 205, 290),
        (20, 320, 205, 420),
        (410, 246, 455, 430),
        (490, 360, 610, 430),
    ):
        box(picture, "house", left, top, right, bottom)
    box(picture, "roof", 318, 290, 362, 400)  # the fish market
    box(picture, "ink", 326, 112, 334, 150)  # the old crane
    box(picture, "ink", 310, 106, 352, 112)
    for step in range(6):
        box(picture, "rail", 366, 184 + step * 6, 398, 187 + step * 6)  # the Customs Steps
    box(picture, "rail", 0, 172, 303, 175)  # the tram
    box(picture, "rail", 300, 172, 303, 450)
    box(picture, "ink", 374, 424, 390, 464)  # the lighthouse
    box(picture, "way", 370, 414, 394, 424)
    dashes(picture, (145, 100), (145, 161))
    dashes(picture, (145, 161), (382, 161))
    dashes(picture, (382, 161), (382, 345))
    for words, left, top in (
        ("FERRY PIER", 172, 60), ("NORTH QUAY", 172, 128), ("OLD CRANE", 360, 104), ("CUSTOMS STEPS", 410, 186), ("NET STREET", 410, 222),
        ("FISH", 244, 330), ("MARKET", 220, 352), ("TRAM 2", 220, 240), ("OLD BASIN", 500, 288), ("LIGHTHOUSE", 404, 456),
        ("100 M", 612, 24),
    ):  # fmt: skip
        write(picture, words, left, top)
    box(picture, "ink", 594, 48, 694, 52)
    return picture


def png(picture: Picture) -> bytes:
    """Return the picture as a PNG file of 16 colours, two pixels a byte."""

    def chunk(name: bytes, body: bytes) -> bytes:
        return (
            struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))
        )

    lines = (picture[:, ::2] << 4) | picture[:, 1::2]
    body = b"".join(
        b"\0" + line.tobytes() for line in lines
    )  # each line begins with its filter: none
    header = struct.pack(">IIBBBBB", WIDTH, HEIGHT, 4, 3, 0, 0, 0)
    palette = bytes(part for colour in PALETTE.values() for part in colour)
    chunks = [
        chunk(b"IHDR", header),
        chunk(b"PLTE", palette),
        chunk(b"IDAT", zlib.compress(body, 9)),
        chunk(b"IEND", b""),
    ]
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)


def main() -> None:
    """Write the map."""
    (FOLDER / "documents" / "harbour-map.png").write_bytes(png(draw()))


if __name__ == "__main__":
    main()
