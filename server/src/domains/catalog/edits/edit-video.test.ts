import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { THOROUGH } from '../../../../../scripts/test-runner/cases.ts';
import { tablesChanged } from '../../../testing/tables-changed.ts';
import { until } from '../../../testing/until.ts';
import { verifyMedia } from '../../delivery/verification/verify-media.ts';
import { ReplacementFixture } from '../replacement/replacement.fixture.ts';
import { type Person, uuidOf } from '../testing.ts';

const TRIM = `mutation ($id: DID!, $keep: [TimeRangeInput!]!) { trimContentVideo(id: $id, input: { keep: $keep }) {
  content { id status } job { id status } } }`;
const REVERT = 'mutation ($id: DID!) { revertContentVideo(id: $id) { content { id status } job { id status } } }';
const CLIP = `mutation ($input: CreateClipInput!) { createClip(input: $input) {
  content { id kind status metadata { title visibility } clippedFrom { id } clipRange { startMs endMs } }
  job { id status } } }`;
const TRIMMED = 'query ($id: DID!) { content(id: $id) { trim { keep { startMs endMs } } } }';
const CLIPPED = 'query ($id: DID!) { content(id: $id) { clippedFrom { id } clipRange { startMs endMs } } }';
const CANCEL = 'mutation ($id: DID!) { cancelJob(id: $id) { job { status } } }';
const CAPTIONS =
  'mutation ($id: DID!, $text: String!) { createContentCaptions(id: $id, input: { language: "en", text: $text }) ' +
  '{ captions { id } } }';
const STORAGE = '{ channelDashboard(input: {}) { storage { usedBytes } } }';
const SRT = `1
00:00:00,500 --> 00:00:01,500
cut at its start

2
00:00:03,200 --> 00:00:03,800
removed

3
00:00:04,000 --> 00:00:05,000
moved
`;

describe('edits of the video of a content', { timeout: 240_000 }, () => {
  let fixture: ReplacementFixture;
  let anna: Person;
  let bert: Person;
  let file: Buffer;
  before(async () => {
    fixture = await ReplacementFixture.open();
    [anna, bert] = [await fixture.api.person('anna'), await fixture.api.person('bert')];
    file = await fixture.clip(6);
  });
  after(() => fixture.close());

  const trim = (id: string, ...keep: [startMs: number, endMs: number][]) =>
    fixture.api.ok(anna, TRIM, { id, keep: keep.map(([startMs, endMs]) => ({ startMs, endMs })) });
  const keptOf = async (who: Person, id: string) =>
    (await fixture.api.ok(who, TRIMMED, { id })).content.trim?.keep ?? null;
  const cuesOf = async (id: string) => {
    const { vtt } = await fixture.api.row<{ vtt: string }>('select vtt from captions where content_id = $1', [
      uuidOf(id),
    ]);
    return vtt.split('\n').filter((line) => line.includes('-->'));
  };
  const chaptersOf = async (id: string) =>
    (await fixture.api.row<{ chapters: object }>('select chapters from contents where id = $1', [uuidOf(id)])).chapters;
  const problems = async () => (await verifyMedia(fixture.api.platform, { repair: false, graceMs: 0 })).problems;
  const filesOf = async () => (await fixture.api.ok(anna, STORAGE)).channelDashboard.storage.usedBytes;

  it('trim, trim again, and go back to the original, with captions and chapters', async () => {
    const id = await fixture.published(anna, file);
    await fixture.api.ok(anna, CAPTIONS, { id, text: SRT });
    const chapters = [0, 2000, 4000].map((startMs) => ({ startMs, title: `${startMs}` }));
    await fixture.api.rows('update contents set chapters = $2 where id = $1', [uuidOf(id), JSON.stringify(chapters)]);
    const old = await fixture.playback(bert, id);
    const [cues, usedBytes] = [await cuesOf(id), await filesOf()];

    const { trimContentVideo: started } = await trim(id, [1000, 3000], [4000, 6000]);
    assert.deepEqual(started.content, { id, status: 'PUBLISHED' });
    assert.deepEqual(await fixture.playback(bert, id), old, 'it is played as it is until then');
    assert.deepEqual(await fixture.ended(anna, id), { status: 'COMPLETE', error: null });
    const trimmed = await fixture.playback(bert, id);
    assert.deepEqual([trimmed.status, trimmed.duration, trimmed.videos], ['PUBLISHED', 4, [trimmed.video]]);
    assert.notEqual(trimmed.video, old.video);
    assert.deepEqual(await keptOf(anna, id), [
      { startMs: 1000, endMs: 3000 },
      { startMs: 4000, endMs: 6000 },
    ]);
    assert.equal(await keptOf(bert, id), null, 'only those who edit it see how');
    assert.deepEqual(await cuesOf(id), ['00:00:00.000 --> 00:00:00.500', '00:00:02.000 --> 00:00:03.000']);
    assert.equal(await chaptersOf(id), null, 'they are too short now');
    assert.deepEqual(await problems(), []);
    assert.ok((await filesOf()) > usedBytes, 'the original counts, beside what was cut');

    await trim(id, [520, 3000]);
    assert.deepEqual(await fixture.ended(anna, id), { status: 'COMPLETE', error: null });
    assert.equal((await fixture.playback(bert, id)).duration, 2.48);
    assert.deepEqual(await keptOf(anna, id), [
      { startMs: 1520, endMs: 3000 },
      { startMs: 4000, endMs: 5000 },
    ]);
    assert.deepEqual(await cuesOf(id), ['00:00:01.480 --> 00:00:02.480']);

    const { revertContentVideo: reverted } = await fixture.api.ok(anna, REVERT, { id });
    assert.deepEqual(reverted.content, { id, status: 'PUBLISHED' });
    assert.deepEqual(await fixture.ended(anna, id), { status: 'COMPLETE', error: null });
    const now = await fixture.playback(bert, id);
    assert.deepEqual([now.duration, now.videos], [6, [now.video]]);
    assert.equal(await keptOf(anna, id), null);
    assert.deepEqual(await cuesOf(id), cues);
    assert.deepEqual(await chaptersOf(id), chapters);
    assert.equal(await filesOf(), usedBytes);
    assert.deepEqual(await problems(), []);
  });

  it('that are cancelled or fail leave the video as it was', THOROUGH, async () => {
    const id = await fixture.published(anna, file);
    const old = await fixture.playback(bert, id);
    const { trimContentVideo: started } = await trim(id, [1000, 3000]);
    assert.equal((await fixture.api.ok(anna, CANCEL, { id: started.job.id })).cancelJob.job.status, 'CANCELLED');
    assert.deepEqual(await fixture.playback(bert, id), old);
    const { source_key: key } = await fixture.api.row<{ source_key: string }>(
      'select source_key from video_assets where content_id = $1',
      [uuidOf(id)],
    );
    await fixture.api.platform.store.put(key, Buffer.from('no longer a video'), { contentType: 'video/mp4' });
    await trim(id, [1000, 3000]);
    assert.equal((await fixture.ended(anna, id)).status, 'ERROR');
    assert.deepEqual(await fixture.playback(bert, id), old);
    const rows = await fixture.api.rows('select 1 from video_assets where content_id = $1', [uuidOf(id)]);
    assert.equal(rows.length, 1);
    await fixture.api.platform.store.put(key, file, { contentType: 'video/mp4' });
  });

  it('end with a replacement: the original of a trimmed video goes with it', THOROUGH, async () => {
    const id = await fixture.published(anna, file);
    const { source_key: key } = await fixture.api.row<{ source_key: string }>(
      'select source_key from video_assets where content_id = $1',
      [uuidOf(id)],
    );
    await trim(id, [0, 2000]);
    assert.equal((await fixture.ended(anna, id)).status, 'COMPLETE');
    const purged = () => fixture.api.rows('select 1 from object_purges where key_prefix = $1', [key]);
    assert.ok(await fixture.api.platform.store.head(key));
    assert.deepEqual(await purged(), []);
    const REPLACE =
      'mutation ($id: DID!, $size: BigInt!) { replaceContentVideo(id: $id, input: { filename: "b.mp4", ' +
      'size: $size }) { upload { endpoint } } }';
    const { replaceContentVideo } = await fixture.api.ok(anna, REPLACE, { id, size: file.length });
    assert.equal(await fixture.put(replaceContentVideo.upload.endpoint, Buffer.from(file)), 200);
    assert.equal((await fixture.ended(anna, id)).status, 'COMPLETE');
    await until(
      async () => (await purged()).length > 0 || (await fixture.api.platform.store.head(key)) === null,
      'the original stays',
    );
    assert.deepEqual(await problems(), []);
  });

  it('make a clip: a private content of a part, with a reference to its source', THOROUGH, async () => {
    const id = await fixture.published(anna, file);
    const input = { content: id, startMs: 1500, endMs: 4000, title: 'The best part' };
    const { createClip: made } = await fixture.api.ok(anna, CLIP, { input });
    const clip: string = made.content.id;
    assert.deepEqual(made.content, {
      id: clip,
      kind: 'FEATURE',
      status: 'PROCESSING',
      metadata: { title: 'The best part', visibility: 'PRIVATE' },
      clippedFrom: { id },
      clipRange: { startMs: 1500, endMs: 4000 },
    });
    assert.deepEqual(await fixture.ended(anna, clip), { status: 'COMPLETE', error: null });
    const { status, duration } = await fixture.playback(anna, clip);
    assert.deepEqual([status, duration], ['READY', 2.5]);
    assert.equal((await fixture.playback(bert, id)).duration, 6, 'its source is as it was');

    await fixture.api.rows(
      "update contents set status = 'PUBLISHED', published_at = now(), visibility = 'PUBLIC' where id = $1",
      [uuidOf(clip)],
    );
    assert.deepEqual((await fixture.api.ok(bert, CLIPPED, { id: clip })).content.clippedFrom, { id });
    await fixture.api.rows("update contents set visibility = 'PRIVATE' where id = $1", [uuidOf(id)]);
    assert.equal((await fixture.api.ok(bert, CLIPPED, { id: clip })).content.clippedFrom, null);
  });

  describe('are refused, and change nothing', () => {
    const KEEP = [{ startMs: 1000, endMs: 3000 }];
    const input = (content: string) => ({ content, startMs: 0, endMs: 2000, title: 'Clip' });
    const refusals: [string, (id: string) => [Person, string, object], string, string, RegExp][] = [
      ['a trim by others', (id) => [bert, TRIM, { id, keep: KEEP }], 'UNAUTHORIZED', 'id', /another channel/],
      ['a trim of nothing', (id) => [anna, TRIM, { id, keep: [] }], 'INVALID_INPUT', 'input.keep', /0 ranges/],
      [
        'a trim beyond the end',
        (id) => [anna, TRIM, { id, keep: [{ startMs: 0, endMs: 9000 }] }],
        'INVALID_INPUT',
        'input.keep.0.endMs',
        /after the end/,
      ],
      ['a revert of an original', (id) => [anna, REVERT, { id }], 'INVALID_INPUT', 'id', /is the original/],
      [
        'a clip by others',
        (id) => [bert, CLIP, { input: input(id) }],
        'UNAUTHORIZED',
        'input.content',
        /another channel/,
      ],
      [
        'a clip without a title',
        (id) => [anna, CLIP, { input: { ...input(id), title: ' ' } }],
        'FIELD_REQUIRED',
        'input.title',
        /title/i,
      ],
      [
        'a clip of half a second',
        (id) => [anna, CLIP, { input: { ...input(id), endMs: 500 } }],
        'INVALID_INPUT',
        'input.endMs',
        /shorter than a second/,
      ],
    ];
    let id: string;
    before(async () => {
      id = await fixture.published(anna, file);
    });
    for (const [name, call, code, field, message] of refusals)
      it(name, async () => {
        const [who, document, variables] = call(id);
        const changed = await tablesChanged(fixture.api.platform.db, async () => {
          const refused = await fixture.api.refused(who, document, { ...variables });
          assert.deepEqual([refused.code, refused.field], [code, field]);
          assert.match(refused.message, message);
        });
        assert.deepEqual(changed, []);
      });

    it('a trim of a video whose original was deleted', THOROUGH, async () => {
      const other = await fixture.published(anna, file);
      await fixture.api.rows('update video_assets set original_deleted_at = now() where content_id = $1', [
        uuidOf(other),
      ]);
      const changed = await tablesChanged(fixture.api.platform.db, async () => {
        const refused = await fixture.api.refused(anna, TRIM, { id: other, keep: KEEP });
        assert.deepEqual([refused.code, refused.field], ['INVALID_INPUT', 'id']);
        assert.match(refused.message, /original file of this video was deleted/);
      });
      assert.deepEqual(changed, []);
    });
  });
});
