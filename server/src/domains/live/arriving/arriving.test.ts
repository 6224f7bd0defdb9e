import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { openTestRunner } from '../../../media/testing.ts';
import type { StorageSpace } from '../../../platform/storage/storage-space.ts';
import { until } from '../../../testing/until.ts';
import { type Person, uuidOf } from '../../catalog/testing.ts';
import { findIngestion } from '../../ingest/index.ts';
import { type LiveFixture, openLiveFixture } from '../live.fixture.ts';
import {
  durationsIn,
  FASTSTART,
  makeFile,
  Sender,
  segmentsIn,
  type TestFile,
  type TestUpload,
} from './arriving.fixture.ts';
import { ArrivingUpload, type PlayedUntil } from './arriving-upload.ts';

const FRAGMENTED = ['-movflags', 'frag_keyframe+empty_moov+default_base_moof'];
const LONG_GOP = ['-g', '1000', '-keyint_min', '1000'];

/** Files that are played from their beginning, and the fewest segments that 60 % of them make. */
const PLAYED: [what: string, file: TestFile, segments: number][] = [
  ['MP4 with its index first', { name: 'holiday.mp4', args: FASTSTART }, 2],
  ['fragmented MP4', { name: 'holiday.mp4', args: FRAGMENTED }, 2],
  ['MOV with its index first', { name: 'holiday.mov', args: FASTSTART }, 2],
  ['Matroska', { name: 'holiday.mkv' }, 2],
  ['MPEG-TS', { name: 'holiday.ts' }, 2],
  ['MP4 with one keyframe', { name: 'holiday.mp4', args: FASTSTART, codecs: LONG_GOP }, 1],
  ['MP4 without sound', { name: 'holiday.mp4', args: [...FASTSTART, '-an'] }, 2],
];

const VP9 = ['-c:v', 'libvpx-vp9', '-deadline', 'realtime', '-cpu-used', '8', '-c:a', 'libopus'];
/** Files that are not. */
const NOT_PLAYED: [what: string, file: TestFile][] = [
  ['MP4 with its index at the end', { name: 'holiday.mp4' }],
  ['WebM with VP9 and Opus', { name: 'holiday.webm', seconds: 6, codecs: VP9 }],
  ['MP4 with MPEG-4 Part 2', { name: 'holiday.mp4', args: FASTSTART, codecs: ['-c:v', 'mpeg4'] }],
  ['MP4 with sound in AC-3', { name: 'holiday.mp4', args: FASTSTART, codecs: ['-c:a', 'ac3'] }],
  ['MPEG-TS without a picture', { name: 'holiday.ts', args: ['-vn'] }],
];

describe('an upload that arrives', { timeout: 180_000 }, () => {
  let live: LiveFixture;
  let sender: Sender;
  let anna: Person;
  let file: Buffer;
  before(async () => {
    live = await openLiveFixture();
    sender = new Sender(live);
    anna = await live.api.person('anna');
    file = await makeFile({ name: 'holiday.mp4', args: FASTSTART });
  });
  after(() => live.close());

  for (const [what, described, segments] of PLAYED)
    it(`is played by its owner: ${what}`, async () => {
      const bytes = await makeFile(described);
      const upload = await sender.open(anna, bytes);
      const sent = await sender.begin(upload, bytes);
      const { playlistUrl } = await sender.played(anna, upload);
      await until(async () => segmentsIn(await sender.playlist(playlistUrl)) >= segments, 'too little is played');
      const hasSound = !described.args?.includes('-an');
      if (hasSound) assert.doesNotMatch(await sender.playlist(playlistUrl, 'audio'), /EXT-X-GAP/);
      assert.equal((await live.text(playlistUrl)).includes('TYPE=AUDIO'), hasSound);
      await sender.finish(upload, bytes, sent);
      assert.deepEqual((await sender.video(anna, upload)).arriving, false);
    });

  /** Plays what has arrived of an open upload, as far as that is possible; what becomes of it. */
  async function play({ endpoint }: TestUpload, bytes: Buffer, space?: StorageSpace): Promise<PlayedUntil> {
    const id = endpoint.split('/uploads/')[1]?.slice(0, 36) ?? '';
    const { platform } = live.api;
    const upload = (await findIngestion(platform.db, id)) ?? assert.fail('the upload is open');
    const tools = { ...platform, ...(space ? { space } : {}), runner: await openTestRunner(), ffmpeg: 'ffmpeg' };
    const arriving = new ArrivingUpload(tools, { enter: () => true, leave: () => {} }, upload);
    const done = arriving.run();
    for (let at = 0; at < bytes.length; at += 65_536) arriving.bytes.push(bytes.subarray(at, at + 65_536), at);
    arriving.bytes.end();
    return done;
  }

  for (const [what, described] of NOT_PLAYED)
    it(`is processed as before, and nothing is said: ${what}`, async () => {
      const bytes = await makeFile(described);
      const upload = await sender.open(anna, bytes);
      assert.equal(await play(upload, bytes.subarray(0, -1)), 'NEVER');
      assert.equal(await sender.video(anna, upload), null);
      await sender.finish(upload, bytes, 0);
      const { playlistUrl, arriving } = await sender.video(anna, upload);
      assert.deepEqual([playlistUrl, arriving], [null, false]);
      assert.deepEqual(await eventsOf(upload.contentId), ['content.created', 'job.updated']);
    });

  it('is not played where the disk has no space beside what uploads have reserved', async () => {
    const upload = await sender.open(anna, file);
    const full = { kind: 'disk' as const, totalBytes: 2 ** 40, freeBytes: 2 ** 20, reserveBytes: 2 ** 30 };
    const space = { read: async () => full, receivedBytes: async () => 0 };
    assert.equal(await play(upload, file.subarray(0, -1), space), 'NEVER');
    assert.equal(await sender.video(anna, upload), null);
    const objects = live.api.platform.store.list(`media/${uuidOf(upload.contentId)}/`);
    for await (const { key } of objects) assert.fail(`${key} is stored`);
    assert.equal(await play(upload, file.subarray(0, -1)), 'LATER');
    assert.equal((await sender.video(anna, upload)).arriving, true);
  });

  const HOSTILE: [what: string, make: () => Buffer][] = [
    ['random bytes', () => randomBytes(200_000)],
    ['random bytes behind the head of an index', () => Buffer.concat([file.subarray(0, 40), randomBytes(200_000)])],
    ['random bytes behind an index', () => Buffer.concat([file.subarray(0, 12_000), randomBytes(400_000)])],
    ['random bytes behind the head of a Matroska file', () => Buffer.concat([MATROSKA, randomBytes(200_000)])],
    ['packets of MPEG-TS with random content', () => packets(1_500)],
    ['nothing but a box that never ends', () => Buffer.from('00000000667479706973 6f6d'.replaceAll(' ', ''), 'hex')],
  ];
  for (const [what, make] of HOSTILE)
    it(`arrives as before: ${what}`, async () => {
      const bytes = make();
      const upload = await sender.open(anna, bytes);
      assert.notEqual(await play(upload, bytes.subarray(0, -1)), 'BUSY');
      assert.equal(await sender.video(anna, upload), null);
      await sender.finish(upload, bytes, 0);
      assert.equal(Number((await sender.video(anna, upload)).sizeBytes), bytes.length);
    });

  it('has one video with its file after the last byte, and the playlist of before has an end', async () => {
    const upload = await sender.open(anna, file);
    const sent = await sender.begin(upload, file);
    const before = await sender.played(anna, upload);
    assert.deepEqual([before.format, before.sizeBytes], ['HLS', 0]);
    const playing = await sender.playlist(before.playlistUrl);
    assert.match(playing, /#EXT-X-PLAYLIST-TYPE:EVENT\n#EXT-X-START:TIME-OFFSET=0\n#EXT-X-MEDIA-SEQUENCE:1\n/);
    assert.doesNotMatch(playing, /ENDLIST/);
    assert.match(await live.text(before.playlistUrl), /CODECS="avc1\.\w{6},mp4a\.40\.2",RESOLUTION=320x180/);
    await sender.finish(upload, file, sent);
    await until(async () => /ENDLIST/.test(await sender.playlist(before.playlistUrl)), 'the playlist never ended');
    const whole = await sender.playlist(before.playlistUrl);
    // Of a second before the first keyframe follows, and then of two.
    assert.deepEqual(durationsIn(whole), [1, 1, 2, 2, 2, 2, 2]);
    assert.ok(whole.startsWith(playing.slice(0, playing.indexOf('#EXT-X-SERVER-CONTROL'))), whole);
    const content = await sender.content(anna, upload);
    const videos = content.assets.videos.edges.map(({ node }: { node: { id: string } }) => node);
    assert.deepEqual(
      videos.map(({ id, arriving, sizeBytes }: typeof before) => [id, arriving, Number(sizeBytes)]),
      [[before.id, false, file.length]],
    );
    const { count } = await live.api.row<{ count: number }>(
      'select count(*)::int as count from arriving_videos a join video_assets v on v.id = a.video_asset_id ' +
        'where v.content_id = $1',
      [uuidOf(upload.contentId)],
    );
    assert.equal(count, 0);
    assert.deepEqual(await eventsOf(upload.contentId), ['content.created', 'asset.arriving', 'job.updated']);
  });

  it('has a player wait for the next segment', async () => {
    const upload = await sender.open(anna, file);
    const sent = await sender.begin(upload, file, 0.5);
    const { playlistUrl } = await sender.played(anna, upload);
    await until(async () => segmentsIn(await sender.playlist(playlistUrl)) === 3, 'half of it is three segments');
    const waiting = sender.playlist(playlistUrl, 'video', '?_HLS_msn=4');
    assert.equal((await sender.send(upload, file, sent, Math.floor(0.8 * file.length))).status, 204);
    assert.ok(segmentsIn(await waiting) > 3);
    const response = await fetch(`${await addressOf(playlistUrl)}?_HLS_msn=100`);
    assert.equal(response.status, 400);
  });

  const addressOf = async (master: string): Promise<string> => {
    const [path = ''] = /[\w./-]*video\/index\.m3u8/.exec(await live.text(master)) ?? [];
    return new URL(path, master).href;
  };
  async function eventsOf(contentId: string): Promise<string[]> {
    const events = await live.api.rows<{ type: string }>(
      `select type from events where subject_id = $1 or payload ->> 'contentId' = $1::text and type = 'job.updated'
       order by id`,
      [uuidOf(contentId)],
    );
    return events.map(({ type }) => type);
  }
});

/** EBML, and the head of a segment. */
const MATROSKA = Buffer.from('1a45dfa39f4286810142f7810142f2810442f381084282886d6174726f736b614287810442858102', 'hex');

/** MPEG-TS packets with payloads at random. */
function packets(count: number): Buffer {
  const bytes = randomBytes(188 * count);
  for (let at = 0; at < bytes.length; at += 188) bytes[at] = 0x47;
  return bytes;
}
