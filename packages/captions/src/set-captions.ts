import { CAPTION_RULES, lineBreak } from './caption-rules.ts';
import { groupWords, readingMs } from './group-words.ts';
import { dividedText, type SpokenText, widthOf } from './spoken-text.ts';
import type { Cue } from './web-vtt.ts';

/** A cue that would be too short begins up to this long before its first word. */
const EARLIER_MS = 1_000;
/** Nobody speaks faster. */
const LEAST_CHARACTER_MS = 20;

/**
 * Sets speech as captions by CAPTION_RULES: plain text in one or two lines, with breaks at phrases. Cues stay into the
 * pause after them as long as reading takes; only speech that is faster than people read, without pauses, is shown
 * faster. Words whose times overlap or go back get times in their order. Pure.
 */
export function setCaptions(spoken: readonly SpokenText[], durationMs: number): Cue[] {
  const inside = spoken.filter(({ startMs }) => startMs < durationMs);
  const words = inOrder(inside.flatMap(wordsOf), durationMs);
  return timed(
    groupWords(words).map(([from, to]) => words.slice(from, to)),
    durationMs,
  );
}

/** The words of a longer part, each with a share of its time by its width. */
function wordsOf({ text, startMs, endMs }: SpokenText): SpokenText[] {
  const words = dividedText(text.replace(/\s+/gu, ' ').replace(/ $/, ''), CAPTION_RULES.lineWidth).filter(
    (word) => widthOf(word.trim()) > 0,
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

/** The cues, each shown as long as it is spoken and read, and until the next one begins at most. */
function timed(groups: readonly (readonly SpokenText[])[], durationMs: number): Cue[] {
  let shownUntilMs = 0;
  return groups.flatMap((words, index) => {
    const [first, last] = [words[0], words.at(-1)];
    if (!first || !last) return [];
    const nextMs = groups[index + 1]?.[0]?.startMs ?? durationMs;
    const wanted = Math.max(
      last.endMs,
      first.startMs + Math.max(CAPTION_RULES.leastMs, readingMs(widthOf(joined(words).trim()))),
    );
    const endMs = Math.round(Math.min(wanted, nextMs, first.startMs + CAPTION_RULES.mostMs));
    const earliest = Math.max(shownUntilMs, first.startMs - EARLIER_MS);
    const startMs = Math.round(Math.min(first.startMs, Math.max(earliest, endMs - CAPTION_RULES.leastMs)));
    if (endMs <= startMs) return [];
    shownUntilMs = endMs;
    return [{ startMs, endMs, text: inLines(words.map(({ text }) => text)) }];
  });
}

function joined(words: readonly SpokenText[]): string {
  return words.map(({ text }) => text).join('');
}

function inLines(words: readonly string[]): string {
  const at = lineBreak(words) ?? 0;
  const lines = at === 0 ? [words] : [words.slice(0, at), words.slice(at)];
  return lines.map((line) => line.join('').trim()).join('\n');
}
