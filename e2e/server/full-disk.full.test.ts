import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fillDisk, mountSmallDisk, unmountSmallDisk } from '../../server/src/testing/small-disk.ts';
import { until } from '../../server/src/testing/until.ts';
import { NpmStart } from '../support/npm-start.ts';
import { graphql } from '../support/steps.ts';

const DISK_MIB = 500;
const FULL_MS = 20_000;
const PAUSE_MS = 100;
/** One for each kind of failure, and one for how often it repeated, within a minute. */
const MOST_LINES = 20;
const WRITES: readonly string[] = [
  'mutation ($text: String!) { createPlaylist(input: { title: $text }) { id } }',
  'mutation ($text: String!) { createContent(input: { title: $text, contentType: FEATURE }) { id } }',
  'mutation ($text: String!) { createSeries(input: { title: $text }) { content { id } } }',
];
const READ = '{ me { username channel { id } } }';

describe('npm start, without a byte left on its disk', { timeout: 240_000 }, () => {
  const platform = new NpmStart();
  const disk = join(platform.folder, 'data');
  const filler = join(disk, 'filler');
  const isMounted = mountSmallDisk(disk, DISK_MIB);
  let key = '';

  before(async () => {
    if (!isMounted) return;
    await platform.prepare();
    key = platform.createAccount('ada').apiKey;
  });
  after(async () => {
    rmSync(filler, { force: true });
    await platform.stopRest();
    if (isMounted) unmountSmallDisk(disk);
    await platform.remove();
  });

  const fill = () => fillDisk(disk, filler);

  /** Answers to writes and reads, and how often each was given. */
  async function answersFor(ms: number): Promise<Record<string, number>> {
    const base = `http://127.0.0.1:${platform.port}`;
    const counts: Record<string, number> = {};
    const count = (answer: string) => (counts[answer] = (counts[answer] ?? 0) + 1);
    const end = Date.now() + ms;
    for (let index = 0; Date.now() < end; index += 1) {
      fill();
      const write = WRITES[index % WRITES.length] ?? '';
      const { errors } = (await graphql(base, key, write, { text: 'a'.repeat(100) })).body;
      count(`write: ${errors?.[0]?.extensions.code ?? 'done'}`);
      const read = (await graphql(base, key, READ)).body;
      count(`read: ${read.errors?.[0]?.extensions.code ?? 'done'}`);
      const ready = await platform.isReady();
      count(ready ? 'ready' : 'not ready');
      await sleep(PAUSE_MS);
    }
    return counts;
  }

  it('refuses writes with one code, reads as before, and logs each kind of failure once', async (t) => {
    if (!isMounted) return t.skip('only root may mount a file system');
    const { output } = platform.launch();
    await until(() => output().includes('Reelgraph is ready'), output, 60_000);
    fill();
    const began = output().length;
    const answers = await answersFor(FULL_MS);
    const lines = output()
      .slice(began)
      .split('\n')
      .filter((line) => line.startsWith('{'));
    t.diagnostic(`${JSON.stringify(answers)}, ${lines.length} lines`);
    const kinds = Object.keys(answers).sort();
    // What still fits into the pages of a table is stored.
    assert.deepEqual(
      kinds.filter((kind) => kind !== 'write: done'),
      ['read: done', 'ready', 'write: SERVICE_UNAVAILABLE'],
    );
    assert.ok((answers['write: SERVICE_UNAVAILABLE'] ?? 0) > 20, 'the disk is full');
    assert.ok(lines.length > 0 && lines.length <= MOST_LINES, lines.join('\n'));
  });
});
