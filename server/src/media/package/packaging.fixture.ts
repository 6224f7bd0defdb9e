import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openClips } from '../clips.fixture.ts';
import { decodableFile } from '../images/decodable-file.ts';
import { inspectFile } from '../inspect/inspect-file.ts';
import type { MediaFacts } from '../inspect/media-facts.ts';
import { createRunner } from '../runner.ts';
import { DOWNLOAD_HEAD_BYTES, downloadDirectoryBytes, piecesOf, readDownloadDirectory } from './download-index.ts';
import { packageVideo, type VideoWithManifests } from './package-video.fixture.ts';

/** The sandbox of this machine. */
export const runner = await createRunner();
/** Shared by the test files of a process. */
export const clips = await openClips(runner);
process.once('exit', () => clips.removeNow());
/** For commands of tests. */
export const LIMITS = { cpuSeconds: 60, memoryBytes: 4 * 1024 ** 3, outputBytes: 64 * 1024 ** 2, wallMs: 60_000 };

/** Packages a file like the worker. */
export async function packaged(
  sourcePath: string,
): Promise<{ video: VideoWithManifests; outDir: string; facts: MediaFacts }> {
  const inspection = await inspectFile(runner, sourcePath);
  assert.ok(inspection.ok, JSON.stringify(inspection));
  const inputPath = await decodableFile(runner, sourcePath, { workDir: clips.fresh('source') });
  const outDir = clips.fresh('package');
  return {
    video: await packageVideo(runner, { inputPath, outDir, facts: inspection.facts }),
    outDir,
    facts: inspection.facts,
  };
}

/** Assembles a download of a package with its index; returns the path of the file. */
export async function assembled(outDir: string, indexPath: string | null): Promise<string> {
  assert.ok(indexPath !== null, 'there is no download');
  const index = await readFile(join(outDir, indexPath));
  const length = downloadDirectoryBytes(index);
  const directory = readDownloadDirectory(index.subarray(DOWNLOAD_HEAD_BYTES, DOWNLOAD_HEAD_BYTES + length));
  const bytes: Buffer[] = [];
  for (const { path, start, end } of piecesOf(directory, length, { start: 0, end: directory.sizeBytes - 1 })) {
    const source = path === null ? index : await readFile(join(outDir, path));
    bytes.push(source.subarray(start, end + 1));
  }
  const file = Buffer.concat(bytes);
  assert.equal(file.length, directory.sizeBytes);
  const target = `${clips.fresh('download')}-${indexPath.split('/').at(-1)?.replace('.index', '')}`;
  await writeFile(target, file);
  return target;
}

interface DecodedStream {
  codec_type: string;
  codec_name: string;
  width?: number;
  height?: number;
  start_time?: string;
  sample_aspect_ratio?: string;
  pix_fmt?: string;
  color_space?: string;
  color_transfer?: string;
  color_range?: string;
  channels?: number;
  channel_layout?: string;
  nb_read_packets: string;
}

/** Reads a rendition from its playlist, like a player, and counts frames. */
export async function playedBack(outDir: string, path: string): Promise<DecodedStream> {
  const entries =
    'codec_type,codec_name,width,height,start_time,sample_aspect_ratio,pix_fmt,color_space,color_transfer,color_range,channels,channel_layout,nb_read_packets';
  const args = [
    '-count_packets',
    '-show_entries',
    `stream=${entries}`,
    '-of',
    'json',
    '-protocol_whitelist',
    'file',
    '-f',
    'hls',
    '-i',
    path,
  ];
  const { stdout } = await runner.run('ffprobe', args, { cwd: outDir, limits: LIMITS });
  const streams = (JSON.parse(stdout) as { streams: DecodedStream[] }).streams; // ffprobe's documented shape
  assert.equal(streams.length, 1);
  return streams[0] as DecodedStream; // length asserted above
}
