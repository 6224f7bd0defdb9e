/** A frame rate as a fraction of integers: 30000/1001 is not 29.97. */
export interface Fraction {
  readonly num: number;
  readonly den: number;
}

/** `30000/1001`, `25/1` or `64:45`; null for anything else, zero and the undefined `0/0`. */
export function parseFraction(text: string | undefined): Fraction | null {
  const match = /^(\d+)[/:](\d+)$/.exec(text ?? '');
  if (match === null) return null;
  const [num, den] = [Number(match[1]), Number(match[2])];
  return num > 0 && den > 0 && Number.isSafeInteger(num) && Number.isSafeInteger(den) ? reduced(num, den) : null;
}

/** `30000/1001`; whole numbers keep their denominator, `25/1`. */
export function formatFraction(fraction: Fraction): string {
  return `${fraction.num}/${fraction.den}`;
}

export function toNumber(fraction: Fraction): number {
  return fraction.num / fraction.den;
}

/** The same value in lowest terms. */
export function reduced(num: number, den: number): Fraction {
  let [a, b] = [num, den];
  while (b !== 0) [a, b] = [b, a % b];
  return { num: num / a, den: den / a };
}
