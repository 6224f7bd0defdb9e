import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openTestRunner } from '../../../media/testing.ts';
import { until } from '../../../testing/until.ts';
import { type Person, uuidOf } from '../../catalog/testing.ts';
import { verifyMedia } from '../../delivery/verification/verify-media.ts';
import { type LiveFixture, openLiveFixture } from '../live.fixture.ts';
import { FASTSTART, makeFile, Sender, type TestUpload } from './arriving.fixture.ts';

const WAIT =
  'mutation ($id: DID!) { waitForProcessing(input: { contentId: $id, timeoutSeconds: 60 }) { status error } }';
const TUS = { 'tus-resumable': '1.0.0' };

describe('an upload that has arrived', { timeout: 180_000 }, () => {
  let live: LiveFixture;
  let sender: Sender;
  let anna: Person;
  before(async () => {
    live = await openLiveFixture();
    sender = new Sender(live);
    anna = await live.api.person('anna');
    const tools = { runner: await openTestRunner(), toneMapping: true };
    await live.api.domains.media.startMediaWork(tools);
    await live.api.platform.events.start();
  });
  after(async () => {
    await live.api.platform.events.stop();
    await live.api.platform.jobs.stop({ graceMs: 10_000 });
    await live.close();
  });

  const purgesOf = ({ contentId }: TestUpload) =>
    live.api.rows<{ key_prefix: string; hours: number }>(
      `select key_prefix, round(extract(epoch from due_at - $2::timestamptz) / 3600)::int as hours from object_purges
       where starts_with(key_prefix, 'media/' || $1 || '/') and key_prefix like '%/arriving/'`,
      [uuidOf(contentId), new Date(live.api.clock.now()).toISOString()],
    );

  for (const [name, args] of [
    ['holiday.mp4', FASTSTART],
    ['holiday.mkv', []],
  ] as const)
    it(`is played by its own streams at the same address: ${name}`, async () => {
      const file = await makeFile({ name, args, seconds: 8 });
      const upload = await sender.open(anna, file, { filename: name });
      const sent = await sender.begin(upload, file);
      const { playlistUrl, id } = await sender.played(anna, upload);
      const old = playlistUrl.replace('master.m3u8', 'arriving/video/index.m3u8');
      assert.match(await live.text(playlistUrl), /\narriving\/video\/index\.m3u8\n/);
      await sender.finish(upload, file, sent);
      await until(async () => !(await live.text(playlistUrl)).includes('arriving/'), 'it never has its own streams');
      const { waitForProcessing } = await live.api.ok(anna, WAIT, { id: upload.contentId });
      assert.deepEqual(waitForProcessing, { status: 'COMPLETE', error: null });
      const { status, assets } = await sender.content(anna, upload);
      const videos = assets.videos.edges.map(({ node }: { node: { id: string; playlistUrl: string } }) => node);
      assert.deepEqual(
        [status, videos.length, videos[0].id, videos[0].playlistUrl, Number(videos[0].sizeBytes)],
        ['READY', 1, id, playlistUrl, file.length],
      );
      // Players that have the playlist of before play it to its end.
      await until(async () => (await live.text(old)).endsWith('#EXT-X-ENDLIST\n'), 'the playlist of before has no end');
      const [last = ''] = /seg-\d+\.m4s(?=\n#EXT-X-ENDLIST)/.exec(await live.text(old)) ?? [];
      assert.equal((await fetch(old.replace('index.m3u8', last))).status, 200);
      assert.deepEqual(
        (await purgesOf(upload)).map(({ hours }) => hours),
        [24],
      );
    });

  it('leaves a store that is as the tables say', async () => {
    const { platform } = live.api;
    const half = await makeFile({ name: 'half.mp4', args: FASTSTART, seconds: 8 });
    const upload = await sender.open(anna, half);
    await sender.begin(upload, half);
    await sender.played(anna, upload);
    const { problems } = await verifyMedia(platform, { repair: false, graceMs: 3_600_000 });
    assert.deepEqual(problems, []);
    assert.equal((await fetch(upload.endpoint, { method: 'DELETE', headers: TUS })).status, 204);
  });

  it('plays once its parts are joined, which are not played themselves', async () => {
    const file = await makeFile({ name: 'joined.mp4', args: FASTSTART, seconds: 8 });
    const half = Math.floor(file.length / 2);
    const authorization = `Bearer ${anna.key}`;
    const post = (headers: Record<string, string>) =>
      fetch(`${live.address}/uploads`, { method: 'POST', headers: { ...TUS, authorization, ...headers } });
    const parts: string[] = [];
    for (const bytes of [file.subarray(0, half), file.subarray(half)]) {
      const opened = await post({ 'upload-concat': 'partial', 'upload-length': `${bytes.length}` });
      const endpoint = opened.headers.get('location') ?? assert.fail(`${opened.status}`);
      assert.equal((await sender.send({ endpoint }, bytes, 0, bytes.length)).status, 204);
      parts.push(endpoint);
    }
    assert.deepEqual(await live.api.rows('select * from arriving_videos'), []);
    const metadata = `filename ${Buffer.from('joined.mp4').toString('base64')}`;
    const final = await post({ 'upload-concat': `final;${parts.join(' ')}`, 'upload-metadata': metadata });
    assert.equal(final.status, 201);
    const id = (final.headers.get('location') ?? '').split('/uploads/')[1]?.slice(0, 36);
    const playing = () =>
      live.api.rows<{ package_prefix: string | null }>(
        `select v.package_prefix from video_assets v where v.ingestion_id = $1 and v.package_prefix is not null`,
        [id],
      );
    await until(async () => (await playing()).length === 1, 'the joined file is never played');
    assert.doesNotMatch((await playing())[0]?.package_prefix ?? '', /arriving/);
  });
});
