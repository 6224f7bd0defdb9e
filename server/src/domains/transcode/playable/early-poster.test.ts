import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { casesOf, THOROUGH } from '../../../../../scripts/test-runner/cases.ts';
import { newId } from '../../../kernel/ids.ts';
import { type ImageDecoder, openImageDecoder } from '../../../media/index.ts';
import { sql } from '../../../platform/db/statement.ts';
import { until } from '../../../testing/until.ts';
import { encodeClaimedChunk } from '../encoding/encode-chunk.ts';
import { openTestProcessing, type TestProcessing } from '../encoding/processing.fixture.ts';
import { claimSegment } from '../plans/encode-chunks.store.ts';
import { LocalSources } from '../sources/local-sources.ts';
import { takeEarlyPoster } from './early-poster.handler.ts';
import { makePlayable } from './make-playable.handler.ts';

const RUN = { signal: new AbortController().signal, attempt: 1 };

interface Image {
  readonly id: string;
  readonly purpose: string;
  readonly width: number;
  readonly dominant_color: string;
}

describe('a video that is playable before it is encoded', () => {
  let fixture: TestProcessing;
  let sources: LocalSources;
  let imageDecoder: ImageDecoder;
  /** 12 s of grey that becomes brighter, as a file that browsers play, and as one that they do not. */
  const clips = new Map<string, Buffer>();
  before(async () => {
    fixture = await openTestProcessing({ work: false, instant: true });
    sources = new LocalSources(fixture.platform.store);
    imageDecoder = openImageDecoder(fixture.runner, { onError: assert.fail });
    const folder = join(fixture.platform.config.DATA_DIR, 'grey');
    await fixture.runner.prepareWorkDir(folder);
    const limits = { cpuSeconds: 30, memoryBytes: 1024 ** 3, outputBytes: 32 * 1024 ** 2, wallMs: 60_000 };
    const grey = ['-f', 'lavfi', '-i', "color=s=64x36:r=5:d=12,format=yuv420p,geq=lum='16+N':cb=128:cr=128"];
    for (const [name, codec] of Object.entries({ 'a.mp4': ['libx264', '-g', '20', '-bf', '0'], 'a.mkv': ['mpeg4'] })) {
      await fixture.runner.run('ffmpeg', [...grey, '-c:v', ...codec, name], { cwd: folder, limits });
      clips.set(name, await readFile(join(folder, name)));
    }
  });
  after(async () => {
    sources.close();
    await imageDecoder.close();
    await fixture.close();
  });

  const imagesOf = (contentId: string) =>
    fixture.platform.db.run<Image>(
      sql('images_of', 'select id, purpose, width, dominant_color from image_assets where content_id = $1'),
      [contentId],
    );
  const takePoster = (videoAssetId: string) =>
    takeEarlyPoster(
      { platform: fixture.platform, runner: fixture.runner, sources, imageDecoder, toneMapping: true },
      videoAssetId,
      RUN,
    );
  async function playable(name: string) {
    const video = await fixture.upload(clips.get(name) ?? assert.fail(name));
    const jobId = await fixture.submit(video.contentId);
    if (name === 'a.mp4')
      await makePlayable({ platform: fixture.platform, runner: fixture.runner }, video.assetId, RUN);
    else {
      await fixture.process(jobId, fixture.platform, 'plan');
      const next = (await claimSegment(fixture.platform.db)) ?? assert.fail('no segment is wanted');
      const tools = { platform: fixture.platform, runner: fixture.runner, sources };
      await encodeClaimedChunk(tools, next, { ...RUN, background: false });
    }
    return { ...video, jobId };
  }
  /** Chooses a poster in a transaction that ends once `work` waits for it; returns its id. */
  async function chooseBefore(content: { contentId: string; channelId: string }, work: () => Promise<void>) {
    const { db } = fixture.platform;
    const id = newId();
    const working = await db.transaction(async (tx) => {
      await tx.run(sql('lock', 'select from contents where id = $1 for update'), [content.contentId]);
      const values = [id, content.channelId, content.contentId, `images/${id}/`];
      await tx.run(
        sql(
          'choose',
          `insert into image_assets (id, channel_id, content_id, purpose, alt, width, height, mime_type, size_bytes,
            object_prefix, variants, dominant_color, blurhash)
           values ($1, $2, $3, 'POSTER', 'Mine', 1, 1, 'image/jpeg', 1, $4, '[]', '#00ff00', '000000')`,
        ),
        values,
      );
      const started = work();
      const waits = sql(
        'waits',
        `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      await until(async () => (await db.first(waits, [])) !== null);
      return { ended: started };
    });
    await working.ended;
    return id;
  }
  const brightness = (color: string) => Number.parseInt(color.slice(1, 3), 16);

  for (const name of casesOf(['a.mp4', 'a.mkv'], 1))
    it(`has the poster that its package would have, and keeps it (${name})`, THOROUGH, async () => {
      const video = await playable(name);
      assert.deepEqual(await imagesOf(video.contentId), []);
      await takePoster(video.assetId);
      const early = await imagesOf(video.contentId);
      assert.deepEqual(
        early.map(({ purpose, width }) => [purpose, width]),
        [['POSTER', 64]],
      );
      // Of the four seconds after 1.8 s, with 20 frames from the ninth on.
      const shown = brightness(early[0]?.dominant_color ?? '');
      assert.ok(shown >= 8 && shown <= 36, `${shown}`);
      await takePoster(video.assetId);
      await fixture.process(video.jobId);
      assert.deepEqual(await imagesOf(video.contentId), early);
      assert.deepEqual(
        (await fixture.keys(`media/${video.contentId}/`)).filter((key) => key.endsWith('poster.jpg')),
        [],
      );

      if (name === 'a.mkv') return; // taken as its package does
      const other = await playable(name);
      await fixture.process(other.jobId);
      const [packaged] = await imagesOf(other.contentId);
      assert.equal(packaged?.dominant_color, early[0]?.dominant_color);
    });

  it('keeps the poster that its owner has chosen', THOROUGH, async () => {
    const video = await playable('a.mp4');
    await takePoster(video.assetId);
    const [chosen] = await imagesOf(video.contentId);
    await fixture.platform.db.run(sql('own', "update image_assets set purpose = 'THUMBNAIL' where id = $1"), [
      chosen?.id,
    ]);
    await takePoster(video.assetId);
    assert.deepEqual(
      (await imagesOf(video.contentId)).map(({ id, purpose }) => [id, purpose]),
      [[chosen?.id, 'THUMBNAIL']],
    );
  });

  for (const [what, take] of [
    ['its first poster is taken', (video: { assetId: string }) => takePoster(video.assetId)],
    ['its package is completed', (video: { jobId: string }) => fixture.process(video.jobId)],
  ] as const)
    it(`keeps the poster that its owner chooses while ${what}`, async () => {
      const video = await playable('a.mp4');
      const chosen = await chooseBefore(video, () => take(video));
      assert.deepEqual(
        (await imagesOf(video.contentId)).map(({ id, purpose }) => [id, purpose]),
        [[chosen, 'POSTER']],
      );
    });

  it('has none when it was deleted meanwhile, or is not playable', async () => {
    const { contentId, assetId } = await fixture.upload(clips.get('a.mp4') ?? assert.fail());
    await takePoster(assetId);
    const video = await playable('a.mp4');
    await fixture.platform.db.run(sql('trash', 'update contents set deleted_at = now() where id = $1'), [
      video.contentId,
    ]);
    await takePoster(video.assetId);
    assert.deepEqual([await imagesOf(contentId), await imagesOf(video.contentId)], [[], []]);
  });
});
