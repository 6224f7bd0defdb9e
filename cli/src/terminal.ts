import { stripVTControlCharacters, styleText } from 'node:util';
import type { Environment } from './folders.ts';

type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

/** An output stream and the styles it supports. */
export class Terminal {
  readonly #out: NodeJS.WriteStream;
  readonly #hasColors: boolean;

  constructor(out: NodeJS.WriteStream, env: Environment) {
    this.#out = out;
    this.#hasColors = out.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb';
  }

  /** Whether it is an interactive terminal. */
  get isInteractive(): boolean {
    return this.#out.isTTY === true;
  }

  /** Characters per line; 80 when unknown. */
  get columns(): number {
    return (this.isInteractive && this.#out.columns) || 80;
  }

  write(text: string): void {
    this.#out.write(text);
  }

  line(text = ''): void {
    this.#out.write(`${text}\n`);
  }

  /** Colors on a terminal, unless NO_COLOR is set. */
  style(style: Style, text: string): string {
    // Node would look at standard output, not at this stream.
    return this.#hasColors ? styleText(style, text, { validateStream: false }) : text;
  }

  /** Prints rows in columns as wide as their widest cell. */
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

  /** Prints names beside their values, without those that are null or empty. */
  properties(properties: readonly (readonly [name: string, value: string | number | null])[]): void {
    const known = properties.filter(([, value]) => value !== null && value !== '');
    this.table(known.map(([name, value]) => [this.style('dim', name), String(value)]));
  }
}

const NARROW = /[\p{Mark}\p{Cf}]/u;
const WIDE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\uff01-\uff60]/u;

/** Width of a text on a terminal, without its escape codes. */
function width(text: string): number {
  return [...stripVTControlCharacters(text)].reduce((sum, character) => sum + widthOf(character), 0);
}

function widthOf(character: string): number {
  if (NARROW.test(character)) return 0;
  return WIDE.test(character) ? 2 : 1;
}

/** The start of a text without escape codes, truncated to this width. */
export function truncate(text: string, columns: number): string {
  let [start, left] = ['', columns];
  for (const character of text) {
    left -= widthOf(character);
    if (left < 0) break;
    start += character;
  }
  return start;
}
