import { stripVTControlCharacters, styleText } from 'node:util';
import type { Environment } from './folders.ts';

type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

/** A row of a list. */
export type ListRow = readonly [id: string, ...cells: string[], text: string];

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

  write(text: string | Uint8Array): void {
    this.#out.write(text);
  }

  line(text = ''): void {
    this.#out.write(`${text}\n`);
  }

  /** Colors on a terminal, unless NO_COLOR is set. */
  style(style: Style, text: string): string {
    // Node would look at standard output, not at this stream.
    return this.#hasColors && text !== '' ? styleText(style, text, { validateStream: false }) : text;
  }

  /** Prints rows in columns as wide as their widest cell. */
  table(rows: readonly (readonly string[])[]): void {
    for (const line of aligned(rows)) this.line(line);
  }

  /**
   * Prints a list: rows of an identifier, short cells and a text, which is the last. On a terminal the text is
   * shortened to the line; where next to nothing of it would be left, identifiers are on lines of their own. `decorate`
   * styles the text of a row.
   */
  list(rows: readonly ListRow[], decorate: (text: string, row: number) => string = (text) => text): void {
    const ids = rows.map(([id]) => id);
    const cells = rows.map((row) => row.slice(1, -1));
    const texts = rows.map((row) => oneLine(row.at(-1) ?? ''));
    const withIds = cells.map((row, index) => [ids[index] ?? '', ...row]);
    const longest = Math.max(0, ...texts.map(width));
    const isOneLine = !this.isInteractive || this.columns - columnsOf(withIds) >= Math.min(longest, LEAST_TEXT);
    const heads = isOneLine ? withIds : cells;
    const left = this.isInteractive ? this.columns - columnsOf(heads) : longest;
    const lines = aligned(heads.map((head, row) => [...head, decorate(shortened(texts[row] ?? '', left), row)]));
    for (const [row, line] of lines.entries()) {
      this.line(line);
      if (!isOneLine) this.line(`  ${this.style('dim', ids[row] ?? '')}`);
    }
  }

  /** Prints a text that somebody wrote, with its line breaks. */
  paragraph(text: string): void {
    for (const line of text.split('\n')) this.line(oneLine(line));
  }

  /** Prints names beside their values, without those that are null or empty. */
  properties(properties: readonly (readonly [name: string, value: string | number | null])[]): void {
    const known = properties.filter(([, value]) => value !== null && value !== '');
    this.table(known.map(([name, value]) => [this.style('dim', name), String(value)]));
  }
}

/** Columns of a text below which it gets a line of its own. */
const LEAST_TEXT = 24;

/** Rows as lines with columns as wide as their widest cell, without columns that are empty. */
function aligned(rows: readonly (readonly string[])[]): string[] {
  const widths = widthsOf(rows);
  return rows.map((row) =>
    row
      .flatMap((cell, column) => (widths[column] ? [cell + ' '.repeat(widths[column] - width(cell))] : []))
      .join('  ')
      .trimEnd(),
  );
}

/** Characters that these columns take, each with the space behind it. */
function columnsOf(rows: readonly (readonly string[])[]): number {
  return widthsOf(rows).reduce((sum, columns) => sum + (columns > 0 ? columns + 2 : 0), 0);
}

/** The widest cell of each column. */
function widthsOf(rows: readonly (readonly string[])[]): number[] {
  return (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => width(row[column] ?? ''))));
}

/** The text, or its start and an ellipsis. */
function shortened(text: string, columns: number): string {
  return width(text) <= columns ? text : `${truncate(text, Math.max(1, columns - 1)).trimEnd()}…`;
}

/** Line breaks, and characters that would move the cursor or reverse what follows. */
const BREAKS = /[\p{Zl}\p{Zp}\s]+/gu;
const UNPRINTABLE = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;

/** A text that somebody wrote, on one line, or a part of it with its spaces. */
export function oneLine(text: string, isWhole = true): string {
  const line = text.replace(BREAKS, ' ').replace(UNPRINTABLE, '');
  return isWhole ? line.trimEnd() : line;
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
