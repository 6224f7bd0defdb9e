import { tagOfRecognized } from './recognizer-languages.ts';
import { isUnspaced, type SpokenText, type Transcript } from './spoken-text.ts';
import { isNotSpeech, objectOf, objectsIn, TranscriptError } from './transcript-error.ts';

/**
 * Reads the answer of an OpenAI-compatible `/audio/transcriptions` with `response_format=verbose_json`. Words, which
 * come without punctuation, get it from the text of the segments; without words, segments are the parts. Pure.
 * @throws TranscriptError for anything else.
 */
export function readVerboseJson(answer: string): Transcript {
  const root = objectOf(parsed(answer), 'the answer');
  const { language, text } = root;
  const segments = partsIn(root['segments'], 'segments', 'text');
  const words = [
    ...partsIn(root['words'], 'words', 'word'),
    // Servers of whisper.cpp and others have them in their segments.
    ...(root['words'] == null
      ? objectsIn(root['segments'] ?? [], 'segments').flatMap((each) => partsIn(each['words'], 'words', 'word'))
      : []),
  ];
  const whole = segments.map((segment) => segment.text).join('') || (typeof text === 'string' ? text : null);
  if (whole === null) throw new TranscriptError('the answer has neither text nor segments');
  if (whole.trim() !== '' && segments.length === 0 && words.length === 0)
    throw new TranscriptError('the answer has no times');
  const spoken = words.length > 0 ? withPunctuation(words, whole) : segments;
  return {
    language: typeof language === 'string' ? tagOfRecognized(language) : null,
    spoken: spoken.filter((each) => !isNotSpeech(each.text)),
  };
}

function parsed(answer: string): unknown {
  try {
    return JSON.parse(answer);
  } catch {
    throw new TranscriptError('the answer is not JSON');
  }
}

function partsIn(value: unknown, what: string, textKey: string): SpokenText[] {
  return objectsIn(value ?? [], what).map(({ start, end, [textKey]: text }) => {
    if (typeof text !== 'string' || !Number.isFinite(start) || !Number.isFinite(end))
      throw new TranscriptError(`one of ${what} has no ${textKey} or times`);
    return { text, startMs: 1000 * (start as number), endMs: 1000 * (end as number) };
  });
}

/** A word is looked for this far behind the one before it. */
const REACH = 60;

/** The words as the text writes them, with what follows each up to the next; as they are where the text differs. */
function withPunctuation(words: readonly SpokenText[], text: string): SpokenText[] {
  const lower = text.toLowerCase();
  const starts: number[] = [];
  let at = 0;
  for (const { text: word } of words) {
    const bare = word.trim().toLowerCase();
    const found = lower.indexOf(bare, at);
    if (found < 0 || found > at + REACH || lower.length !== text.length) return words.map(spaced);
    starts.push(found);
    at = found + bare.length;
  }
  const begins = starts.map((start, index) => (index === 0 ? 0 : wordStart(text, start)));
  return words.map((word, index) => ({ ...word, text: text.slice(begins[index], begins[index + 1] ?? text.length) }));
}

/** Opening quotes and brackets belong to the word after them, and so does the space before them. */
function wordStart(text: string, start: number): number {
  let at = start;
  while (at > 0 && /["'“‘«¿¡([]/u.test(text[at - 1] ?? '')) at -= 1;
  while (at > 0 && text[at - 1] === ' ') at -= 1;
  return at;
}

function spaced(word: SpokenText): SpokenText {
  const bare = word.text.trim();
  return { ...word, text: isUnspaced(bare) ? bare : ` ${bare}` };
}
