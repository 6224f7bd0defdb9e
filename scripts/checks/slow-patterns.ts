import { glob, readFile } from 'node:fs/promises';
import { RegExpParser } from '@eslint-community/regexpp';
import { analyse } from 'scslre';
import ts from 'typescript';

const SOURCES = '{server,web,cli,clients/*,packages/*}/src/**/*.{ts,tsx,mjs}';
const NOT_RUN = ['**/node_modules', '**/dist', '**/generated', '**/*.{test,fixture,contract}.*', '**/testing/**'];
/** Where a regular expression may stand; files without are not parsed. */
const LIKELY = /(?:[=(,:!&|?[]|return)\s*\/(?![/*])|new RegExp/;

const patterns = new RegExpParser();

/**
 * Regular expressions whose time grows faster than the text that they search, one problem each: those that go back
 * over it in several ways, and those that begin to match at each of many places and read on to the end.
 */
export async function findSlowPatterns(): Promise<string[]> {
  const problems: string[] = [];
  for await (const file of glob(SOURCES, { exclude: NOT_RUN }))
    problems.push(...slowPatterns(file, await readFile(file, 'utf8')));
  return problems.sort();
}

/** Those of a file: literals, and `new RegExp` of a text that stands in the file. */
export function slowPatterns(file: string, text: string): string[] {
  if (!LIKELY.test(text)) return [];
  const kind = file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, kind);
  const texts = textsOf(source);
  const problems: string[] = [];
  const visit = (node: ts.Node): void => {
    const pattern = patternOf(node, texts);
    const slow = pattern === null ? null : slowPart(pattern);
    if (slow !== null) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart());
      problems.push(`${file}:${line + 1} a pattern takes more than linear time for ${slow}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return problems;
}

interface Pattern {
  readonly source: string;
  readonly flags: string;
}

function patternOf(node: ts.Node, texts: ReadonlyMap<string, string>): Pattern | null {
  if (ts.isRegularExpressionLiteral(node)) {
    const end = node.text.lastIndexOf('/');
    return { source: node.text.slice(1, end), flags: node.text.slice(end + 1) };
  }
  if (!ts.isNewExpression(node) || node.expression.getText() !== 'RegExp') return null;
  const [text, flags] = node.arguments ?? [];
  const source = text ? textOf(text, texts) : null;
  return source === null ? null : { source, flags: (flags && textOf(flags, texts)) ?? '' };
}

/** Constants that are texts, by name. */
function textsOf(source: ts.SourceFile): Map<string, string> {
  const texts = new Map<string, string>();
  for (const statement of source.statements) {
    if (!ts.isVariableStatement(statement)) continue;
    for (const { name, initializer } of statement.declarationList.declarations) {
      const text = initializer ? textOf(initializer, texts) : null;
      if (text !== null && ts.isIdentifier(name)) texts.set(name.text, text);
    }
  }
  return texts;
}

/** The value of an expression that is known without running it; null for any other. */
function textOf(node: ts.Expression, texts: ReadonlyMap<string, string>): string | null {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
  if (ts.isIdentifier(node)) return texts.get(node.text) ?? null;
  const isRaw = ts.isTaggedTemplateExpression(node) && node.tag.getText() === 'String.raw';
  const template = isRaw ? node.template : node;
  if (isRaw && ts.isNoSubstitutionTemplateLiteral(template)) return template.rawText ?? template.text;
  if (!ts.isTemplateExpression(template)) return null;
  const own = (part: ts.TemplateLiteralLikeNode) => (isRaw ? (part.rawText ?? part.text) : part.text);
  let text = own(template.head);
  for (const { expression, literal } of template.templateSpans) {
    const value = textOf(expression, texts);
    if (value === null) return null;
    text += value + own(literal);
  }
  return text;
}

/** The part of a pattern that makes it slow; null without one. */
function slowPart({ source, flags }: Pattern): string | null {
  const mode = patterns.parseFlags(flags);
  const { unicode, unicodeSets } = mode;
  const pattern = patterns.parsePattern(source, 0, source.length, { unicode, unicodeSets });
  const [slow] = analyse({ pattern, flags: mode }, { reportTypes: { Move: true } }).reports;
  if (!slow) return null;
  return 'quant' in slow ? slow.quant.raw : `${slow.startQuant.raw} before ${slow.endQuant.raw}`;
}
