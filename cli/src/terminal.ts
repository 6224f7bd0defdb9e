import { stripVTControlCharacters, styleText } from 'node:util';
import type { Environment } from './folders.ts';

type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

/** Where text goes, and what it may look like there. */
export class Terminal {
  readonly #out: NodeJS.WriteStream;
  readonly #isColoured: boolean;

  constructor(out: NodeJS.WriteStream, env: Environment) {
    this.#out = out;
    this.#isColoured = out.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb';
  }

  /** Whether somebody looks at it as it is written. */
  get isLive(): boolean {
    return this.#out.isTTY === true;
  }

  /** Characters of a line; 80 where that is not known. */
  get columns(): number {
    return (this.isLive && this.#out.columns) || 80;
  }

  write(text: string): void {
    this.#out.write(text);
  }

  line(text = ''): void {
    this.#out.write(`${text}\n`);
  }

  /** Colours on a terminal, unless NO_COLOR is set. */
  style(style: Style, text: string): string {
    // Whether this terminal takes colours is known; Node would ask another one.
    return this.#isColoured ? styleText(style, text, { validateStream: false }) : text;
  }

  /** Rows in columns as wide as their widest cell. */
  table(rows: readonly (readonly string[])[]): void {
    const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => width(row[column] ?? ''))));
    for (const row of rows)
      this.line(
        row
          .map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - width(cell)))
          .join('  ')
          .trimEnd(),
      );
  }

  /** Names beside their values; what is null is left out. */
  facts(facts: readonly (readonly [name: string, value: string | number | null])[]): void {
    const known = facts.filter(([, value]) => value !== null && value !== '');
    this.table(known.map(([name, value]) => [this.style('dim', name), String(value)]));
  }
}

const NARROW = /[\p{Mark}\p{Cf}]/u;
const WIDE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\uff01-\uff60]/u;

/** Columns that a text takes on a terminal, colours aside. */
function width(text: string): number {
  return [...stripVTControlCharacters(text)].reduce((sum, character) => sum + widthOf(character), 0);
}

function widthOf(character: string): number {
  if (NARROW.test(character)) return 0;
  return WIDE.test(character) ? 2 : 1;
}

/** The beginning of a text without colours, in at most so many columns. */
export function cut(text: string, columns: number): string {
  let [kept, room] = ['', columns];
  for (const character of text) {
    room -= widthOf(character);
    if (room < 0) break;
    kept += character;
  }
  return kept;
}
