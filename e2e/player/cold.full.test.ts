import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from '../../server/src/platform/db/statement.ts';
import { until } from '../../server/src/testing/until.ts';
import { newVisitor, startBrowser } from '../support/browser.ts';
import { makeNoisyCounterClip } from '../support/clips.ts';
import { framesAt } from '../support/frames.ts';
import { startPlatform } from '../support/harness.ts';
import { startInstance, untilStarted } from '../support/instances.ts';
import { makeMember } from '../support/members.ts';
import { callApi, play, publishByProgram, untilPlaying } from '../support/steps.ts';

const UPDATE = 'mutation ($id: DID!) { updateChannel(id: $id, input: { encodeAv1: true }) { channel { encodeAv1 } } }';
const STREAMS = 'query ($id: DID!) { content(id: $id) { outputAssets { video { hls } } } }';
const SIZES = sql(
  'sizes_of_video',
  `select split_part(codecs, '.', 1) || ' ' || height || ' ' || state as size from renditions
   where kind = 'VIDEO' and origin = 'ENCODE' order by position`,
);
/** Three days ago; what was seen since is forgotten. */
const AGE = [
  sql('age_videos', `update video_assets set ready_at = now() - interval '3 days'`),
  sql('forget_fetches', 'delete from video_fetches'),
];
const PURGE = sql('purge_now', 'update object_purges set due_at = now()');
const PURGES = sql('pending_purges', 'select 1 from object_purges');

test('a video that nobody has watched for long plays in all sizes, which are then stored again', async () => {
  await using stack = new AsyncDisposableStack();
  const platform = await startPlatform();
  stack.defer(() => platform.stop());
  const browser = await startBrowser();
  stack.defer(() => browser.close());
  const { database, folder, settings, baseUrl } = platform;
  const sizes = async () => (await database.run<{ size: string }>(SIZES, [])).map(({ size }) => size);
  const untilSizes = async (expected: readonly string[]) => {
    let found: string[] = [];
    const reached = async () => {
      found = await sizes();
      return found.join() === expected.join();
    };
    await until(reached, () => `the sizes are ${found}`);
  };
  const member = await makeMember(platform, 'member');
  await callApi(baseUrl, member.key, UPDATE, { id: member.channelId });
  makeNoisyCounterClip(folder, 'counter.mp4', 12, 3);
  const { id, path } = await publishByProgram(platform, member.key, {
    ...{ title: 'Counter', summary: '', filename: 'counter.mp4' },
  });
  const stored = ['avc1 540 STORED', 'avc1 360 STORED', 'avc1 240 STORED', 'avc1 234 STORED'];
  await untilSizes([...stored, ...['540', '360', '240', '234'].map((lines) => `av01 ${lines} STORED`)]);

  for (const statement of AGE) await database.run(statement, []);
  const worker = startInstance('worker', { ...settings, SANDBOX: 'prefer', COLD_RENDITIONS_AFTER: '2' });
  stack.defer(async () => void (await worker.end()));
  await untilStarted(worker);
  await untilSizes(['avc1 540 EVICTED', 'avc1 360 EVICTED', 'avc1 240 STORED', 'avc1 234 STORED']);
  await worker.end();
  await database.run(PURGE, []);
  await until(
    async () => (await database.run(PURGES, [])).length === 0,
    () => 'the segments are not deleted',
  );
  const { content } = await callApi<{ content: { outputAssets: { video: { hls: string } } } }>(
    ...[baseUrl, member.key, STREAMS, { id }],
  );
  const master = await (await fetch(content.outputAssets.video.hls)).text();
  assert.deepEqual(master.match(/av01|-on-demand\/v\d+/g), ['-on-demand/v360', '-on-demand/v540']);

  const { page, errors } = await newVisitor(browser, baseUrl);
  const requested = new Set<string>();
  page.on('response', (response) => {
    const [, name] = /\/[^/]+?(-on-demand)?\/v\d+\/seg-\d+\.m4s$/.exec(response.url()) ?? [];
    if (/\/v540\/seg-\d+\.m4s$/.test(response.url()) && response.ok()) requested.add(name ?? 'stored');
  });
  // Around the keyframes with which segments begin, at 4 and 8 s.
  const frames = [0, 1, 99, 100, 101, 199, 200, 201, 290];
  const watch = async () => {
    await page.goto(path);
    await play(page);
    await page.getByRole('button', { name: 'Quality' }).click();
    // Not the source, which has the same size.
    await page.getByRole('menuitemradio', { name: /^540p \d/ }).click();
    await untilPlaying(page);
    await page.evaluate("document.querySelector('video').pause()");
    for (const [expected, number] of await framesAt(page, frames)) assert.equal(number, expected);
  };
  await watch();
  assert.deepEqual([...requested], ['-on-demand']);
  // Half of its segments were watched.
  await untilSizes(['avc1 540 STORED', 'avc1 360 EVICTED', 'avc1 240 STORED', 'avc1 234 STORED']);
  requested.clear();
  await watch();
  assert.deepEqual([...requested], ['stored']);
  assert.deepEqual(errors, []);
});
