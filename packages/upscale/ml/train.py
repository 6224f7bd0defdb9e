"""Trains a variant of the upscaler on the CPU: `train.py --variant clean`. The README has the details.

The run is determined by its seed and number of steps: each step draws its patches by a generator of its own, so a run
that was killed and is started again continues from its last checkpoint with the same steps.
"""

import argparse
import csv
import math
import os
import time
from pathlib import Path

import numpy as np
import torch
from network import FACTOR, MARGIN, Upscaler
from pictures import load_pairs

ROOT = Path(__file__).resolve().parents[3]
# Columns and rows of the smaller picture that a patch yields, without the margin.
PATCH = 48
BATCH = 16
# The last rows of each larger photograph: kept from its patches, to see progress.
VALIDATION_ROWS = 128
# Mean squared error below which a picture is considered as good as it gets.
ERROR_FLOOR = 3e-5
# Errors count by their square below two levels of 255, and by their size above: large ones do not dominate a batch.
SMOOTHING = (2 / 255) ** 2
SHARES = {
    "clean": {"photograph": 0.7, "film": 0.1, "drawn": 0.2},
    "compressed": {"photograph": 0.55, "film": 0.15, "soft": 0.15, "drawn": 0.15},
}
SAVE_SECONDS = 60
REPORT_STEPS = 500


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--variant", choices=sorted(SHARES), required=True)
    parser.add_argument("--pictures", type=Path, default=ROOT.parent / "shared/ai/training")
    parser.add_argument("--films", type=Path, default=ROOT.parent / "shared/media")
    parser.add_argument("--work", type=Path, default=ROOT / ".cache/upscaler", help="for pairs and checkpoints")
    parser.add_argument("--log", type=Path, help="CSV; default: logs/VARIANT.csv beside this script")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--steps", type=int, default=6_000)
    parser.add_argument("--rate", type=float, default=2e-3, help="highest learning rate")
    parser.add_argument("--precise", type=float, default=0.4, help="share of the last steps in 32 bits, not bfloat16")
    return parser.parse_args()


class Sampler:
    """Draws patches, each kind of picture by its share and each picture by its area."""

    def __init__(self, pairs: list, variant: str, seed: int):
        self.seed = seed
        self.kinds, self.shares = zip(*SHARES[variant].items())
        self.pairs = {kind: [pair for pair in pairs if pair.kind == kind] for kind in self.kinds}
        self.areas = {}
        for kind, some in self.pairs.items():
            areas = np.array([pair.small.size for pair in some], np.float64)
            self.areas[kind] = areas / areas.sum()

    def batch(self, step: int) -> tuple:
        """Inputs [N, 1, P + 2 MARGIN, P + 2 MARGIN], targets [N, 1, 2 P, 2 P], both 0 to 1, and weights [N]."""
        rng = np.random.default_rng([self.seed, 2, step])
        patches = [self.patch(rng) for _ in range(BATCH)]
        small, large, weights = (np.stack(part) for part in zip(*patches))
        return torch.from_numpy(small)[:, None], torch.from_numpy(large)[:, None], torch.from_numpy(weights)

    def patch(self, rng: np.random.Generator) -> tuple:
        kind = rng.choice(self.kinds, p=self.shares)
        pair = self.pairs[kind][rng.choice(len(self.areas[kind]), p=self.areas[kind])]
        side = PATCH + 2 * MARGIN
        rows = learned_rows(pair)
        y = int(rng.integers(0, rows - side + 1))
        x = int(rng.integers(0, pair.small.shape[1] - side + 1))
        top, left = (y + MARGIN) * FACTOR, (x + MARGIN) * FACTOR
        small = pair.small[y : y + side, x : x + side]
        large = pair.large[top : top + PATCH * FACTOR, left : left + PATCH * FACTOR]
        turns, mirrored = int(rng.integers(4)), bool(rng.integers(2))
        # Luma of limited range is a little flatter.
        low, span = (16 / 255, 219 / 255) if rng.integers(2) else (0.0, 1.0)
        views = [np.rot90(part, turns)[:, :: -1 if mirrored else 1] for part in (small, large)]
        small, large = (view.astype(np.float32) * (span / 255) + low for view in views)
        return small, large, np.float32((pair.bicubic_error + ERROR_FLOOR) ** -0.5 / span)


def learned_rows(pair) -> int:
    rows = pair.small.shape[0]
    return rows - VALIDATION_ROWS // FACTOR if pair.kind == "photograph" else rows


def validation_gain(network: Upscaler, pairs: list) -> float:
    """Mean gain over bicubic in decibels, on the last rows of the photographs."""
    gains = []
    for pair in [pair for pair in pairs if pair.kind == "photograph"][::3]:
        small = pair.small[-VALIDATION_ROWS // FACTOR :].astype(np.float32) / 255
        large = pair.large[-VALIDATION_ROWS:].astype(np.float32) / 255
        given = torch.from_numpy(np.pad(small, MARGIN, mode="edge"))[None, None]
        with torch.no_grad():
            ours = network(given)[0, 0].clamp(0, 1).numpy()
            bicubic = network.bicubic(given)[0, 0].clamp(0, 1).numpy()
        gains.append(10 * math.log10(np.mean((bicubic - large) ** 2) / np.mean((ours - large) ** 2)))
    return float(np.mean(gains))


def rate_at(step: int, steps: int, highest: float) -> float:
    """Rises for the first 500 steps, then falls along a cosine to a hundredth."""
    if step < 500:
        return highest * (step + 1) / 500
    return highest * (0.01 + 0.99 * 0.5 * (1 + math.cos(math.pi * (step - 500) / max(1, steps - 500))))


class Run:
    """A training run with all that a checkpoint has."""

    def __init__(self, options: argparse.Namespace):
        torch.manual_seed(options.seed)
        self.network = Upscaler()
        self.average = Upscaler()
        self.average.load_state_dict(self.network.state_dict())
        self.optimizer = torch.optim.Adam(self.network.parameters(), betas=(0.9, 0.99))
        self.step = 0
        self.seconds = 0.0
        self.path = options.work / f"{options.variant}-{options.seed}-{options.steps}.pt"
        if self.path.exists():
            kept = torch.load(self.path)
            self.network.load_state_dict(kept["network"])
            self.average.load_state_dict(kept["average"])
            self.optimizer.load_state_dict(kept["optimizer"])
            self.step, self.seconds = kept["step"], kept["seconds"]

    def save(self) -> None:
        parts = {name: getattr(self, name).state_dict() for name in ("network", "average", "optimizer")}
        partial = self.path.with_suffix(".partial")
        torch.save({**parts, "step": self.step, "seconds": self.seconds}, partial)
        os.replace(partial, self.path)

    def learn(self, sampler: Sampler, rate: float, dtype: torch.dtype) -> float:
        """One step; returns the error relative to bicubic's."""
        small, large, weights = sampler.batch(self.step)
        small = small.to(memory_format=torch.channels_last)
        errors = ((self.network(small, dtype) - large).square() + SMOOTHING).sqrt().mean((1, 2, 3))
        loss = (errors * weights).mean()
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        self.optimizer.step()
        self.step += 1
        decay = min(0.999, self.step / (self.step + 10))
        with torch.no_grad():
            for kept, new in zip(self.average.parameters(), self.network.parameters()):
                kept.lerp_(new, 1 - decay)
        return loss.item()


def keep_log(log: Path, step: int) -> None:
    """Begins the log, or removes what was reported after the checkpoint that a run continues from."""
    rows = list(csv.reader(log.open(newline=""))) if step > 0 and log.exists() else []
    with log.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["step", "minutes", "relative_error", "validation_gain_db"])
        writer.writerows(row for row in rows[1:] if int(row[0]) <= step)


def main() -> None:
    options = arguments()
    # A second thread waits more than it works; train both variants at the same time instead.
    torch.set_num_threads(1)
    log = options.log or Path(__file__).resolve().parent / f"logs/{options.variant}.csv"
    log.parent.mkdir(parents=True, exist_ok=True)
    pairs = load_pairs(options.variant, options.pictures, options.films, options.seed, options.work)
    sampler = Sampler(pairs, options.variant, options.seed)
    run = Run(options)
    keep_log(log, run.step)
    losses, saved_at, last = [], time.monotonic(), time.monotonic()
    while run.step < options.steps:
        precise = run.step >= options.steps * (1 - options.precise)
        dtype = torch.float32 if precise else torch.bfloat16
        losses.append(run.learn(sampler, rate_at(run.step, options.steps, options.rate), dtype))
        now = time.monotonic()
        run.seconds, last = run.seconds + now - last, now
        if run.step % REPORT_STEPS == 0 or run.step == options.steps:
            gain = validation_gain(run.average, pairs)
            with log.open("a", newline="") as file:
                csv.writer(file, lineterminator="\n").writerow(
                    [run.step, f"{run.seconds / 60:.1f}", f"{np.mean(losses):.4f}", f"{gain:.3f}"]
                )
            losses = []
        if now - saved_at > SAVE_SECONDS or run.step == options.steps:
            run.save()
            saved_at = now


if __name__ == "__main__":
    main()
