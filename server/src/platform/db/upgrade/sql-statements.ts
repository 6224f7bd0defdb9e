/** A token of SQL. Words and unquoted names are in lower case, quoted names as they are, without quotes. */
export interface Token {
  readonly kind: 'word' | 'name' | 'string' | 'number' | 'symbol';
  readonly text: string;
}

/** A statement of a file of SQL. */
export interface SqlStatement {
  /** From 1: where its first token is. */
  readonly line: number;
  /** Lines of comments directly above it, without `--`. */
  readonly comments: readonly string[];
  readonly tokens: readonly Token[];
}

/**
 * PostgreSQL manual, "Lexical Structure": white space and comments, strings, quoted names, dollar quotes, words,
 * numbers, and single symbols. Block comments nest and are read by {@link skipBlock}.
 */
const PATTERNS: readonly (readonly [Token['kind'] | 'space' | 'line-comment', RegExp])[] = [
  ['space', /\s+/y],
  ['line-comment', /--[^\n]*/y],
  ['string', /[eE]'(?:[^'\\]|\\[\s\S]|'')*'/y],
  ['string', /(?:[bBxXnN]|[uU]&)?'(?:[^']|'')*'/y],
  ['name', /(?:[uU]&)?"(?:[^"]|"")*"/y],
  ['word', /[\p{L}_][\p{L}\p{N}_$]*/uy],
  ['number', /\d[\w.]*/y],
  ['symbol', /::|[\s\S]/y],
];
const DOLLAR_QUOTE = /\$(?:[\p{L}_][\p{L}\p{N}_]*)?\$/uy;

/** The statements of a file of SQL. Throws for a string or comment without an end. */
export function splitStatements(text: string): SqlStatement[] {
  const statements: SqlStatement[] = [];
  let tokens: Token[] = [];
  let comments: string[] = [];
  let line = 1;
  let at = 0;
  let body = 0; // depth of BEGIN ATOMIC … END, whose semicolons end no statement
  const finish = () => {
    if (tokens.length > 0) statements.push({ line, comments, tokens });
    tokens = [];
    comments = [];
  };
  while (at < text.length) {
    const { kind, source } = lexemeAt(text, at);
    if (kind === 'line-comment' && tokens.length === 0) comments.push(source.slice(2).trim());
    if (kind === 'space' && tokens.length === 0 && /\n\s*\n/.test(source)) comments = [];
    const isToken = kind !== 'space' && kind !== 'line-comment' && kind !== 'block-comment';
    if (isToken && source === ';' && body === 0) finish();
    else if (isToken) {
      if (tokens.length === 0) line = lineOf(text, at);
      const token = tokenOf(kind, source);
      body = depthAfter(body, token, tokens.at(-1));
      tokens.push(token);
    }
    at += source.length;
  }
  finish();
  return statements;
}

interface Lexeme {
  readonly kind: Token['kind'] | 'space' | 'line-comment' | 'block-comment';
  readonly source: string;
}

function lexemeAt(text: string, at: number): Lexeme {
  if (text.startsWith('/*', at)) return { kind: 'block-comment', source: text.slice(at, skipBlock(text, at)) };
  const tag = matchAt(DOLLAR_QUOTE, text, at);
  if (tag !== null) return { kind: 'string', source: text.slice(at, endOf(text, tag, at + tag.length)) };
  for (const [kind, pattern] of PATTERNS) {
    const source = matchAt(pattern, text, at);
    if (source === null) continue;
    if (kind === 'symbol' && /['"]/.test(source)) break;
    return { kind, source };
  }
  throw new Error(`Line ${lineOf(text, at)}: a string or name has no end.`);
}

function matchAt(pattern: RegExp, text: string, at: number): string | null {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? null;
}

/** The end of the block comment that begins at `start`; comments nest. */
function skipBlock(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const pair = text.slice(at, at + 2);
    if (pair === '/*') depth += 1;
    if (pair === '*/') depth -= 1;
    if (pair === '/*' || pair === '*/') at += 1;
    if (depth === 0) return at + 1;
  }
  throw new Error(`Line ${lineOf(text, start)}: a comment has no end.`);
}

function endOf(text: string, tag: string, from: number): number {
  const end = text.indexOf(tag, from);
  if (end < 0) throw new Error(`Line ${lineOf(text, from)}: a string has no end.`);
  return end + tag.length;
}

function lineOf(text: string, at: number): number {
  return text.slice(0, at).split('\n').length;
}

function tokenOf(kind: Token['kind'], source: string): Token {
  if (kind === 'word') return { kind, text: source.toLowerCase() };
  if (kind === 'name') return { kind, text: source.replace(/^(?:[uU]&)?"|"$/g, '').replaceAll('""', '"') };
  return { kind, text: source };
}

function depthAfter(depth: number, { kind, text }: Token, before: Token | undefined): number {
  if (kind !== 'word') return depth;
  if (text === 'atomic' && before?.text === 'begin') return 1;
  if (depth === 0) return 0;
  return text === 'case' ? depth + 1 : text === 'end' ? depth - 1 : depth;
}
