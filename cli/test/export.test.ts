import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { sharedTestPlatform } from '../../clients/typescript/test/platform.fixture.ts';
import { CliUser } from './run-cli.fixture.ts';

const platform = sharedTestPlatform();
let person: CliUser;
const ids: string[] = [];
before(async () => {
  person = new CliUser(join(platform.folder, 'exporting'), {
    REELGRAPH_URL: platform.url,
    REELGRAPH_KEY: platform.key,
  });
  for (const title of ['One', 'Two']) {
    const mutation = `mutation { createContent(input: { title: "${title}" }) { id } }`;
    const created = await person.start(['query', '-'], mutation).ended;
    ids.push(JSON.parse(created.out).data.createContent.id);
  }
});

const QUERY = 'query ($id: DID!) { channel(id: $id) { contents { edges { node { id metadata { title } } } } } }';

test('a list is exported to a file, one object a line', async () => {
  const query = join(person.home, 'contents.graphql');
  const file = join(person.home, 'contents.jsonl');
  writeFileSync(query, QUERY);
  const result = await person.json<{ id: string; objectCount: number; sizeBytes: number }>(
    ...['export', query, '--var', `id=${platform.channelId}`, '--out', file],
  );
  const text = readFileSync(file, 'utf8');
  assert.deepEqual([result.objectCount, result.sizeBytes], [2, Buffer.byteLength(text)]);
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.deepEqual(
    lines.map(({ id }) => id),
    [...ids].reverse(),
  );
  // An interrupted download continues.
  const again = join(person.home, 'again.jsonl');
  writeFileSync(`${again}.${result.id.slice(-12)}.part`, text.slice(0, 40));
  assert.equal((await person.run('export', '--resume', result.id, '--out', again)).code, 0);
  assert.equal(readFileSync(again, 'utf8'), text);
});

test('what cannot be exported is refused with the reason', async () => {
  const refused = await person.run('export', '{ me { profile { displayName } } }');
  assert.equal(refused.code, 6);
  assert.match(refused.err, /is not a connection/);
  assert.equal((await person.run('export')).code, 2);
});
