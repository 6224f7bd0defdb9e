import type { Token } from './sql-statements.ts';

/** Reads the tokens of a statement from the left. */
export class TokenReader {
  readonly #tokens: readonly Token[];
  #at = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  get isOver(): boolean {
    return this.#at >= this.#tokens.length;
  }

  /** Goes past these words if they are next. */
  accept(...words: readonly string[]): boolean {
    const found = words.every((word, index) => {
      const token = this.#tokens[this.#at + index];
      return token?.kind === 'word' && token.text === word;
    });
    if (found) this.#at += words.length;
    return found;
  }

  /** The next token, gone past; null at the end. */
  next(): Token | null {
    const token = this.#tokens[this.#at] ?? null;
    this.#at += 1;
    return token;
  }

  /** The name of a table or another object, without the schema `public`. */
  name(): string {
    const parts = [this.next()?.text ?? ''];
    while (this.#tokens[this.#at]?.text === '.') {
      this.next();
      parts.push(this.next()?.text ?? '');
    }
    return parts.filter((part, index) => !(part === 'public' && index === 0 && parts.length > 1)).join('.');
  }

  /** What is left. */
  rest(): readonly Token[] {
    return this.#tokens.slice(this.#at);
  }
}

/** The tokens between commas outside of parentheses and brackets. */
export function splitAtCommas(tokens: readonly Token[]): Token[][] {
  const parts: Token[][] = [[]];
  let depth = 0;
  for (const token of tokens) {
    if (token.kind === 'symbol' && /[([]/.test(token.text)) depth += 1;
    if (token.kind === 'symbol' && /[)\]]/.test(token.text)) depth -= 1;
    if (token.kind === 'symbol' && token.text === ',' && depth === 0) parts.push([]);
    else parts.at(-1)?.push(token);
  }
  return parts;
}

/** Whether these words follow each other in the tokens, outside of parentheses. */
export function hasWords(tokens: readonly Token[], ...words: readonly string[]): boolean {
  const outside = outsideParentheses(tokens);
  return outside.some((_, at) =>
    words.every((word, index) => {
      const token = outside[at + index];
      return token?.kind === 'word' && token.text === word;
    }),
  );
}

function outsideParentheses(tokens: readonly Token[]): Token[] {
  let depth = 0;
  return tokens.filter((token) => {
    if (token.kind === 'symbol' && token.text === ')') depth -= 1;
    const isOutside = depth === 0;
    if (token.kind === 'symbol' && token.text === '(') depth += 1;
    return isOutside;
  });
}
