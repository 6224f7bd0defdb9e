import assert from 'node:assert/strict';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { sharedTestPlatform } from '../../clients/typescript/test/platform.fixture.ts';
import { CliUser } from './run-cli.fixture.ts';

const platform = sharedTestPlatform();
let person: CliUser;
before(async () => {
  person = new CliUser(join(platform.folder, 'tester'), { REELGRAPH_URL: platform.url, REELGRAPH_KEY: platform.key });
});

/** A published series, which needs no video; returns its identifier. */
async function published(title: string): Promise<string> {
  const text = 'mutation ($title: String!) { createSeries(input: { title: $title }) { content { id } } }';
  const created = await person.start(['query', '-', '--var', `title=${title}`], text).ended;
  assert.equal(created.code, 0, created.err);
  const { id } = JSON.parse(created.out).data.createSeries.content;
  const { code, err } = await person.run('content', 'publish', id);
  assert.equal(code, 0, err);
  return id;
}

test('titles of a content are tested, shown and applied', async () => {
  const id = await published('Cats');
  const none = await person.run('content', 'test', id);
  assert.equal(none.code, 4);
  assert.match(none.err, /No test is visible to you/);

  const started = await person.run('content', 'test', id, '--title-b', 'Cats in slow motion', '--days', '7', '--json');
  assert.equal(started.code, 0, started.err);
  const { state, maxDays, applyWinner, variants } = JSON.parse(started.out);
  assert.deepEqual([state, maxDays, applyWinner], ['RUNNING', 7, false]);
  assert.deepEqual(
    variants.edges.map(({ node }: { node: { label: string; title: string } }) => [node.label, node.title]),
    [
      ['A', 'Cats'],
      ['B', 'Cats in slow motion'],
    ],
  );
  const shown = await person.run('content', 'test', id);
  assert.match(shown.out, /Running; no clicks yet\./);
  assert.match(
    shown.out,
    /^B {2}– {2}0 impressions {2}0 clicks by 0 viewers {2}best with 50 % {2}Cats in slow motion$/m,
  );

  const wrong = await person.run('content', 'test', id, '--apply', 'C');
  assert.equal(wrong.code, 2);
  assert.match(wrong.err, /The test has no version C/);
  const applied = await person.run('content', 'test', id, '--apply', 'b');
  assert.equal(applied.code, 0, applied.err);
  assert.match(applied.out, /B is used: Cats in slow motion/);
  const stopped = await person.run('content', 'test', id, '--stop');
  assert.equal(stopped.code, 4);
});
