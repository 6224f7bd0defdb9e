import assert from 'node:assert/strict';
import { readClip } from '../../../media/testing.ts';
import { sql } from '../../../platform/db/statement.ts';
import { mediaAddress } from '../../assets/media-address.ts';
import { serveAssetRoutes } from '../../assets/testing.ts';
import { mediaRoutes } from '../../delivery/media.routes.ts';
import { verifyMedia } from '../../delivery/verification/verify-media.ts';
import { openTestProcessing, type TestProcessing } from '../../transcode/encoding/processing.fixture.ts';

export type TestVideo = Awaited<ReturnType<TestProcessing['upload']>>;

/** An enhancement as it is stored. */
interface EnhancementRow<Receipt> {
  readonly jobId: string;
  readonly input: object;
  readonly receipt: Receipt | null;
}

/** Processed videos whose enhancements are ordered, made and looked at; without a worker: tests run each job. */
export class TestEnhancements {
  readonly fixture: TestProcessing;
  readonly #server: Awaited<ReturnType<typeof serveAssetRoutes>>;

  private constructor(fixture: TestProcessing, server: Awaited<ReturnType<typeof serveAssetRoutes>>) {
    this.fixture = fixture;
    this.#server = server;
  }

  static async open(): Promise<TestEnhancements> {
    const fixture = await openTestProcessing({ work: false });
    return new TestEnhancements(fixture, await serveAssetRoutes(mediaRoutes(fixture.platform)));
  }

  async close(): Promise<void> {
    await this.#server.close();
    await this.fixture.close();
  }

  rows<Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    return this.fixture.platform.db.run<Row>(sql('test', text), values);
  }

  /** A clip that ffmpeg makes with these arguments. */
  clip(name: string, ...args: string[]): Promise<Buffer> {
    return readClip(this.fixture.runner, name, args);
  }

  /** A processed video. */
  async ready(bytes: Buffer): Promise<TestVideo> {
    const video = await this.fixture.upload(bytes);
    await this.fixture.process(await this.fixture.submit(video.contentId));
    return video;
  }

  /** Purpose, status and priority. */
  async stateOf(jobId: string): Promise<string> {
    const text = "select concat_ws(' ', purpose, status, priority) as state from transcode_jobs where id = $1";
    return only(await this.rows<{ state: string }>(text, [jobId])).state;
  }

  /** The one enhancement of a video. */
  async enhancementOf<Receipt>({ assetId }: TestVideo): Promise<EnhancementRow<Receipt> | undefined> {
    const text = 'select receipt, input, job_id as "jobId" from enhancements where video_asset_id = $1';
    return (await this.rows<EnhancementRow<Receipt>>(text, [assetId]))[0];
  }

  /** Credits that a job has taken; none where they were returned. */
  async creditsOf(jobId: string): Promise<number[]> {
    const text = 'select credits from generation_charges where job_id = $1';
    return (await this.rows<{ credits: number }>(text, [jobId])).map(({ credits }) => credits);
  }

  /** A playlist or manifest of a video, as it is served. */
  async textOf({ contentId, assetId }: TestVideo, name: string): Promise<string> {
    const { secrets, clock } = this.fixture.platform;
    const key = `media/${contentId}/${assetId}/${name}`;
    return (
      await fetch(mediaAddress({ baseUrl: this.#server.address, secrets, nowMs: clock.now() }, key, false))
    ).text();
  }

  /** What verification finds wrong in all that is stored. */
  async problems() {
    return (await verifyMedia(this.fixture.platform, { repair: false, graceMs: 0 })).problems;
  }

  /** As the channel of a video chooses. */
  async prefer({ channelId }: TestVideo, prefersEnhanced: boolean): Promise<void> {
    await this.rows('update channels set prefer_enhanced = $2 where id = $1', [channelId, prefersEnhanced]);
  }
}

/** The first of what was found, which must be there. */
export function only<T>(found: readonly T[]): T {
  return found[0] ?? assert.fail('there is none');
}
