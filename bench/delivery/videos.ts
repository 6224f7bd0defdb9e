import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type pg from 'pg';
import {
  encryptedPath,
  MASTER_PLAYLIST,
  mediaAddress,
  packagePrefix,
  parseMediaPath,
  videoPrefix,
} from '../../server/src/domains/assets/media-address.ts';
import { rowOf } from '../../server/src/domains/assets/renditions/rendition-row.ts';
import { newId } from '../../server/src/kernel/ids.ts';
import { hlsMaster, type Rendition } from '../../server/src/media/index.ts';
import type { Secrets } from '../../server/src/platform/config/secret-key.ts';
import { contentTypeOf } from '../../server/src/platform/storage/content-types.ts';
import { DiskStore } from '../../server/src/platform/storage/disk-store.ts';

/** A file of the object store. */
export interface StoredFile {
  readonly path: string;
  readonly sizeBytes: number;
  readonly contentType: string;
}

/** Four seconds of 3 Mbit/s. */
export const SEGMENT_BYTES = 1_500_000;
const SMALL_BYTES = 10_000;
const POSTER_BYTES = 60_000;
const SEGMENTS_OF_AN_HOUR = 900;

/** Writes videos and posters straight into the tables and the store of a platform. */
export class Videos {
  readonly #client: pg.Client;
  readonly #root: string;
  readonly #store: DiskStore;
  readonly #channelId: string;
  readonly #context: { readonly baseUrl: string; readonly secrets: Secrets; readonly nowMs: number };
  /** By their paths in the platform. */
  readonly files = new Map<string, StoredFile>();

  constructor(client: pg.Client, options: { dataDir: string; channelId: string; secrets: Secrets }) {
    this.#client = client;
    this.#root = join(options.dataDir, 'objects');
    this.#store = new DiskStore(this.#root);
    this.#channelId = options.channelId;
    this.#context = { baseUrl: 'http://bench', secrets: options.secrets, nowMs: Date.now() };
  }

  /** A video with one file of each kind; returns the path of each. */
  async whole(visibility: 'PUBLIC' | 'PRIVATE'): Promise<Record<'segment' | 'small' | 'master' | 'media', string>> {
    const video = await this.#video(visibility);
    const { prefix } = video;
    const open = visibility === 'PUBLIC';
    const lines = Array.from({ length: SEGMENTS_OF_AN_HOUR }, (_, at) => {
      const name = String(at + 1).padStart(5, '0');
      return `#EXTINF:4.000000,\nseg-${name}.m4s\n`;
    });
    return {
      segment: await this.#put(`${prefix}v720/seg-00001.m4s`, randomBytes(SEGMENT_BYTES), open),
      small: await this.#put(`${prefix}a128/seg-00001.m4s`, randomBytes(SMALL_BYTES), open),
      master: await this.#master(video, open),
      media: await this.#put(`${prefix}v720/index.m3u8`, Buffer.from(`#EXTM3U\n${lines.join('')}`), open),
    };
  }

  /** A segment of a private video that is sent encrypted; returns its path. */
  async encrypted(): Promise<string> {
    const { prefix } = await this.#video('PRIVATE');
    const key = `${prefix}v720/seg-00001.m4s`;
    const path = await this.#put(key, randomBytes(SEGMENT_BYTES), false);
    const parsed = parseMediaPath(path.slice('/media/'.length));
    if (parsed?.target.kind !== 'video' || !parsed.token) throw new Error(`${path} is not signed`);
    const sealed = encryptedPath(this.#context.secrets, parsed.target, parsed.token);
    const file = this.files.get(path);
    if (file) this.files.set(sealed, file);
    return sealed;
  }

  /** The master playlist of a public video with captions; returns its path. */
  async captioned(): Promise<string> {
    const video = await this.#video('PUBLIC');
    const captions = newId();
    await this.#client.query(
      `insert into captions (id, channel_id, content_id, language, label, kind, vtt, created_at, updated_at)
       values ($1, $2, $3, 'en', 'English', 'SUBTITLES', 'WEBVTT', now(), now())`,
      [captions, this.#channelId, video.contentId],
    );
    return this.#master(video, true);
  }

  /** A small segment of each of `count` videos; returns the paths. */
  async many(count: number, visibility: 'PUBLIC' | 'PRIVATE'): Promise<string[]> {
    const paths: string[] = [];
    for (let at = 0; at < count; at += 1) {
      const { prefix } = await this.#video(visibility);
      const key = `${prefix}a128/seg-00001.m4s`;
      // Not through the store, which waits for the disk each time.
      const path = join(this.#root, key);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, randomBytes(SMALL_BYTES));
      paths.push(this.#address(key, SMALL_BYTES, visibility === 'PUBLIC'));
    }
    return paths;
  }

  /** The poster of a public video; returns its path. */
  async poster(): Promise<string> {
    const { contentId } = await this.#video('PUBLIC');
    const id = newId();
    await this.#client.query(
      `insert into image_assets (id, channel_id, content_id, purpose, alt, width, height, mime_type, size_bytes,
        object_prefix, variants, dominant_color, blurhash)
       values ($1, $2, $3, 'POSTER', '', 1280, 720, 'image/jpeg', $4, $5, '[{"file":"w1280.jpg"}]', '#102030', 'L6')`,
      [id, this.#channelId, contentId, POSTER_BYTES, `images/${id}/`],
    );
    return this.#put(`images/${id}/w1280.jpg`, randomBytes(POSTER_BYTES), true);
  }

  /** The master playlist of renditions; the bare server sends the same number of bytes from a file. */
  async #master({ contentId, videoId }: BenchVideo, open: boolean): Promise<string> {
    const shared = { video_asset_id: videoId, state: 'STORED' };
    const rows = RENDITIONS.map((rendition, position) => ({ ...rowOf(rendition), position, ...shared }));
    await this.#client.query(
      'insert into renditions select * from jsonb_populate_recordset(null::renditions, $1::jsonb)',
      [JSON.stringify(rows)],
    );
    return this.#put(`${videoPrefix(contentId, videoId)}${MASTER_PLAYLIST}`, Buffer.from(hlsMaster(RENDITIONS)), open);
  }

  async #video(visibility: string): Promise<BenchVideo> {
    const [contentId, videoId] = [newId(), newId()];
    const prefix = packagePrefix(contentId, videoId, newId(), 1);
    await this.#client.query(
      `insert into contents (id, channel_id, kind, title, visibility, status, published_at)
       values ($1, $2, 'FEATURE', 'A video', $3, 'PUBLISHED', now())`,
      [contentId, this.#channelId, visibility],
    );
    await this.#client.query(
      `insert into video_assets (id, channel_id, content_id, hint, filename, source_key, size_bytes, package_prefix)
       values ($1, $2, $3, 'LANDSCAPE_VIDEO', 'video.mov', $4, 4, $5)`,
      [videoId, this.#channelId, contentId, `sources/${videoId}`, prefix],
    );
    return { contentId, videoId, prefix };
  }

  async #put(key: string, bytes: Buffer, open: boolean): Promise<string> {
    await this.#store.put(key, bytes, { contentType: contentTypeOf(key) });
    return this.#address(key, bytes.length, open);
  }

  #address(key: string, sizeBytes: number, open: boolean): string {
    const path = mediaAddress(this.#context, key, open).slice(this.#context.baseUrl.length);
    this.files.set(path, { path: join(this.#root, key), sizeBytes, contentType: contentTypeOf(key) });
    return path;
  }
}

interface BenchVideo {
  readonly contentId: string;
  readonly videoId: string;
  /** Of its package. */
  readonly prefix: string;
}

const SEGMENTS = { timescale: 25, durations: [100, 100, 50] };
const RENDITIONS: readonly Rendition[] = [
  ...[1080, 720, 480, 360].map((height) => ({
    ...{ kind: 'VIDEO' as const, folder: `a-1/v${height}`, origin: 'ENCODE' as const, label: `${height}p` },
    ...{
      width: 2 * Math.round((height * 8) / 9),
      height,
      frameRate: { num: 25, den: 1 },
      codecs: 'avc1.640028',
      ...SEGMENTS,
    },
    ...{ peakBps: height * 4_000, averageBps: height * 3_000, iframes: null },
  })),
  {
    ...{ kind: 'AUDIO', folder: 'a-1/audio', origin: 'ENCODE', track: 0, name: 'Main', language: 'en', channels: 2 },
    ...{ codecs: 'mp4a.40.2', sampleRate: 48_000, isDefault: true, peakBps: 130_000, averageBps: 128_000, ...SEGMENTS },
  },
];
