import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { THOROUGH } from '../../../../../scripts/test-runner/cases.ts';
import type { VideoRendition } from '../../../media/index.ts';
import { readClip } from '../../../media/testing.ts';
import { sql } from '../../../platform/db/statement.ts';
import { mediaRoutes } from '../../delivery/media.routes.ts';
import { copyBeside } from '../../transcode/encoding/keep-copy.ts';
import { openTestProcessing, type TestProcessing } from '../../transcode/encoding/processing.fixture.ts';
import { makePlayable } from '../../transcode/playable/make-playable.handler.ts';
import { mediaAddress } from '../media-address.ts';
import { dropOriginals } from '../originals/drop-originals.ts';
import { serveAssetRoutes } from '../testing.ts';

const RUN = { signal: new AbortController().signal, attempt: 1 };

describe('the streams of a video', () => {
  let fixture: TestProcessing;
  let server: { address: string; close(): Promise<void> };
  /** Six seconds, of two segments; its bit rate is about that of its encoded quality. */
  let clip: Buffer;
  before(async () => {
    fixture = await openTestProcessing({ work: false, instant: true });
    server = await serveAssetRoutes(mediaRoutes(fixture.platform));
    const inputs = ['-f', 'lavfi', '-i', 'testsrc2=s=160x90:r=25:d=6', '-f', 'lavfi', '-i', 'sine=d=6'];
    const codecs = ['-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-crf', '32', '-g', '50', '-c:a', 'aac'];
    clip = await readClip(fixture.runner, 'a.mp4', [...inputs, ...codecs]);
  });
  after(async () => {
    await server.close();
    await fixture.close();
  });

  const rows = <Row extends object>(text: string, values: readonly unknown[] = []) =>
    fixture.platform.db.run<Row>(sql('test', text), values);
  const fetchMedia = (key: string) => {
    const { secrets, clock } = fixture.platform;
    return fetch(mediaAddress({ baseUrl: server.address, secrets, nowMs: clock.now() }, key, false));
  };
  async function textOf(key: string): Promise<string> {
    const response = await fetchMedia(key);
    assert.equal(response.status, 200, key);
    return response.text();
  }
  /** A video that is played as it was uploaded, and the folder of its manifests. */
  async function playable(file = clip) {
    const video = await fixture.upload(file);
    const jobId = await fixture.submit(video.contentId);
    await makePlayable({ platform: fixture.platform, runner: fixture.runner }, video.assetId, RUN);
    const name = `${jobId.slice(-12)}-1`;
    return { ...video, jobId, name, manifests: `media/${video.contentId}/${video.assetId}/` };
  }
  const uris = (master: string) => master.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  const duePurges = async () =>
    (await rows<{ key: string }>('select key_prefix as key from object_purges order by key')).map(({ key }) => key);

  it(
    'stay at one address while it is encoded; the uploaded pictures stay beside the encoded ones',
    THOROUGH,
    async () => {
      const { jobId, name, manifests, assetId } = await playable();
      assert.deepEqual(uris(await textOf(`${manifests}master.m3u8`)), ['copy-1/video/index.m3u8']);
      await fixture.process(jobId);
      const master = await textOf(`${manifests}master.m3u8`);
      assert.deepEqual(new Set(uris(master)), new Set([`${name}/v90/index.m3u8`, 'copy-1/video/index.m3u8']));
      assert.deepEqual(master.match(/TYPE=AUDIO,.*URI="(.*)"/g)?.length, 1);
      assert.match(master, new RegExp(`TYPE=AUDIO,.*URI="${name}/audio/index.m3u8"`));
      const dash = await textOf(`${manifests}manifest.mpd`);
      const ids = [...dash.matchAll(/<Representation id="([^"]*)"/g)].map(([, id]) => id);
      assert.deepEqual(new Set(ids), new Set([`${name}.audio`, `${name}.v90`, 'copy-1.video']));
      assert.deepEqual(
        await rows('select folder, label, origin from renditions where video_asset_id = $1 order by position', [
          assetId,
        ]),
        [
          { folder: 'copy-1/video', label: '90p source', origin: 'COPY' },
          { folder: `${name}/v90`, label: '90p', origin: 'ENCODE' },
          { folder: `${name}/audio`, label: null, origin: 'ENCODE' },
        ],
      );
      for (const file of ['copy-1/video/1.m4s', `${name}/v90/seg-00000.m4s`])
        assert.equal((await fetchMedia(manifests + file)).status, 200, file);
      const stored = await fixture.keys(manifests);
      const [counted] = await rows<{ files: number; bytes: number }>(
        'select derived_files as files, derived_bytes as bytes from video_assets where id = $1',
        [assetId],
      );
      assert.equal(counted?.files, stored.length);
      assert.deepEqual(
        (await duePurges()).filter((key) => key.startsWith(manifests)),
        // Of sound that would have been encoded for it.
        [`${manifests}copy-1-on-demand/`],
      );
    },
  );

  it('are the encoded ones where the channel keeps no originals', THOROUGH, async () => {
    const { jobId, name, manifests, channelId } = await playable();
    await rows('update channels set keep_originals = false where id = $1', [channelId]);
    await fixture.process(jobId);
    assert.deepEqual(uris(await textOf(`${manifests}master.m3u8`)), [`${name}/v90/index.m3u8`]);
    assert.deepEqual(
      (await duePurges()).filter((key) => key.startsWith(manifests)),
      [`${manifests}copy-1-on-demand/`, `${manifests}copy-1/`],
    );
    // For players that began with them.
    assert.equal((await fetchMedia(`${manifests}copy-1/video/1.m4s`)).status, 200);
  });

  it(
    'are the encoded ones, with a keyframe every two seconds, where the file has one after ten',
    THOROUGH,
    async () => {
      const inputs = ['-f', 'lavfi', '-i', 'testsrc2=s=160x90:r=25:d=14', '-f', 'lavfi', '-i', 'sine=d=14'];
      const codecs = ['-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-crf', '32', '-g', '250', '-sc_threshold', '0'];
      const file = await readClip(fixture.runner, 'long.mp4', [...inputs, ...codecs, '-c:a', 'aac']);
      const { jobId, name, manifests, assetId } = await playable(file);
      const durations = async (path: string) =>
        [...(await textOf(manifests + path)).matchAll(/^#EXTINF:([\d.]+)/gm)].map(([, seconds]) => Number(seconds));
      assert.deepEqual(await durations('copy-1/video/index.m3u8'), [10, 4]);
      await fixture.process(jobId);
      assert.deepEqual(uris(await textOf(`${manifests}master.m3u8`)), [`${name}/v90/index.m3u8`]);
      assert.match(await textOf(`${manifests}${name}/v90/index.m3u8`), /#EXT-X-TARGETDURATION:4\n/);
      assert.deepEqual(await durations(`${name}/v90/index.m3u8`), [4, 4, 4, 2]);
      const [{ keyframes, cuts } = {}] = await rows<{ keyframes: number[]; cuts: number[] | null }>(
        `select plan -> 'timeline' -> 'keyframes' as keyframes, plan -> 'timeline' -> 'cuts' as cuts
       from encoded_videos where video_asset_id = $1`,
        [assetId],
      );
      // Frames; those at 0, 4, 8 and 12 s begin segments, and that at 10 s is the one of the file.
      assert.deepEqual([cuts, keyframes], [null, [50, 150, 250]]);
      // For players that began with it.
      assert.equal((await fetchMedia(`${manifests}copy-1/video/2.m4s`)).status, 200);
    },
  );

  it('lose the uploaded pictures with the uploaded file', THOROUGH, async () => {
    const { jobId, name, manifests, channelId, contentId, assetId } = await playable();
    await fixture.process(jobId);
    await rows('update channels set keep_originals = false where id = $1', [channelId]);
    const event = { subjectId: contentId, payload: { videoAssetId: assetId } };
    const { clock, db } = fixture.platform;
    const files = () =>
      rows<{ files: number }>('select derived_files as files from video_assets where id = $1', [assetId]);
    const [before] = await files();
    // biome-ignore lint/suspicious/noExplicitAny: the consumer reads only these columns of an event
    await db.transaction((tx) => dropOriginals(clock).handle(tx, event as any));
    assert.deepEqual(uris(await textOf(`${manifests}master.m3u8`)), [`${name}/v90/index.m3u8`]);
    assert.ok((await duePurges()).includes(`${manifests}copy-1/`));
    // Two playlists, two initialization segments and the index.
    assert.deepEqual(await files(), [{ files: (before?.files ?? 0) - 5 }]);
  });

  it('have captions of the file and of creators, with one default and unique names', THOROUGH, async () => {
    const { jobId, manifests, channelId, contentId, assetId } = await playable();
    await fixture.process(jobId);
    await rows(
      `insert into captions (id, channel_id, content_id, video_asset_id, language, label, kind, is_default, vtt,
         created_at, updated_at)
       select id, $1, $2, video, 'en', 'English', kind, is_default, 'WEBVTT', now(), now()
       from (values ('01900000-0000-7000-8000-000000000001'::uuid, $3::uuid, 'SUBTITLES', false),
         ('01900000-0000-7000-8000-000000000002', null, 'CAPTIONS', true)) as given (id, video, kind, is_default)`,
      [channelId, contentId, assetId],
    );
    const master = await textOf(`${manifests}master.m3u8`);
    const [found, added] = master.match(/TYPE=SUBTITLES.*/g) ?? [];
    assert.match(found ?? '', /NAME="English",.*DEFAULT=NO.*URI="captions\/01900000-.*1\/index\.m3u8"/);
    assert.match(added ?? '', /NAME="English \(2\)",.*describes-music.*DEFAULT=YES.*1.*2\/index\.m3u8"/);
    assert.equal((await textOf(`${manifests}captions/01900000-0000-7000-8000-000000000001/1.vtt`)).trim(), 'WEBVTT');
    assert.match(await textOf(`${manifests}manifest.mpd`), /<BaseURL>captions\/01900000-.*2\/1\.vtt<\/BaseURL>/);
  });

  it('are asked for each time by browsers, and kept for a minute by shared caches, of public videos', async () => {
    const { jobId, manifests, contentId } = await playable();
    await rows("update contents set status = 'PUBLISHED', visibility = 'PUBLIC', published_at = now() where id = $1", [
      contentId,
    ]);
    const address = `${server.address}/${manifests}master.m3u8`;
    const first = await fetch(address);
    assert.deepEqual([first.status, first.headers.get('cache-control')], [200, 'public, max-age=0, s-maxage=60']);
    const headers = { 'If-None-Match': first.headers.get('etag') ?? '' };
    assert.equal((await fetch(address, { headers })).status, 304);
    await fixture.process(jobId);
    assert.equal((await fetch(address, { headers })).status, 200);
  });

  it('do not exist at the address of another content', async () => {
    const { manifests, assetId } = await playable();
    const other = await fixture.upload(clip);
    for (const path of [`media/${other.contentId}/${assetId}/`, `media/${other.contentId}/${other.assetId}/`])
      assert.equal((await fetchMedia(`${path}master.m3u8`)).status, 404, path);
    const unsigned = await fetch(`${server.address}/${manifests}master.m3u8`);
    assert.equal(unsigned.status, 404);
  });
});

describe('the uploaded pictures beside the encoded ones', () => {
  const pictures: VideoRendition = {
    ...{ kind: 'VIDEO', folder: 'copy-1/video', origin: 'COPY', label: '1080p', width: 1920, height: 1080 },
    ...{ codecs: 'avc1.640028', peakBps: 8_000_000, averageBps: 5_000_000, iframes: null },
    ...{ frameRate: { num: 25, den: 1 }, timescale: 25, durations: [100, 100, 50] },
  };
  const encoded: VideoRendition = { ...pictures, folder: 'a-1/v1080', origin: 'ENCODE', peakBps: 4_000_000 };

  for (const [what, copy, same, expected] of [
    ['are the best quality', {}, {}, '1080p source'],
    ['are left out above twice the bit rate', { peakBps: 8_000_001 }, {}, null],
    ['are left out where segments are not the same', { durations: [100, 150] }, {}, null],
    ['are left out where segments begin at other times', { durations: [75, 125, 50] }, {}, null],
    ['are left out where time stamps have other units', { timescale: 90_000 }, {}, null],
    ['are left out where no quality has their size', { width: 1900 }, {}, null],
    ['are left out of videos that were never played as they were uploaded', { origin: 'ON_DEMAND' }, {}, null],
    [
      'have the label of their size',
      { width: 1920, height: 800, label: '800p' },
      { width: 1920, height: 800 },
      '1080p source',
    ],
  ] as const)
    it(what, () => {
      const kept = copyBeside([{ ...pictures, ...copy }], [{ ...encoded, ...same }]);
      assert.equal(kept?.kind === 'VIDEO' ? kept.label : null, expected);
    });
});
