/** Speech as a recognizer returns it: a word, or a longer part whose words have no times. */
export interface SpokenText {
  /** Begins with a space where its script separates it from the text before it. */
  readonly text: string;
  readonly startMs: number;
  readonly endMs: number;
}

/** What was said in a part of a video. Times are from its beginning. */
export interface Transcript {
  /** BCP 47, as the recognizer detected it; null if it does not say. */
  readonly language: string | null;
  /** Empty without speech. */
  readonly spoken: readonly SpokenText[];
}

const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff01-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;
const WITHOUT_WIDTH = /[\p{M}\p{Cf}]/u;

/** Characters that a text takes in a line: full-width ones, as in Chinese and Japanese, count as two. */
export function widthOf(text: string): number {
  let width = 0;
  for (const character of text) {
    if (WITHOUT_WIDTH.test(character)) continue;
    width += WIDE.test(character) ? 2 : 1;
  }
  return width;
}

/** Scripts without spaces between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** Whether a text has words that no spaces separate. */
export function isUnspaced(text: string): boolean {
  return UNSPACED.test(text);
}

const wordsIn = new Intl.Segmenter('und', { granularity: 'word' });
const charactersIn = new Intl.Segmenter('und', { granularity: 'grapheme' });

/**
 * The words of a text, each with the space before it and the punctuation after it; none is wider than `most`. Together
 * they are the text. Pure.
 */
export function dividedText(text: string, most: number): string[] {
  const words: string[] = [];
  // Each part begins with the spaces before its word; those after the last word belong to it.
  for (const part of text.split(/(?<=\S)(?=\s)/u)) {
    const last = words.length - 1;
    if (last >= 0 && part.trim() === '') words[last] += part;
    else words.push(...(isUnspaced(part) ? unspacedWords(part) : [part]));
  }
  return words.flatMap((word) => (widthOf(word.trim()) > most ? chopped(word, most) : [word]));
}

function unspacedWords(text: string): string[] {
  const words: string[] = [];
  for (const { segment, isWordLike } of wordsIn.segment(text)) {
    const last = words.length - 1;
    // Punctuation and spaces belong to the word before them.
    if (!isWordLike && last >= 0) words[last] += segment;
    else words.push(segment);
  }
  return words;
}

function chopped(word: string, most: number): string[] {
  const parts: string[] = [];
  for (const { segment } of charactersIn.segment(word)) {
    const last = parts.length - 1;
    if (last >= 0 && widthOf(`${parts[last]}${segment}`.trim()) <= most) parts[last] += segment;
    else parts.push(segment);
  }
  return parts;
}
