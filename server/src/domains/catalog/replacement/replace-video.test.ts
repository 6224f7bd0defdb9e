import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { THOROUGH } from '../../../../../scripts/test-runner/cases.ts';
import { tablesChanged } from '../../../testing/tables-changed.ts';
import { until } from '../../../testing/until.ts';
import { type Person, uuidOf } from '../testing.ts';
import { ReplacementFixture } from './replacement.fixture.ts';

const REPLACE = `mutation ($id: DID!, $input: ReplaceContentVideoInput!) { replaceContentVideo(id: $id, input: $input) {
  content { id status } job { id status } upload { endpoint contentId } warnings } }`;
const PUBLISH = 'mutation ($input: PublishVideoInput!) { publishVideo(input: $input) { content { id } } }';
const CANCEL = 'mutation ($id: DID!) { cancelJob(id: $id) { job { status } } }';
const CAPTIONS =
  'mutation ($id: DID!) { createContentCaptions(id: $id, input: { language: "en", text: "1\\n00:00:00,100 --> ' +
  '00:00:00,900\\nHello\\n" }) { captions { id } } }';

describe('replacing the video of a published content', () => {
  let fixture: ReplacementFixture;
  let anna: Person;
  let bert: Person;
  let short: Buffer<ArrayBuffer>;
  let long: Buffer<ArrayBuffer>;
  const source = createServer((request, response) => {
    if (request.url === '/short.mp4') response.end(short);
    else response.writeHead(404).end();
  });
  before(async () => {
    await new Promise<void>((done) => source.listen(0, '127.0.0.1', done));
    const { port } = source.address() as AddressInfo; // a TCP server has one
    fixture = await ReplacementFixture.open({ FETCH_ALLOW: `127.0.0.1:${port}` });
    [anna, bert] = [await fixture.api.person('anna'), await fixture.api.person('bert')];
    short = Buffer.from(await fixture.clip(1));
    long = Buffer.from(await fixture.clip(2));
  });
  after(async () => {
    await fixture.close();
    source.close();
  });

  const replace = async (id: string, size: number) =>
    (await fixture.api.ok(anna, REPLACE, { id, input: { filename: 'b.mp4', size } })).replaceContentVideo;
  const statusOf = async (id: string) =>
    (await fixture.api.row<{ status: string }>('select status from contents where id = $1', [uuidOf(id)])).status;
  const rowsOf = (id: string) =>
    fixture.api.rows<{ id: string }>('select id from video_assets where content_id = $1 order by created_at', [
      uuidOf(id),
    ]);

  it('plays the present one until the new one is playable, and then only that', async () => {
    const id = await fixture.published(anna, short);
    const old = await fixture.playback(bert, id);
    assert.deepEqual([old.status, old.duration, old.videos], ['PUBLISHED', 1, [old.video]]);
    const started = await replace(id, long.length);
    assert.deepEqual(
      [started.content, started.job.status, started.warnings],
      [{ id, status: 'PUBLISHED' }, 'IDLE', []],
    );
    assert.equal(started.upload.contentId, id);
    assert.deepEqual(await fixture.playback(bert, id), old, 'nothing has arrived yet');
    assert.equal(await fixture.put(started.upload.endpoint, long), 200);
    assert.deepEqual(await fixture.ended(anna, id), { status: 'COMPLETE', error: null });
    const now = await fixture.playback(bert, id);
    assert.deepEqual([now.status, now.duration, now.videos], ['PUBLISHED', 2, [now.video]]);
    assert.notEqual(now.video, old.video);
    const { duration_ms: durationMs } = await fixture.api.row<{ duration_ms: number }>(
      'select duration_ms from contents where id = $1',
      [uuidOf(id)],
    );
    assert.equal(durationMs, 2000);
  });

  it('warns of captions and chapters that may not fit, which stay', THOROUGH, async () => {
    const id = await fixture.published(anna, short);
    await fixture.api.ok(anna, CAPTIONS, { id });
    const { job, warnings } = await replace(id, long.length);
    assert.deepEqual(warnings, [
      '1 captions file was made for the present video and may not fit the new one. Check their times.',
    ]);
    await fixture.api.rows('update contents set summary = $2 where id = $1', [
      uuidOf(id),
      '0:00 One\n0:10 Two\n0:20 Three',
    ]);
    await fixture.api.rows('update contents set duration_ms = 60000 where id = $1', [uuidOf(id)]);
    await fixture.api.ok(anna, CANCEL, { id: job.id });
    const german = { ...anna, language: 'de' as const };
    const input = { filename: 'b.mp4', size: long.length };
    assert.deepEqual((await fixture.api.ok(german, REPLACE, { id, input })).replaceContentVideo.warnings, [
      '1 Untertiteldatei wurde für das jetzige Video gemacht und passt möglicherweise nicht zum neuen. ' +
        'Prüfe ihre Zeiten.',
      'Die Kapitel wurden für das jetzige Video gemacht und passen möglicherweise nicht zum neuen. Prüfe ihre Zeiten.',
    ]);
    assert.equal((await fixture.api.rows('select 1 from captions where content_id = $1', [uuidOf(id)])).length, 1);
  });

  it('that fails leaves the video as it was', THOROUGH, async () => {
    const id = await fixture.published(anna, short);
    const old = await fixture.playback(bert, id);
    const broken = Buffer.from('this is no video at all, but it has some bytes');
    const started = await replace(id, broken.length);
    assert.equal(await fixture.put(started.upload.endpoint, broken), 200);
    const ended = await fixture.ended(anna, id);
    assert.equal(ended.status, 'ERROR');
    await until(async () => (await rowsOf(id)).length === 1, 'the broken video stays');
    assert.deepEqual(await fixture.playback(bert, id), old);
    const again = await replace(id, long.length);
    assert.equal(await fixture.put(again.upload.endpoint, long), 200);
    assert.equal((await fixture.ended(anna, id)).status, 'COMPLETE');
    assert.equal((await fixture.playback(bert, id)).duration, 2);
  });

  it('gives a video whose address failed another address', async () => {
    const { port } = source.address() as AddressInfo; // a TCP server has one
    const sourceUrl = (name: string) => `http://127.0.0.1:${port}/${name}`;
    const input = { title: 'Fetched', sourceUrl: sourceUrl('gone.mp4') };
    const { id } = (await fixture.api.ok(anna, PUBLISH, { input })).publishVideo.content;
    const failed = await fixture.ended(anna, id);
    assert.deepEqual([failed.status, await statusOf(id)], ['ERROR', 'FAILED']);
    const { replaceContentVideo: started } = await fixture.api.ok(anna, REPLACE, {
      id,
      input: { sourceUrl: sourceUrl('short.mp4') },
    });
    assert.deepEqual([started.job.status, started.upload], ['QUEUED', null]);
    assert.deepEqual(await fixture.ended(anna, id), { status: 'COMPLETE', error: null });
    assert.equal(await statusOf(id), 'READY');
  });

  it('can be cancelled while the file is uploaded: its upload ends, and the next one can begin', THOROUGH, async () => {
    const id = await fixture.published(anna, short);
    const old = await fixture.playback(bert, id);
    const started = await replace(id, long.length);
    await fixture.api.ok(anna, CANCEL, { id: started.job.id });
    assert.equal(await fixture.put(started.upload.endpoint, long), 410);
    assert.deepEqual(await fixture.playback(bert, id), old);
    assert.equal((await replace(id, long.length)).job.status, 'IDLE');
  });

  it('that is cancelled while it is processed, though playable, leaves the video as it was', THOROUGH, async () => {
    const id = await fixture.published(anna, short);
    const old = await fixture.playback(bert, id);
    const { job, upload } = await replace(id, long.length);
    // Nothing processes it: the rows are those of a video that is played while it is being encoded.
    await fixture.api.rows("update ingestions set auto_process = false where content_id = $1 and state = 'OPEN'", [
      uuidOf(id),
    ]);
    assert.equal(await fixture.put(upload.endpoint, long), 200);
    const video = (await rowsOf(id))[1]?.id;
    await fixture.api.rows("update transcode_jobs set status = 'QUEUED', video_asset_id = $2 where id = $1", [
      uuidOf(job.id),
      video,
    ]);
    await fixture.api.rows('update video_assets set ready_at = now(), duration_ms = 2000 where id = $1', [video]);
    await fixture.api.rows('update contents set duration_ms = 2000 where id = $1', [uuidOf(id)]);
    await fixture.api.ok(anna, CANCEL, { id: job.id });
    await until(async () => (await rowsOf(id)).length === 1, 'the cancelled video stays');
    assert.deepEqual(await fixture.playback(bert, id), old);
    const { duration_ms: durationMs } = await fixture.api.row<{ duration_ms: number }>(
      'select duration_ms from contents where id = $1',
      [uuidOf(id)],
    );
    assert.equal(durationMs, 1000);
  });

  describe('is refused, and changes nothing', () => {
    const refusals: [string, () => Promise<{ id: string; who?: Person; input?: object }>, string, string, RegExp][] = [
      [
        'for a draft',
        async () => ({ id: await fixture.api.content(anna, { status: 'DRAFT' }) }),
        'INVALID_INPUT',
        'id',
        /has no processed video yet/,
      ],
      [
        'while another replacement is under way',
        async () => {
          const id = await fixture.published(anna, short);
          await replace(id, 9);
          return { id };
        },
        'INVALID_INPUT',
        'id',
        /is being processed or replaced/,
      ],
      [
        'for the content of another channel',
        async () => ({ id: await fixture.api.content(anna, { status: 'PUBLISHED' }), who: bert }),
        'UNAUTHORIZED',
        'id',
        /belongs to another channel/,
      ],
      [
        'for a series',
        async () => ({ id: await fixture.api.content(anna, { kind: 'SERIES', status: 'PUBLISHED' }) }),
        'INVALID_INPUT',
        'id',
        /has no video of its own/,
      ],
      [
        'without a file',
        async () => ({ id: await fixture.api.content(anna, { status: 'PUBLISHED' }), input: {} }),
        'FIELD_REQUIRED',
        'input.sourceUrl',
        /No video is given/,
      ],
    ];
    for (const [name, prepare, code, field, message] of refusals)
      it(name, async () => {
        const { id, who = anna, input = { filename: 'b.mp4', size: 9 } } = await prepare();
        await fixture.idle(); // the videos of the tests before are still being removed
        const changed = await tablesChanged(fixture.api.platform.db, async () => {
          const refused = await fixture.api.refused(who, REPLACE, { id, input });
          assert.deepEqual([refused.code, refused.field], [code, field]);
          assert.match(refused.message, message);
        });
        assert.deepEqual(changed, []);
      });
  });
});
