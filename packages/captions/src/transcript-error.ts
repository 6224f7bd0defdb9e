/** What a recognizer returned is not what its documentation describes. */
export class TranscriptError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'TranscriptError';
  }
}

/** More than anybody says in ten minutes. */
const MOST_PARTS = 50_000;

/** `value` as a list of objects. @throws TranscriptError naming it as `what`. */
export function objectsIn(value: unknown, what: string): Readonly<Record<string, unknown>>[] {
  if (!Array.isArray(value) || value.length > MOST_PARTS) throw new TranscriptError(`${what} is not a list`);
  return value.map((each) => objectOf(each, what));
}

/** `value` as an object. @throws TranscriptError naming it as `what`. */
export function objectOf(value: unknown, what: string): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new TranscriptError(`${what} is not an object`);
  return value as Readonly<Record<string, unknown>>;
}

/** Sound, silence or music between the words: `[BLANK_AUDIO]`, `(applause)`, `♪♪`. */
const REMARKS = [/^\[[^\]]*\]$/u, /^\([^)]*\)$/u, /^\*[^*]*\*$/u, /^[♪♫\s.…-]*$/u];

/** Whether a part of a transcript is a remark of the recognizer. */
export function isNotSpeech(text: string): boolean {
  const bare = text.trim();
  return REMARKS.some((remark) => remark.test(bare));
}
