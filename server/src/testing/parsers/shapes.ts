/** What texts of strangers are made of to keep a parser busy, by name; each has about `length` UTF-16 units. */
export const SHAPES: Readonly<Record<string, (length: number) => string>> = {
  newlines: filledWith('\n'),
  spaces: filledWith(' '),
  'one long word': filledWith('a'),
  brackets: filledWith('['),
  quotes: filledWith('"'),
  'less-than signs': filledWith('<'),
  'emoji with joiners': filledWith('👩‍👩‍👧‍👦'),
  'alternating direction': filledWith('aא'),
};

/** The unit as often as it fits, at least once. */
export function filledWith(unit: string): (length: number) => string {
  return (length) => unit.repeat(Math.max(1, Math.floor(length / unit.length)));
}
