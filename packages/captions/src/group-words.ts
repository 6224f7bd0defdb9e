import { breakCost, CAPTION_RULES, endsSentence } from './caption-rules.ts';
import { type SpokenText, widthOf } from './spoken-text.ts';

/** A cue never lasts over a longer pause than this. */
const LONGEST_PAUSE_MS = 2_000;
const CUE_COST = 7;
/** Of the end of a sentence with the beginning of the next one. */
const FRAGMENT_COST = 14;
/** Cues that are less wide cost more the narrower they are. */
const NARROW = 20;

/** A word, measured once. */
interface Word {
  readonly startMs: number;
  readonly endMs: number;
  /** Of all words before it. */
  readonly before: number;
  readonly width: number;
  /** Of the spaces before and after its characters. */
  readonly lead: number;
  readonly trail: number;
  readonly endsSentence: boolean;
  /** Of ending a cue after it. */
  readonly breakCost: number;
}

/**
 * The cheapest division of words into cues, as ranges of words: dynamic programming over the words after which one may
 * end. Pure.
 */
export function groupWords(spoken: readonly SpokenText[]): [from: number, to: number][] {
  const words = measured(spoken);
  const best: { readonly cost: number; readonly from: number }[] = [{ cost: 0, from: 0 }];
  for (let to = 1; to <= words.length; to += 1) {
    let found = { cost: Number.POSITIVE_INFINITY, from: to - 1 };
    let hasInnerEnd = false;
    for (let from = to - 1; from >= 0; from -= 1) {
      const isPossible = from === to - 1 || fits(words, from, to);
      if (!isPossible) break;
      if (from < to - 1 && words[from]?.endsSentence) hasInnerEnd = true;
      const total = (best[from]?.cost ?? 0) + cueCost(words, from, to, hasInnerEnd);
      if (total < found.cost) found = { cost: total, from };
    }
    best.push(found);
  }
  const ranges: [number, number][] = [];
  for (let to = words.length; to > 0; to = best[to]?.from ?? 0) ranges.push([best[to]?.from ?? 0, to]);
  return ranges.reverse();
}

function measured(spoken: readonly SpokenText[]): Word[] {
  let before = 0;
  return spoken.map(({ text, startMs, endMs }, index) => {
    const next = spoken[index + 1];
    const pauseMs = next ? next.startMs - endMs : Number.POSITIVE_INFINITY;
    const width = widthOf(text);
    const word: Word = {
      ...{ startMs, endMs, before, width, lead: width - widthOf(text.trimStart()) },
      ...{ trail: width - widthOf(text.trimEnd()), endsSentence: endsSentence(text) },
      breakCost: breakCost(text, next?.text ?? '', pauseMs),
    };
    before += width;
    return word;
  });
}

/** Of a line of the words from `from` up to `to`. */
function lineWidth(words: readonly Word[], from: number, to: number): number {
  const [first, last] = [words[from], words[to - 1]];
  if (!first || !last) return 0;
  return last.before + last.width - last.trail - first.before - first.lead;
}

/** Whether several words make a cue: it is short enough, and so are both lines. If they do not, more do not either. */
function fits(words: readonly Word[], from: number, to: number): boolean {
  const [first, second, last] = [words[from], words[from + 1], words[to - 1]];
  if (!first || !second || !last) return false;
  if (second.startMs - first.endMs > LONGEST_PAUSE_MS || last.endMs - first.startMs > CAPTION_RULES.mostMs)
    return false;
  const most = CAPTION_RULES.lineWidth;
  if (lineWidth(words, from, to) <= most) return true;
  let at = from + 1;
  while (at < to - 1 && lineWidth(words, from, at + 1) <= most) at += 1;
  return lineWidth(words, from, at) <= most && lineWidth(words, at, to) <= most;
}

function cueCost(words: readonly Word[], from: number, to: number, hasInnerEnd: boolean): number {
  const [first, last, next] = [words[from], words[to - 1], words[to]];
  if (!first || !last) return 0;
  const width = lineWidth(words, from, to);
  const untilMs = Math.min(next?.startMs ?? Number.POSITIVE_INFINITY, first.startMs + CAPTION_RULES.mostMs);
  const shownMs = Math.max(1, untilMs - first.startMs);
  const missingMs = Math.max(0, readingMs(width) - shownMs, CAPTION_RULES.leastMs - shownMs);
  return (
    CUE_COST +
    last.breakCost +
    missingMs / 25 +
    Math.max(0, NARROW - width) / 4 +
    (hasInnerEnd && !last.endsSentence ? FRAGMENT_COST : 0)
  );
}

/** How long people read text of this width. Pure. */
export function readingMs(width: number): number {
  return (1000 * width) / CAPTION_RULES.charactersPerSecond;
}
