import { tagOfRecognized } from './recognizer-languages.ts';
import { isUnspaced, type SpokenText, type Transcript } from './spoken-text.ts';
import { isNotSpeech, objectOf, objectsIn, TranscriptError } from './transcript-error.ts';

/**
 * Reads what `whisper-cli --output-json-full` of whisper.cpp writes: segments of tokens with times in milliseconds.
 * Tokens become words; a segment whose tokens have no times is one part. Pure.
 *
 * A token may be a part of a character, and whisper.cpp writes its bytes as they are, so the file is not UTF-8 before
 * tokens are joined.
 * @throws TranscriptError for anything else.
 */
export function readWhisperJson(file: Buffer): Transcript {
  const root = objectOf(parsed(file.toString('latin1')), 'the result');
  const { language } = objectOf(root['result'], 'result');
  const segments = objectsIn(root['transcription'], 'transcription');
  return {
    language: typeof language === 'string' ? tagOfRecognized(language) : null,
    spoken: segments.flatMap(segmentWords),
  };
}

function parsed(text: string): unknown {
  try {
    // Control characters in tokens are not escaped. Those from 0x80 are bytes of UTF-8.
    return JSON.parse(text.replace(/[^\P{Cc}\x80-\x9f]/gu, ' '));
  } catch {
    throw new TranscriptError('the result is not JSON');
  }
}

interface Token {
  /** Bytes as characters. */
  text: string;
  startMs: number;
  endMs: number;
}

function segmentWords(segment: Readonly<Record<string, unknown>>): SpokenText[] {
  const whole = partOf(segment);
  if (whole === null) throw new TranscriptError('a segment has no text or times');
  const text = decoded(whole.text);
  if (isNotSpeech(text)) return [];
  const tokens = objectsIn(segment['tokens'] ?? [], 'tokens').filter(({ text: token }) => !isSpecial(token));
  const timed = tokens.map(partOf);
  if (tokens.length === 0 || timed.includes(null)) return [{ ...whole, text }];
  return wordsOf(timed.filter((token) => token !== null));
}

/** `[_BEG_]`, `[_TT_120]` and `<|endoftext|>`. */
function isSpecial(text: unknown): boolean {
  return typeof text === 'string' && /^(\[_|<\|)/.test(text);
}

function partOf({ text, offsets }: Readonly<Record<string, unknown>>): Token | null {
  if (typeof text !== 'string' || typeof offsets !== 'object' || offsets === null) return null;
  const { from, to } = offsets as Readonly<Record<string, unknown>>;
  if (!Number.isFinite(from) || !Number.isFinite(to)) return null;
  return { text, startMs: from as number, endMs: to as number };
}

/** Tokens joined to words: one begins with a space, or where a character of a script without spaces ends. */
function wordsOf(tokens: readonly Token[]): SpokenText[] {
  const words: Token[] = [];
  for (const token of tokens) {
    const last = words.at(-1);
    if (last && !beginsWord(last.text, token.text)) {
      last.text += token.text;
      last.endMs = Math.max(last.endMs, token.endMs);
    } else words.push({ ...token });
  }
  return words
    .map(({ text, startMs, endMs }) => ({ text: decoded(text), startMs, endMs }))
    .filter(({ text }) => text.trim() !== '');
}

function beginsWord(before: string, token: string): boolean {
  if (token.startsWith(' ')) return true;
  const [known, next] = [decoded(before), decoded(token)];
  return !known.includes('\ufffd') && isUnspaced(known) && (isUnspaced(next) || next.startsWith('\ufffd'));
}

function decoded(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
