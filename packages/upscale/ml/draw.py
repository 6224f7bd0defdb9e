"""Pictures that screen recordings and titles need: text, lines and gradients, drawn with anti-aliasing."""

import glob

import numpy as np
from PIL import Image, ImageDraw, ImageFont

WORDS = (
    "Subscribe Settings Chapter 12:45 File Edit View const while (i < 10) { return; } 1080p 4K $1,299.00 "
    "The quick brown fox jumps over the lazy dog Łódź Ünïcode naïve façade AaBbGgQq 0123456789 #@&%"
).split()


def fonts() -> list:
    """Fonts under free licences, as Debian's fonts-dejavu and fonts-liberation install them."""
    found = sorted(glob.glob("/usr/share/fonts/truetype/dejavu/*.ttf"))
    found += sorted(glob.glob("/usr/share/fonts/truetype/liberation*/*.ttf"))
    if not found:
        raise SystemExit("No fonts: apt-get install fonts-dejavu fonts-liberation")
    return found


def shade(rng: np.random.Generator) -> tuple:
    return tuple(int(value) for value in rng.integers(0, 256, 3))


def contrast(rng: np.random.Generator) -> tuple:
    """A background and a colour that can be read on it."""
    while True:
        pair = shade(rng), shade(rng)
        if abs(sum(pair[0]) - sum(pair[1])) > 200:
            return pair


def gradient(rng: np.random.Generator, width: int, height: int) -> Image.Image:
    first, second = (np.array(shade(rng), np.float32) for _ in range(2))
    angle = rng.uniform(0, 2 * np.pi)
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    along = np.cos(angle) * x / width + np.sin(angle) * y / height
    along = (along - along.min()) / np.ptp(along)
    return Image.fromarray((first + (second - first) * along[..., None]).round().astype(np.uint8))


def write_text(rng: np.random.Generator, picture: Image.Image, names: list, colour: tuple, scale: int) -> None:
    pen = ImageDraw.Draw(picture)
    y = 0
    while y < picture.height:
        size = int(rng.choice([10, 12, 13, 14, 16, 20, 26, 36, 60])) * scale
        font = ImageFont.truetype(names[rng.integers(len(names))], size)
        text = " ".join(rng.choice(WORDS, 24))
        pen.text((int(rng.integers(-size, size)), y), text, font=font, fill=colour)
        y += int(size * rng.uniform(1.15, 1.8))


def draw_lines(rng: np.random.Generator, picture: Image.Image, scale: int) -> None:
    pen = ImageDraw.Draw(picture)
    for _ in range(int(rng.integers(20, 60))):
        points = [(rng.uniform(0, picture.width), rng.uniform(0, picture.height)) for _ in range(2)]
        colour, width = shade(rng), int(rng.integers(1, 5)) * scale
        kind = rng.integers(4)
        (left, top), (right, bottom) = points
        box = [min(left, right), min(top, bottom), max(left, right), max(top, bottom)]
        if kind == 0:
            pen.line(points, fill=colour, width=width)
        elif kind == 1:
            pen.ellipse(box, outline=colour, width=width)
        elif kind == 2:
            pen.rectangle(box, outline=colour, width=width)
        else:
            centre = (left + rng.uniform(-90, 90) * scale, top + rng.uniform(-90, 90) * scale)
            corner = (left + rng.uniform(-90, 90) * scale, top + rng.uniform(-90, 90) * scale)
            pen.polygon([(left, top), centre, corner], fill=colour)


def drawn_picture(seed: int, width: int = 768, height: int = 512) -> Image.Image:
    """A picture in RGB: the same for the same seed and the same fonts."""
    rng = np.random.default_rng([seed, 7])
    names = fonts()
    scale = int(rng.choice([1, 2, 3]))  # Text of a scale of 1 has the hinting of the font's own rasterizer.
    background, colour = contrast(rng)
    size = (width * scale, height * scale)
    kind = seed % 4
    picture = gradient(rng, *size) if kind in (1, 3) else Image.new("RGB", size, background)
    if kind in (0, 1):
        write_text(rng, picture, names, colour, scale)
    else:
        draw_lines(rng, picture, scale)
        if kind == 3:
            band = Image.new("RGB", (size[0], size[1] // 3), background)
            write_text(rng, band, names, colour, scale)
            picture.paste(band, (0, size[1] // 3))
    return picture.resize((width, height), Image.Resampling.BICUBIC, reducing_gap=None) if scale > 1 else picture
