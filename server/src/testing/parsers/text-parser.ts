import { filledWith } from './shapes.ts';

/** A function that reads texts of users, wherever they come from: arguments, headers, addresses, files. */
export interface TextParser {
  /** The function, ready to read a text. Loaded when it is called for, so that a counter sees all of its modules. */
  readonly load: () => Promise<(text: string) => unknown>;
  /** Characters that reach it at most, where that is fewer than the tests take. */
  readonly most?: number;
  /** Shapes that only this syntax has, besides those that all parsers get. */
  readonly shapes?: Readonly<Record<string, (length: number) => string>>;
}

/** The argument in errors. */
export const FIELD = 'input.text';

/** Shapes that repeat a text, by name. */
export const filled = (units: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(units).map(([name, unit]) => [name, filledWith(unit)]));

/** Single characters of a syntax. */
export const characters = (text: string) => filled(Object.fromEntries([...text].map((one) => [one, one])));
