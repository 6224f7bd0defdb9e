import { glob, readFile } from 'node:fs/promises';
import ts from 'typescript';

const TESTS = [
  '{server,web,clients,cli,packages,scripts,e2e}/**/*.{test,fixture,contract}.{ts,tsx}',
  '{server,web,clients,cli,packages}/**/{testing.ts,testing/*.ts,*-testing.ts}',
  'e2e/**/*.ts',
];

/**
 * Waits of tests for a fixed time, one problem each. A wait within a loop is fine: it looks again for a condition.
 */
export async function findFixedSleeps(): Promise<string[]> {
  const problems = new Set<string>();
  for await (const file of glob(TESTS, { exclude: ['**/node_modules', '**/dist'] }))
    for (const problem of fixedSleeps(file, await readFile(file, 'utf8'))) problems.add(problem);
  return [...problems].sort();
}

/** Places of a file where it waits for a timer and for nothing else. */
export function fixedSleeps(file: string, text: string): string[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const timers = promisedTimers(source);
  const problems: string[] = [];
  const visit = (node: ts.Node, isInLoop: boolean): void => {
    if (isTimer(node, timers) && !isInLoop) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart());
      problems.push(`${file}:${line + 1} waits for a fixed time: wait for a condition (server/src/testing/until.ts)`);
    }
    const inside = ts.isIterationStatement(node, false) || (isInLoop && !ts.isFunctionLike(node));
    // The executor of a promise belongs to the loop that creates the promise.
    const isExecutor = ts.isFunctionLike(node) && ts.isNewExpression(node.parent);
    ts.forEachChild(node, (child) => visit(child, inside || (isInLoop && isExecutor)));
  };
  visit(source, false);
  return problems;
}

/** Local names of `setTimeout` of node:timers/promises. */
function promisedTimers(source: ts.SourceFile): Set<string> {
  const names = new Set<string>();
  for (const statement of source.statements) {
    if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier)) continue;
    const bindings = statement.importClause?.namedBindings;
    if (statement.moduleSpecifier.text !== 'node:timers/promises' || !bindings || !ts.isNamedImports(bindings))
      continue;
    for (const { name, propertyName } of bindings.elements)
      if ((propertyName ?? name).text === 'setTimeout') names.add(name.text);
  }
  return names;
}

/** `sleep(ms)`, `page.waitForTimeout(ms)`, or `setTimeout(resolve, ms)` that resolves a promise. */
function isTimer(node: ts.Node, timers: ReadonlySet<string>): boolean {
  if (!ts.isCallExpression(node)) return false;
  const { expression } = node;
  if (ts.isPropertyAccessExpression(expression)) return expression.name.text === 'waitForTimeout';
  if (!ts.isIdentifier(expression)) return false;
  if (timers.has(expression.text)) return true;
  return expression.text === 'setTimeout' && isExecutorOfPromise(node);
}

function isExecutorOfPromise(node: ts.Node): boolean {
  const owner = ts.findAncestor(node, ts.isFunctionLike);
  return owner !== undefined && ts.isNewExpression(owner.parent) && owner.parent.expression.getText() === 'Promise';
}
