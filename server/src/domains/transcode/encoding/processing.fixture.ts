import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ContentId, type JobId, newId, type VideoAssetId } from '../../../kernel/ids.ts';
import { openImageDecoder, type Runner, type Stage } from '../../../media/index.ts';
import { openTestRunner, readClip } from '../../../media/testing.ts';
import { sql } from '../../../platform/db/statement.ts';
import type { ObjectStore } from '../../../platform/storage/object-store.ts';
import type { StorageSpace } from '../../../platform/storage/storage-space.ts';
import { type MediaDependencies, type MediaDomains, wireMedia } from '../../../wire-media.ts';
import { type AssetsTestPlatform, createAssetsTestPlatform, makeContent } from '../../assets/testing.ts';
import { insertVideoAsset } from '../../assets/videos/video-assets.store.ts';
import { videoAdditions } from '../../enhance/video-additions.ts';
import { startFetching } from '../../ingest/remote/start-fetching.ts';
import { startProcessing } from '../jobs/start-processing.ts';
import { claimChunk } from '../plans/encode-chunks.store.ts';
import { LocalSources } from '../sources/local-sources.ts';
import type { UpscalingModels } from './additions.ts';
import { encodeClaimedChunk } from './encode-chunk.ts';
import { finishVideo } from './finish-video.handler.ts';
import { processVideo } from './process-video.handler.ts';

interface AssetRow {
  readonly mime_type: string;
  readonly width: number;
  readonly height: number;
  readonly duration_ms: number;
  /** Folders of its renditions, in their order. */
  readonly renditions: readonly string[];
  readonly package_prefix: string | null;
  readonly extras: Record<string, unknown> | null;
  readonly loudness: Record<string, number> | null;
}
interface ContentRow {
  readonly status: string;
  readonly duration_ms: number | null;
}
interface JobRow {
  readonly status: string;
  readonly attempts: number;
  readonly error_code: string | null;
  readonly deployed: boolean;
}

/** A worker for tests, with queries of its tables and its store. */
export class TestProcessing {
  readonly platform: AssetsTestPlatform;
  readonly runner: Runner;
  readonly media: MediaDomains;
  /** A file with a second of video and audio. */
  readonly clip: Buffer;
  /** How models that upscale are run; default: those of the platform, on the CPU. */
  models: UpscalingModels | null = null;

  /** Called when the worker stores a file of a package; tests replace it to interrupt processing. */
  onStore: () => Promise<void> = async () => {};

  #imageDecoder: ReturnType<typeof openImageDecoder> | null = null;

  /** Keys of the segments that were stored, in their order. */
  readonly written: string[] = [];

  constructor(plain: AssetsTestPlatform, runner: Runner, clip: Buffer) {
    this.platform = { ...plain, store: watchedStore(plain.store, () => this.onStore(), this.written) };
    this.runner = runner;
    this.clip = clip;
    this.media = wireMedia(this.platform, this.dependencies());
  }

  dependencies(): MediaDependencies {
    const failOnUpload = async () => assert.fail('this test uploads nothing');
    return {
      runner: this.runner,
      receiving: this.platform.receiving,
      authenticate: failOnUpload,
      authenticateCreator: failOnUpload,
      requireContentTakes: failOnUpload,
      drafts: { create: failOnUpload, discard: failOnUpload },
    };
  }

  tools() {
    return { jobs: this.platform.jobs, clock: this.platform.clock, space: this.platform.space };
  }

  async close(): Promise<void> {
    await this.platform.jobs.stop({ graceMs: 10_000 });
    await this.#imageDecoder?.close();
    await this.media.close();
    await this.platform.close();
  }

  /** A content with an uploaded video. */
  async upload(
    bytes: Buffer,
  ): Promise<{ contentId: ContentId; channelId: string; assetId: VideoAssetId; sourceKey: string }> {
    const { contentId, channelId } = await makeContent(this.platform);
    const assetId = newId<'video-asset'>();
    const sourceKey = `sources/${newId()}`;
    await this.platform.store.put(sourceKey, bytes, { contentType: 'application/octet-stream' });
    const file = { hint: 'LANDSCAPE_VIDEO', filename: 'a.mp4', sourceKey, sizeBytes: bytes.length };
    await insertVideoAsset(
      this.platform.db,
      { id: assetId, channelId, contentId, ingestionId: null, ...file },
      new Date().toISOString(),
    );
    return { contentId, channelId, assetId, sourceKey };
  }

  async submit(contentId: ContentId): Promise<JobId> {
    return (
      await this.platform.db.transaction((tx) => startProcessing(this.tools(), tx, { contentId, layout: 'LANDSCAPE' }))
    ).jobId;
  }

  /** Plans a job, encodes its chunks and finishes it here: for tests without a worker, one job at a time. */
  async process(
    jobId: string,
    platform: AssetsTestPlatform = this.platform,
    until: 'plan' | 'chunks' | 'end' = 'end',
    runner: Runner = this.runner,
    stages?: readonly Stage[],
  ): Promise<void> {
    const sources = new LocalSources(platform.store);
    const models = this.models ? { models: this.models } : {};
    const tools = { platform, runner, sources, additions: videoAdditions, ...models, ...(stages ? { stages } : {}) };
    const run = { signal: new AbortController().signal, attempt: 1 };
    // One for all jobs: after an image it starts the process for the next one.
    this.#imageDecoder ??= openImageDecoder(this.runner, { onError: assert.fail });
    const imageDecoder = this.#imageDecoder;
    try {
      await processVideo({ ...tools, toneMapping: true, onPlanned: () => {} }, jobId, run);
      if (until === 'plan') return;
      for (let next = await claimChunk(platform.db, null); next; next = await claimChunk(platform.db, null))
        await encodeClaimedChunk(tools, next, { ...run, background: false });
      if (until === 'chunks') return;
      await finishVideo({ ...tools, imageDecoder }, jobId, run);
    } finally {
      sources.close();
    }
  }

  fetchInto({ contentId, channelId }: { contentId: ContentId; channelId: string }, url: string): Promise<JobId> {
    return this.platform.db.transaction((tx) =>
      startFetching(this.tools(), tx, { contentId, channelId, url, hint: 'LANDSCAPE_VIDEO', field: 'input.sourceUrl' }),
    );
  }

  assetRow(id: string): Promise<AssetRow> {
    return this.#row(
      `select mime_type, width, height, duration_ms, package_prefix, extras, loudness,
         array(select folder from renditions r where r.video_asset_id = v.id order by position) as renditions
       from video_assets v where id = $1`,
      id,
    );
  }

  contentRow(id: string): Promise<ContentRow> {
    return this.#row('select status, duration_ms from contents where id = $1', id);
  }

  jobRow(id: string): Promise<JobRow> {
    return this.#row('select status, attempts, error_code, deployed from transcode_jobs where id = $1', id);
  }

  postersOf(contentId: string): Promise<object[]> {
    return this.platform.db.run(sql('posters_of', 'select id from image_assets where content_id = $1'), [contentId]);
  }

  async eventsOf(contentId: string, jobId: string): Promise<string[]> {
    const rows = await this.platform.db.run<{ text: string }>(
      sql(
        'events_of',
        `select concat_ws(' ', type, payload ->> 'status') as text from events where subject_id in ($1, $2) ` +
          'order by id',
      ),
      [contentId, jobId],
    );
    return rows.map(({ text }) => text);
  }

  async keys(prefix: string): Promise<string[]> {
    const found: string[] = [];
    for await (const { key } of this.platform.store.list(prefix)) found.push(key);
    return found;
  }

  async eventually(holds: () => Promise<boolean>, otherwise: string): Promise<void> {
    for (let tries = 0; tries < 300; tries += 1) {
      if (await holds()) return;
      await sleep(100);
    }
    assert.fail(otherwise);
  }

  async #row<Row extends object>(text: string, id: string): Promise<Row> {
    return (await this.platform.db.first<Row>(sql('row_of', text), [id])) ?? assert.fail('no such row');
  }
}

/**
 * Starts a worker that may fetch from this machine, unless `work` is false; `space` is the capacity of its store,
 * unlimited by default. With `instant`, standard files are playable before they are encoded.
 */
export async function openTestProcessing({
  space,
  work = true,
  instant = false,
}: {
  space?: StorageSpace;
  work?: boolean;
  instant?: boolean;
} = {}): Promise<TestProcessing> {
  const platform = await createAssetsTestPlatform(
    { FETCH_ALLOW: '127.0.0.1', INSTANT_PLAYBACK: instant ? 'on' : 'off' },
    space,
  );
  const runner = await openTestRunner();
  const fixture = new TestProcessing(platform, runner, await makeClip(runner));
  await platform.jobs.start();
  if (!work) return fixture;
  await fixture.media.startWork();
  await fixture.media.startMediaWork({ runner, toneMapping: true });
  return fixture;
}

async function makeClip(runner: Runner): Promise<Buffer> {
  const inputs = ['-f', 'lavfi', '-i', 'testsrc2=s=160x90:r=25:d=1', '-f', 'lavfi', '-i', 'sine=d=1'];
  const codecs = ['-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-preset', 'ultrafast', '-c:a', 'aac'];
  return readClip(runner, 'clip.mp4', [...inputs, ...codecs]);
}

/** The store; calls `onStore` before each file of a package. */
function watchedStore(store: ObjectStore, onStore: () => Promise<void>, written: string[]): ObjectStore {
  return {
    put: (key, body, options) => {
      if (key.endsWith('.m4s')) written.push(key);
      return store.put(key, body, options);
    },
    putFile: async (key, path, options) => {
      await onStore();
      return store.putFile(key, path, options);
    },
    head: (key) => store.head(key),
    checksum: (key) => store.checksum(key),
    entries: () => store.entries(),
    read: (key, range) => store.read(key, range),
    send: (key, out, plan) => store.send(key, out, plan),
    withLocalFile: (key, use) => store.withLocalFile(key, use),
    delete: (key) => store.delete(key),
    deletePrefix: (prefix) => store.deletePrefix(prefix),
    list: (prefix) => store.list(prefix),
  };
}
