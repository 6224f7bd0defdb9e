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

  /** Characters of a line. */
  get columns(): number {
    return this.isLive ? (this.#out.columns ?? 80) : 80;
  }

  write(text: string): void {
    this.#out.write(text);
  }

  line(text = ''): void {
    this.#out.write(`${text}\n`);
  }

  /** Colours on a terminal, unless NO_COLOR is set. */
  style(style: Style, text: string): string {
    return this.#isColoured ? styleText(style, text) : text;
  }

  /** Rows in columns as wide as their widest cell; the last one is cut at the end of a terminal's line. */
  table(rows: readonly (readonly string[])[]): void {
    const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => width(row[column] ?? ''))));
    for (const row of rows) {
      const cells = row.map((cell, column) => (column === row.length - 1 ? cell : cell + ' '.repeat((widths[column] ?? 0) - width(cell))));
      this.line(this.isLive ? cut(cells.join('  '), this.columns) : cells.join('  ').trimEnd());
    }
  }

  /** Names beside their values; what is null is left out. */
  facts(facts: readonly (readonly [name: string, value: string | number | null])[]): void {
    const known = facts.filter(([, value]) => value !== null && value !== '');
    this.table(known.map(([name, value]) => [this.style('dim', name), String(value)]));
  }
}

function width(text: string): number {
  return [...stripVTControlCharacters(text)].length;
}

/** Cuts what has no colours; what has some is short by itself. */
function cut(text: string, columns: number): string {
  if (width(text) <= columns || text.includes('\u001b')) return text;
  return `${[...text].slice(0, columns - 1).join('')}…`;
}
