import assert from 'node:assert/strict';
import { startTestServer, type TestServer } from '../../../http/testing.ts';
import type { Runner } from '../../../media/index.ts';
import { openTestRunner } from '../../../media/testing.ts';
import { until } from '../../../testing/until.ts';
import { makeVideoFile, processUploadedVideo, uploadVideo } from '../contents/videos.fixture.ts';
import { openTestCatalog, type Person, type TestCatalog, uuidOf } from '../testing.ts';

const PLAYBACK = `query ($id: DID!) { content(id: $id) { status metadata { title }
  assets { videos { edges { node { id playlistUrl duration } } } } outputAssets { video { hls } } } }`;
const WAIT =
  'mutation ($id: DID!) { waitForProcessing(input: { contentId: $id, timeoutSeconds: 60 }) { status error } }';
/** Whether all consumers have read all events, and no job is to be done. */
const IDLE = `select not exists (select 1 from event_cursors where event_id < (select max(id) from events))
  and not exists (select 1 from pgboss.job where state in ('created', 'retry', 'active') and start_after <= now())
  as idle`;

/** What viewers of a content get. */
export interface Playback {
  readonly status: string;
  /** Id of the video that is played. */
  readonly video: string;
  /** Seconds. */
  readonly duration: number;
  /** Ids of all videos that are listed. */
  readonly videos: readonly string[];
}

/** A platform with a worker, uploads over HTTP and published videos. */
export class ReplacementFixture {
  readonly api: TestCatalog;
  readonly server: TestServer;
  readonly runner: Runner;

  private constructor(api: TestCatalog, server: TestServer, runner: Runner) {
    this.api = api;
    this.server = server;
    this.runner = runner;
  }

  static async open(env: Record<string, string> = {}): Promise<ReplacementFixture> {
    const api = await openTestCatalog({ jobs: true, env });
    const runner = await openTestRunner();
    await api.domains.media.startWork();
    await api.domains.media.startMediaWork({ runner, toneMapping: true });
    await api.platform.events.start();
    const server = await startTestServer({ routes: api.domains.media.routes, db: api.platform.db });
    return new ReplacementFixture(api, server, runner);
  }

  async close(): Promise<void> {
    await this.server.close();
    await this.api.platform.events.stop();
    await this.api.platform.jobs.stop({ graceMs: 10_000 });
    await this.api.domains.media.close();
    await this.api.close();
  }

  /** A file of so many seconds, of picture and sound. */
  clip(seconds: number, more: readonly string[] = []): Promise<Buffer> {
    const inputs = ['-f', 'lavfi', '-i', `testsrc2=s=160x90:r=25:d=${seconds}`];
    const sound = ['-f', 'lavfi', '-i', `sine=f=440:d=${seconds}`];
    const codecs = ['-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-preset', 'ultrafast', '-c:a', 'aac', ...more];
    return makeVideoFile(this.runner, this.api, 'a.mp4', [...inputs, ...sound, ...codecs]);
  }

  /** A published content with a processed video, when everything that follows from it is done. */
  async published(owner: Person, bytes: Buffer): Promise<string> {
    const { api } = this;
    const id = await uploadVideo(api, owner, bytes);
    await processUploadedVideo(api, owner, id);
    await api.ok(owner, 'mutation ($id: DID!) { publishContent(id: $id) { id } }', { id });
    await this.idle();
    return id;
  }

  /** Waits until everything that follows from what was done is done. */
  async idle(): Promise<void> {
    await until(async () => (await this.api.row<{ idle: boolean }>(IDLE)).idle, 'consumers and jobs are at work');
  }

  async playback(who: Person | null, id: string): Promise<Playback> {
    const { content } = await this.api.ok(who, PLAYBACK, { id });
    const [, video = ''] = new RegExp(`${uuidOf(id)}/([0-9a-f-]{36})/`).exec(content.outputAssets.video.hls) ?? [];
    const nodes: { id: string; duration: number | null }[] = content.assets.videos.edges.map(
      (edge: { node: object }) => edge.node,
    );
    const videos = nodes.map((node) => uuidOf(node.id));
    const duration = nodes.find((node) => uuidOf(node.id) === video)?.duration;
    assert.ok(duration, 'the video that is played has a duration');
    return { status: content.status, video, duration, videos };
  }

  /** Sends a file to the endpoint of an upload. */
  async put(endpoint: string, bytes: Uint8Array<ArrayBuffer>): Promise<number> {
    const { pathname } = new URL(endpoint);
    return (await this.server.fetch(pathname, { method: 'PUT', body: bytes })).status;
  }

  /** Waits for the newest job of a content to end. */
  async ended(owner: Person, id: string): Promise<{ status: string; error: string | null }> {
    return (await this.api.ok(owner, WAIT, { id })).waitForProcessing;
  }
}
