"""Training pairs: a picture, and the smaller one that the network gets, clean or as x264 leaves it."""

import glob
import os
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from draw import drawn_picture
from PIL import Image, ImageFilter

QUALITIES = tuple(range(18, 33, 2))
FILMS = ("bbb_2500ms.ts", "rotate-buck-bunny.mp4", "big_buck_bunny_0_30.webm", "bbb_480p_30s.mp4")
DRAWN = 24
PAN_FRAMES = 12


@dataclass
class Pair:
    """Luma of a picture and of its input, each uint8 [height, width], the picture of twice the size."""

    small: np.ndarray
    large: np.ndarray
    kind: str
    bicubic_error: float = 0.0


def even(picture: Image.Image) -> Image.Image:
    """Cropped so that the smaller picture has even sides too, as yuv420p needs."""
    return picture.crop((0, 0, picture.width // 4 * 4, picture.height // 4 * 4))


def reduced(picture: Image.Image, factor: float) -> Image.Image:
    size = (max(8, round(picture.width / factor)), max(8, round(picture.height / factor)))
    return picture.resize(size, Image.Resampling.BICUBIC)


def luma(picture: Image.Image) -> np.ndarray:
    return np.asarray(picture.convert("L"))


def photographs(folder: Path, scales: tuple) -> list:
    """The pictures of the folder in RGB, also reduced by each of `scales`, which makes their details finer."""
    found = sorted(glob.glob(str(folder / "*.png")))
    if not found:
        raise SystemExit(f"No pictures in {folder}")
    whole = [Image.open(name).convert("RGB") for name in found]
    return [even(picture if scale == 1 else reduced(picture, scale)) for picture in whole for scale in scales]


def film_frames(path: Path, count: int, height: int) -> list:
    """Frames in a row from the middle of a film, in RGB, reduced to `height`."""
    command = ["ffmpeg", "-v", "error", "-noautorotate", "-i", str(path), "-vf", f"scale=-4:{height}:flags=bicubic"]
    command += ["-f", "rawvideo", "-pix_fmt", "rgb24", "-"]
    entries = ["-select_streams", "v:0", "-show_entries", "stream=width,height", "-of", "csv=p=0"]
    probed = subprocess.run(["ffprobe", "-v", "error", *entries, str(path)], check=True, capture_output=True, text=True)
    sides = probed.stdout.split()[0].split(",")
    width = round(int(sides[0]) * height / int(sides[1]) / 4) * 4
    raw = subprocess.run(command, check=True, capture_output=True).stdout
    frames = np.frombuffer(raw, np.uint8).reshape(-1, height, width, 3)
    first = (len(frames) - count) // 2 if len(frames) > count else 0
    return [Image.fromarray(frame) for frame in frames[first : first + count]]


def through_x264(frames: list, crf: int, preset: str, full_range: bool) -> list:
    """Luma of the frames after encoding as one film. Luma of limited range, if that is encoded, is spread again."""
    width, height = frames[0].size
    pixels = b"".join(np.asarray(frame).tobytes() for frame in frames)
    depth = "yuvj420p" if full_range else "yuv420p"
    raw = ["-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{width}x{height}", "-r", "25", "-i", "-"]
    with tempfile.TemporaryDirectory() as folder:
        film = f"{folder}/film.mkv"
        encode = ["-pix_fmt", depth, "-c:v", "libx264", "-preset", preset, "-crf", str(crf), "-threads", "1", film]
        subprocess.run(["ffmpeg", "-v", "error", *raw, *encode], check=True, input=pixels)
        decode = ["-vf", "extractplanes=y", "-f", "rawvideo", "-pix_fmt", "gray", "-"]
        run = subprocess.run(["ffmpeg", "-v", "error", "-i", film, *decode], check=True, capture_output=True)
    decoded = np.frombuffer(run.stdout, np.uint8).reshape(len(frames), height, width)
    return [frame if full_range else spread(frame) for frame in decoded]


def spread(frame: np.ndarray) -> np.ndarray:
    return np.clip((frame.astype(np.float32) - 16) * (255 / 219) + 0.5, 0, 255).astype(np.uint8)


def clean_pairs(pictures: Path, films: Path) -> list:
    pairs = []

    def add(picture: Image.Image, kind: str) -> None:
        large = luma(picture)
        pairs.append(Pair(np.asarray(reduced(Image.fromarray(large), 2)), large, kind))

    for picture in photographs(pictures, (1, 1.5, 2)):
        add(picture, "photograph")
    for name in FILMS[:2]:
        for frame in film_frames(films / name, 48, 540)[::6]:
            add(frame, "film")
    for seed in range(DRAWN):
        add(drawn_picture(seed), "drawn")
    return pairs


def soften(picture: Image.Image, rng: np.random.Generator) -> Image.Image:
    """An original without fine detail: out of focus, or enlarged before from a smaller one."""
    if rng.random() < 0.5:
        return picture.filter(ImageFilter.GaussianBlur(rng.uniform(0.8, 2.2)))
    return reduced(picture, rng.uniform(1.5, 2.5)).resize(picture.size, Image.Resampling.BICUBIC)


def pan(picture: Image.Image, rng: np.random.Generator) -> list:
    """A crop that moves over the picture by whole pixels."""
    width, height = min(640, picture.width // 4 * 4), min(384, picture.height // 4 * 4)
    step = rng.integers(-4, 5, 2)
    room = np.array([picture.width - width, picture.height - height])
    step = np.where(np.abs(step) * PAN_FRAMES > room, 0, step)
    reach = step * (PAN_FRAMES - 1)
    start = np.array([rng.integers(max(0, -r), m - max(0, r) + 1) for r, m in zip(reach, room)])
    corners = [start + step * frame for frame in range(PAN_FRAMES)]
    return [picture.crop((x, y, x + width, y + height)) for x, y in corners]


def compressed_pairs(pictures: Path, films: Path, seed: int) -> list:
    rng = np.random.default_rng([seed, 1])
    pairs = []

    def add(frames: list, kind: str, crf: int, keep: slice = slice(None)) -> None:
        preset = ("veryfast", "medium")[rng.integers(2)]
        small = through_x264([reduced(frame, 2) for frame in frames], crf, preset, bool(rng.integers(2)))
        chosen = list(zip(small, frames))[keep]
        pairs.extend(Pair(less, luma(more), kind) for less, more in chosen)

    for picture in photographs(pictures, (1, 2)):
        for crf in QUALITIES:
            add([picture], "photograph", crf)
        for crf in rng.choice(QUALITIES, 4, replace=False):
            add(pan(picture, rng), "photograph", int(crf), slice(1, None, 3))
        add([soften(picture, rng)], "soft", int(rng.choice(QUALITIES)))
        add(pan(soften(picture, rng), rng), "soft", int(rng.choice(QUALITIES)), slice(1, None, 5))
    for name, height in zip(FILMS, (720, 720, 720, 480)):
        frames = film_frames(films / name, 48, height)
        for crf in QUALITIES:
            add(frames[:24] if crf % 4 else frames[-24:], "film", crf, slice(2, None, 7))
    for number in range(DRAWN):
        drawn = drawn_picture(number)
        for crf in rng.choice(QUALITIES, 2, replace=False):
            add([drawn], "drawn", int(crf))
    return pairs


def load_pairs(variant: str, pictures: Path, films: Path, seed: int, cache: Path) -> list:
    """The pairs of a variant, made once and kept in the folder `cache`."""
    cache.mkdir(parents=True, exist_ok=True)
    kept = cache / f"{variant}-{seed}.npz"
    if not kept.exists():
        pairs = clean_pairs(pictures, films) if variant == "clean" else compressed_pairs(pictures, films, seed)
        arrays = {}
        for at, pair in enumerate(pairs):
            arrays[f"{at}-{pair.kind}-small"], arrays[f"{at}-{pair.kind}-large"] = pair.small, pair.large
        partial = cache / f"{variant}-{seed}.partial.npz"
        np.savez(partial, **arrays)
        os.replace(partial, kept)
    arrays = np.load(kept)
    pairs = [
        Pair(arrays[name], arrays[name.replace("small", "large")], name.split("-")[1])
        for name in arrays.files
        if name.endswith("small")
    ]
    for pair in pairs:
        bicubic = Image.fromarray(pair.small).resize(pair.large.shape[::-1], Image.Resampling.BICUBIC)
        difference = np.asarray(bicubic, np.float32) - pair.large
        pair.bicubic_error = float(np.mean(difference**2)) / 255**2
    return pairs
