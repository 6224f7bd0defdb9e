import { objectOf, objectsIn, TranscriptError } from './transcript-error.ts';

/** A translation has at most this many times the characters of its source, and this many more. */
const MOST_TIMES = 4;
const MOST_MORE = 80;

/**
 * Reads the answer of an OpenAI-compatible `/chat/completions` that was asked for `{"translations": [...]}`: one for
 * each source, in their order. Pure.
 * @throws TranscriptError for anything else: another number, an empty or a far too long one.
 */
export function readTranslations(answer: string, sources: readonly string[]): string[] {
  const [choice] = objectsIn(objectOf(parsed(answer), 'the answer')['choices'], 'choices');
  const { content } = objectOf(choice?.['message'], 'the message');
  if (typeof content !== 'string') throw new TranscriptError('the message has no text');
  const { translations } = objectOf(parsed(withoutFence(content)), 'the message');
  if (!Array.isArray(translations) || translations.length !== sources.length)
    throw new TranscriptError(`there are not ${sources.length} translations`);
  return sources.map((source, index) => checked(translations[index], source));
}

function checked(translation: unknown, source: string): string {
  if (typeof translation !== 'string') throw new TranscriptError('a translation is not a text');
  const text = translation.replace(/[\p{Cc}\s]+/gu, ' ').trim();
  if (text === '') throw new TranscriptError('a translation is empty');
  if (!text.isWellFormed()) throw new TranscriptError('a translation is not Unicode');
  if (text.length > MOST_TIMES * source.length + MOST_MORE) throw new TranscriptError('a translation is far too long');
  return text;
}

const FENCE = '```';

/** Models put JSON into a block of Markdown where they are not bound to a schema. */
function withoutFence(text: string): string {
  const bare = text.trim();
  if (!bare.startsWith(FENCE) || !bare.endsWith(FENCE) || bare.length < 2 * FENCE.length) return bare;
  return bare.slice(FENCE.length, -FENCE.length).replace(/^json/, '');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new TranscriptError('it is not JSON');
  }
}
