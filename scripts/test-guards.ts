/**
 * `npm run test:guards`: whether the tests of access would notice a guard that is gone. Each permission predicate of
 * each mutation is removed in memory and the mutation is called as everybody; somebody must be answered otherwise than
 * docs/access.md says, or change a row although refused. Ends with `N predicates, M survivors`, and with exit code 1
 * when there is one. Arguments narrow it to mutations by name.
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
    // In a world that is not as documented everything would seem to be noticed.
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
