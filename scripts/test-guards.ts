/**
 * `npm run test:guards`: whether the access tests detect a removed guard. Each permission predicate of each mutation is
 * removed in memory and the mutation is called as every persona; a result must differ from docs/access.md, or a refused
 * call must change a row. Ends with `N predicates, M survivors`, and with exit code 1 when there is one. Arguments
 * narrow it to mutations by name.
 */
import { readAccessMatrix } from '../server/src/testing/access-document.ts';
import { firstDifference, guardsOf, noticed } from '../server/src/testing/guards.ts';
import { openSeededPlatform } from '../server/src/testing/seed-platform.ts';

const wanted = process.argv.slice(2);
const matrix = readAccessMatrix();
const fixture = await openSeededPlatform();
const survivors: string[] = [];
let count = 0;
try {
  let mutation = '';
  for (const guard of guardsOf(fixture.schema)) {
    if (wanted.length > 0 && !wanted.includes(guard.mutation)) continue;
    count += 1;
    // If the platform differs from the document, everything would seem to be detected.
    const before = mutation === guard.mutation ? null : await firstDifference(fixture, guard.mutation, matrix);
    if (before !== null) throw new Error(`${guard.mutation}, with every guard in place: ${before}`);
    mutation = guard.mutation;
    const difference = await noticed(fixture, guard, matrix);
    if (difference === null) survivors.push(guard.name);
    console.log(difference === null ? `SURVIVED  ${guard.name}` : `noticed   ${guard.name}: ${difference}`);
  }
} finally {
  await fixture.close();
}
console.log(`${count} predicates, ${survivors.length} survivors`);
process.exit(survivors.length === 0 && count > 0 ? 0 : 1);
