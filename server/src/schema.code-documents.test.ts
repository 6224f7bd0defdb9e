import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse, validate } from 'graphql';
import ts from 'typescript';
import { platformSchema } from './schema.ts';

const ROOT = join(import.meta.dirname, '../..');
/** Programs that have documents in their code; those of tests are sent by them. */
const PROGRAMS = ['server/src/mcp', 'server/src/roles', 'cli/src', 'clients/typescript/src', 'bench', 'e2e/support'];
const DOCUMENT = /^\s*(?:query|mutation|subscription)\b[^{]*\{/;

test('documents in the code of programs are valid', () => {
  const listed = execFileSync('git', ['ls-files', '-z', '--', ...PROGRAMS], { cwd: ROOT, encoding: 'utf8' });
  const files = listed.split('\0').filter((name) => /(?<!\.test|\.gen|\.fixture)\.ts$/.test(name));
  const found = files.flatMap((name) => documentsIn(name, readFileSync(join(ROOT, name), 'utf8')));
  assert.ok(found.length >= 30, `only ${found.length} documents are found`);
  const wrong = found.flatMap(({ name, text }) =>
    validate(platformSchema(), parse(text)).map(({ message }) => `${name}: ${message} ${text.slice(0, 60)}`),
  );
  assert.deepEqual(wrong, []);
});

/** The documents that a file has as texts, with the constants of the file that they consist of. */
function documentsIn(name: string, code: string): { readonly name: string; readonly text: string }[] {
  const file = ts.createSourceFile(name, code, ts.ScriptTarget.Latest, true);
  const constants = new Map<string, ts.Expression>();
  const found: { name: string; text: string }[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.initializer)
      constants.set(node.name.text, node.initializer);
    ts.forEachChild(node, visit);
  };
  visit(file);
  const collect = (node: ts.Node): void => {
    const text = ts.isExpression(node) ? textOf(node, constants) : null;
    if (text !== null && DOCUMENT.test(text)) found.push({ name, text });
    else ts.forEachChild(node, collect);
  };
  collect(file);
  return found;
}

/** The text of an expression; null if it is known only when it runs. */
function textOf(node: ts.Expression, constants: ReadonlyMap<string, ts.Expression>): string | null {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
  if (ts.isParenthesizedExpression(node)) return textOf(node.expression, constants);
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken)
    return joined([textOf(node.left, constants), textOf(node.right, constants)]);
  if (ts.isTemplateExpression(node))
    return joined([
      node.head.text,
      ...node.templateSpans.flatMap((span) => [textOf(span.expression, constants), span.literal.text]),
    ]);
  const value = ts.isIdentifier(node) ? constants.get(node.text) : undefined;
  return value ? textOf(value, new Map([...constants].filter(([, other]) => other !== value))) : null;
}

function joined(parts: readonly (string | null)[]): string | null {
  return parts.includes(null) ? null : parts.join('');
}
