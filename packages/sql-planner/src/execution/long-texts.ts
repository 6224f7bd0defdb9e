/** Texts of more characters than this are read only for callers who may write them. */
export const LONG_TEXT = 16_384;

/** Arguments, and whether a long text was taken out of them. */
export interface ShortArguments {
  /** With an empty text in the place of each long one. */
  readonly args: unknown;
  readonly hasLongTexts: boolean;
}

/** The arguments without their long texts; the same object where there are none. */
export function withoutLongTexts(args: unknown): ShortArguments {
  return hasLongText(args) ? { args: shortened(args), hasLongTexts: true } : { args, hasLongTexts: false };
}

/** Whether there is a long text in a value, at any depth. */
export function hasLongText(value: unknown): boolean {
  if (typeof value === 'string') return value.length > LONG_TEXT;
  return typeof value === 'object' && value !== null && Object.values(value).some(hasLongText);
}

function shortened(value: unknown): unknown {
  if (typeof value === 'string') return value.length > LONG_TEXT ? '' : value;
  if (Array.isArray(value)) return value.map(shortened);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shortened(member)]));
}
