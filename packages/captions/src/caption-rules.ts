import { widthOf } from './spoken-text.ts';

/** How captions are set, as broadcasters and streaming services ask for. */
export const CAPTION_RULES = {
  lineWidth: 42,
  lines: 2,
  leastMs: 1_000,
  mostMs: 7_000,
  /** Characters that viewers read in a second. */
  charactersPerSecond: 17,
} as const;

const SENTENCE_END = /[.!?…。！？؟।۔]["'”’»)\]」』]*$/u;
const CLAUSE_END = /[,;:—–،؛、，；：]["'”’»)\]」』]*$/u;

/** Words that begin a phrase, in the languages that are spoken most in videos. */
const CONJUNCTIONS = new Set(
  [
    'and but or so because that which who when where while if then than although though until unless since as with',
    'und aber oder weil dass denn wenn als obwohl sondern damit bis der die das mit',
    'et mais ou donc car parce que qui quand lorsque si où pour avec',
    'y pero o porque que quien cuando si donde aunque para con',
    'e ma perché che chi quando se dove mentre per con',
    'mas porque quem quando onde embora com',
    'en maar of omdat dat wie wanneer als waar terwijl want',
    'и но или что который когда если где потому чтобы',
  ].flatMap((words) => words.split(' ')),
);

/** Whether a word ends a sentence. */
export function endsSentence(word: string): boolean {
  return SENTENCE_END.test(word.trimEnd());
}

/**
 * How bad it is to end a cue or a line after `word`, 0 to 20: nothing after sentences and long pauses, little after
 * commas and before conjunctions. Pure.
 */
export function breakCost(word: string, next: string, pauseMs: number): number {
  if (endsSentence(word) || pauseMs >= 700) return 0;
  if (CLAUSE_END.test(word.trimEnd())) return 4;
  if (pauseMs >= 300) return 6;
  return CONJUNCTIONS.has(next.trim().toLowerCase()) ? 8 : 20;
}

/**
 * Where to break words into two lines, as an index of words; 0 for a single line. Null if they do not fit. Lines of
 * equal width and breaks at phrases are preferred. Pure.
 */
export function lineBreak(words: readonly string[]): number | null {
  const { lineWidth } = CAPTION_RULES;
  const whole = widthOf(words.join('').trim());
  if (whole <= lineWidth) return 0;
  if (whole > CAPTION_RULES.lines * lineWidth + 1) return null;
  let best: { readonly at: number; readonly cost: number } | null = null;
  for (let at = 1; at < words.length; at += 1) {
    const upper = widthOf(words.slice(0, at).join('').trim());
    const lower = widthOf(words.slice(at).join('').trim());
    if (upper > lineWidth || lower > lineWidth) continue;
    const cost = breakCost(words[at - 1] ?? '', words[at] ?? '', 0) + Math.abs(upper - lower) / 2;
    if (best === null || cost < best.cost) best = { at, cost };
  }
  return best?.at ?? null;
}
