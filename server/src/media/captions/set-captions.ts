import type { Cue } from '../subtitles/web-vtt.ts';
import { breakCost, CAPTION_RULES, endsSentence, lineBreak } from './caption-rules.ts';
import { dividedText, type SpokenText, widthOf } from './spoken-text.ts';

/** A cue never lasts over a longer pause than this. */
const LONGEST_PAUSE_MS = 2_000;
/** A cue that would be too short begins up to this long before its first word. */
const EARLIER_MS = 1_000;
/** Nobody speaks faster. */
const LEAST_CHARACTER_MS = 20;
/** More words than fit into any cue. */
const MOST_WORDS = 84;

/**
 * Sets speech as captions by CAPTION_RULES: plain text in one or two lines, with breaks at phrases. Cues stay into the
 * pause after them as long as reading takes; only speech that is faster than people read, without pauses, is shown
 * faster. Words whose times overlap or go back get times in their order. Pure.
 */
export function setCaptions(spoken: readonly SpokenText[], durationMs: number): Cue[] {
  const inside = spoken.filter(({ startMs }) => startMs < durationMs);
  const words = inOrder(inside.flatMap(wordsOf), durationMs);
  return timed(
    grouped(words).map(([from, to]) => words.slice(from, to)),
    durationMs,
  );
}

/** The words of a longer part, each with a share of its time by its width. */
function wordsOf({ text, startMs, endMs }: SpokenText): SpokenText[] {
  const words = dividedText(text.replace(/\s+/gu, ' ').replace(/ $/, ''), CAPTION_RULES.lineWidth).filter(
    (word) => word.trim() !== '',
  );
  const total = words.reduce((sum, word) => sum + widthOf(word), 0);
  let before = 0;
  const at = () => startMs + ((endMs - startMs) * before) / Math.max(1, total);
  return words.map((word) => {
    const start = at();
    before += widthOf(word);
    return { text: word, startMs: start, endMs: at() };
  });
}

/** No word begins before the one before it was spoken, or ends after the next one begins. */
function inOrder(words: readonly SpokenText[], durationMs: number): SpokenText[] {
  let freeMs = 0;
  const starts = words.map(({ text, startMs }) => {
    const start = Math.min(durationMs, Math.max(freeMs, startMs));
    freeMs = start + LEAST_CHARACTER_MS * widthOf(text);
    return start;
  });
  return words.map(({ text, endMs }, index) => {
    const startMs = starts[index] ?? 0;
    const most = Math.min(starts[index + 1] ?? durationMs, startMs + CAPTION_RULES.mostMs);
    return { text, startMs, endMs: Math.max(startMs, Math.min(endMs, most)) };
  });
}

/** The cheapest division into cues, as ranges of words. */
function grouped(words: readonly SpokenText[]): [from: number, to: number][] {
  const best: { readonly cost: number; readonly from: number }[] = [{ cost: 0, from: 0 }];
  for (let to = 1; to <= words.length; to += 1) {
    let found = { cost: Number.POSITIVE_INFINITY, from: to - 1 };
    for (let from = to - 1; from >= Math.max(0, to - MOST_WORDS); from -= 1) {
      const cost = cueCost(words, from, to);
      if (cost === null) break;
      const total = (best[from]?.cost ?? 0) + cost;
      if (total < found.cost) found = { cost: total, from };
    }
    best.push(found);
  }
  const ranges: [number, number][] = [];
  for (let to = words.length; to > 0; to = best[to]?.from ?? 0) ranges.unshift([best[to]?.from ?? 0, to]);
  return ranges;
}

const CUE_COST = 7;
const FRAGMENT_COST = 14;
/** Cues that are less wide cost more the narrower they are. */
const NARROW = 20;

/** What a cue of these words costs; null if they are too many for one, as all more are. */
function cueCost(words: readonly SpokenText[], from: number, to: number): number | null {
  const cue = words.slice(from, to);
  const [first, last, next] = [cue[0], cue.at(-1), words[to]];
  if (!first || !last) return null;
  const isSingle = cue.length === 1;
  if (!isSingle && (last.endMs - first.startMs > CAPTION_RULES.mostMs || hasLongPause(cue))) return null;
  if (lineBreak(cue.map(({ text }) => text)) === null) return isSingle ? CUE_COST : null;
  const untilMs = Math.min(next?.startMs ?? Number.POSITIVE_INFINITY, first.startMs + CAPTION_RULES.mostMs);
  const shownMs = Math.max(1, untilMs - first.startMs);
  const missingMs = Math.max(0, readingMs(cue) - shownMs, CAPTION_RULES.leastMs - shownMs);
  const innerEnd = cue.slice(0, -1).some(({ text }) => endsSentence(text));
  const pauseMs = next ? next.startMs - last.endMs : Number.POSITIVE_INFINITY;
  return (
    CUE_COST +
    breakCost(last.text, next?.text ?? '', pauseMs) +
    missingMs / 25 +
    Math.max(0, NARROW - widthOf(joined(cue).trim())) / 4 +
    // The end of a sentence with the beginning of the next one.
    (innerEnd && !endsSentence(last.text) ? FRAGMENT_COST : 0)
  );
}

function hasLongPause(cue: readonly SpokenText[]): boolean {
  return cue.some(({ startMs }, index) => index > 0 && startMs - (cue[index - 1]?.endMs ?? 0) > LONGEST_PAUSE_MS);
}

function readingMs(cue: readonly SpokenText[]): number {
  return (1000 * widthOf(joined(cue).trim())) / CAPTION_RULES.charactersPerSecond;
}

function joined(words: readonly SpokenText[]): string {
  return words.map(({ text }) => text).join('');
}

/** The cues, each shown as long as it is spoken and read, and until the next one begins at most. */
function timed(groups: readonly (readonly SpokenText[])[], durationMs: number): Cue[] {
  let shownUntilMs = 0;
  return groups.flatMap((words, index) => {
    const [first, last] = [words[0], words.at(-1)];
    if (!first || !last) return [];
    const nextMs = groups[index + 1]?.[0]?.startMs ?? durationMs;
    const wanted = Math.max(last.endMs, first.startMs + Math.max(CAPTION_RULES.leastMs, readingMs(words)));
    const endMs = Math.round(Math.min(wanted, nextMs, first.startMs + CAPTION_RULES.mostMs));
    const earliest = Math.max(shownUntilMs, first.startMs - EARLIER_MS);
    const startMs = Math.round(Math.min(first.startMs, Math.max(earliest, endMs - CAPTION_RULES.leastMs)));
    if (endMs <= startMs) return [];
    shownUntilMs = endMs;
    return [{ startMs, endMs, text: inLines(words.map(({ text }) => text)) }];
  });
}

function inLines(words: readonly string[]): string {
  const at = lineBreak(words) ?? 0;
  const lines = at === 0 ? [words] : [words.slice(0, at), words.slice(at)];
  return lines.map((line) => line.join('').trim()).join('\n');
}
