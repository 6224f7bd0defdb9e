import assert from 'node:assert/strict';
import { glob } from 'node:fs/promises';
import { test } from 'node:test';
import { gitAttributes } from './git-attributes.ts';
import { readIsGenerated } from './is-generated.ts';

test('generated and recorded files are marked, one a line, sorted', () => {
  assert.equal(
    gitAttributes(['schema.graphql', 'clients/typescript/src/generated/operations.gen.ts']),
    `# Written by \`npm run gen\`: the files that programs write.
clients/typescript/src/generated/operations.gen.ts linguist-generated
docs/examples/** linguist-generated
docs/versions/*.graphql linguist-generated
package-lock.json linguist-generated
schema.graphql linguist-generated
server/migrations/releases/** linguist-generated
`,
  );
});

test('every file that is called generated is marked, or not committed', async () => {
  const isGenerated = await readIsGenerated();
  const unmarked: string[] = [];
  let found = 0;
  for await (const file of glob('{server,web,clients,cli,docs}/**/{*.gen.*,generated/*.*}', {
    exclude: ['**/node_modules', '**/dist'],
  })) {
    found += 1;
    if (!isGenerated(file)) unmarked.push(file);
  }
  assert.deepEqual(unmarked, []);
  assert.ok(found >= 8, `${found} files`);
});
