import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { until } from '../../../testing/until.ts';
import type { Person } from '../../catalog/testing.ts';
import type { LiveFixture } from '../live.fixture.ts';

const run = promisify(execFile);

const PUBLISH = `mutation ($input: PublishVideoInput!) { publishVideo(input: $input) {
  content { id } job { id } upload { endpoint } } }`;
const VIDEO = `query ($id: DID!) { content(id: $id) { status publishWhenReady outputAssets { video { hls dash } }
  assets { videos { edges { node { id arriving playlistUrl format sizeBytes } } } } } }`;

/** A file of a moving picture and a tone. */
export interface TestFile {
  readonly name: string;
  /** Of ffmpeg, for its container; by default those of MP4 with its index first. */
  readonly args?: readonly string[];
  readonly seconds?: number;
  /** Of ffmpeg, for the codecs. */
  readonly codecs?: readonly string[];
}

const CODECS = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', '50', '-sc_threshold', '0'];

/** The bytes of a file that ffmpeg makes. */
export async function makeFile({ name, args = [], seconds = 12, codecs = [] }: TestFile): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'reelgraph-arriving-'));
  const path = join(folder, name);
  const inputs = [`testsrc2=s=320x180:r=25:d=${seconds}`, `sine=r=48000:d=${seconds}`];
  try {
    await run('ffmpeg', [
      ...['-v', 'error', ...inputs.flatMap((input) => ['-f', 'lavfi', '-i', input])],
      ...[...CODECS, '-c:a', 'aac', ...codecs, ...args, path],
    ]);
    return await readFile(path);
  } finally {
    await rm(folder, { recursive: true });
  }
}

export const FASTSTART = ['-movflags', '+faststart'];

/** An upload that was opened. */
export interface TestUpload {
  readonly contentId: string;
  readonly endpoint: string;
  readonly jobId: string;
}

/** Opens uploads and sends their bytes, by HTTP. */
export class Sender {
  readonly #live: LiveFixture;

  constructor(live: LiveFixture) {
    this.#live = live;
  }

  async open(owner: Person, file: Buffer, values: Record<string, unknown> = {}): Promise<TestUpload> {
    const input = { title: 'Holiday', filename: 'holiday.mp4', size: file.length, publish: false, ...values };
    const { content, job, upload } = (await this.#live.api.ok(owner, PUBLISH, { input })).publishVideo;
    return { contentId: content.id, endpoint: upload.endpoint, jobId: job.id };
  }

  /** Sends a part of a file by tus; the response. */
  send({ endpoint }: Pick<TestUpload, 'endpoint'>, file: Buffer, from: number, to: number): Promise<Response> {
    return fetch(endpoint, {
      method: 'PATCH',
      headers: {
        'tus-resumable': '1.0.0',
        'upload-offset': `${from}`,
        'content-type': 'application/offset+octet-stream',
      },
      body: new Uint8Array(file.subarray(from, to)),
    });
  }

  /** Sends a share of the file from its beginning; the bytes that were sent. */
  async begin(upload: TestUpload, file: Buffer, share = 0.6): Promise<number> {
    const sent = Math.floor(share * file.length);
    assert.equal((await this.send(upload, file, 0, sent)).status, 204);
    return sent;
  }

  /** Sends the rest. */
  async finish(upload: TestUpload, file: Buffer, sent: number): Promise<void> {
    assert.equal((await this.send(upload, file, sent, file.length)).status, 204);
  }

  // biome-ignore lint/suspicious/noExplicitAny: assertions check it
  async content(who: Person | null, { contentId }: Pick<TestUpload, 'contentId'>): Promise<any> {
    return (await this.#live.api.run(who, VIDEO, { id: contentId })).data?.content ?? null;
  }

  /** The newest video of the content, as somebody sees it; null where there is none. */
  // biome-ignore lint/suspicious/noExplicitAny: assertions check it
  async video(who: Person | null, upload: Pick<TestUpload, 'contentId'>): Promise<any> {
    return (await this.content(who, upload))?.assets.videos.edges[0]?.node ?? null;
  }

  /** Waits until an upload is played; its video. */
  // biome-ignore lint/suspicious/noExplicitAny: assertions check it
  async played(owner: Person, upload: TestUpload): Promise<any> {
    await until(async () => (await this.video(owner, upload))?.arriving === true, 'the upload was never played');
    return this.video(owner, upload);
  }

  /** The media playlist of a track, by the master playlist at an address. */
  async playlist(masterUrl: string, track: 'video' | 'audio' = 'video', query = ''): Promise<string> {
    const master = await this.#live.text(masterUrl);
    const [path] = new RegExp(`[\\w./-]*${track}/index\\.m3u8`).exec(master) ?? [];
    assert.ok(path, master);
    return this.#live.text(new URL(path, masterUrl).href + query);
  }
}

/** How many segments a playlist has. */
export const segmentsIn = (playlist: string): number => playlist.match(/#EXTINF/g)?.length ?? 0;

/** How long they are, in seconds. */
export const durationsIn = (playlist: string): number[] =>
  [...playlist.matchAll(/#EXTINF:([\d.]+)/g)].map(([, seconds]) => Number(seconds));
