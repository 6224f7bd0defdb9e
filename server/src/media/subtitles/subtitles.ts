import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { captionsText, readCues } from '@reelgraph/captions';
import { type MasterSubtitle, singleSegmentPlaylist, subtitleNames } from '@reelgraph/manifests';
import { PLAYLIST_NAME } from '../encode/encoded.ts';
import { TEXT_SUBTITLE_CODECS } from '../inspect/codecs.ts';
import { isFileError } from '../inspect/inspect-file.ts';
import type { MediaFacts, SubtitleFacts } from '../inspect/media-facts.ts';
import { pinnedInput } from '../inspect/probe.ts';
import type { Runner } from '../runner.ts';

const FOLDER = 'subs';
const CAPTIONS_NAME = 'captions.vtt';
const MAX_TRACKS = 8;
/** Ten hours of dense speech take a fifth of this. */
const MAX_CAPTION_BYTES = 4 * 1024 * 1024;
/** Time for reading a video of many gigabytes without decoding. */
const LIMITS = { cpuSeconds: 300, memoryBytes: 2 * 1024 ** 3, outputBytes: 1024, wallMs: 900_000 };

/** Captions in a package. */
export interface PackagedCaptions extends Omit<MasterSubtitle, 'uri'> {
  /** Of the WebVTT file, relative to the package. */
  readonly path: string;
  readonly sizeBytes: number;
}

export interface ExtractedSubtitles {
  /** For the master playlist. */
  readonly subtitles: readonly MasterSubtitle[];
  readonly captions: readonly PackagedCaptions[];
  readonly cpuMs: number;
}

/** The text tracks in file order, without bitmap tracks. Pure. */
export function textSubtitles(facts: Pick<MediaFacts, 'subtitles'>): SubtitleFacts[] {
  return facts.subtitles.filter(({ codec }) => TEXT_SUBTITLE_CODECS.has(codec)).slice(0, MAX_TRACKS);
}

/** Names and flags of tracks; the first of several defaults stays one, and the first forced one in a language. Pure. */
export function describedSubtitles(tracks: readonly SubtitleFacts[]): Omit<MasterSubtitle, 'uri'>[] {
  const main = tracks.find(({ isDefault }) => isDefault);
  const names = subtitleNames(tracks);
  return names.map((named, index) => {
    const { isForced = false, describesSound = false } = tracks[index] ?? {};
    const isFirst = !names
      .slice(0, index)
      .some(({ language }, other) => tracks[other]?.isForced && language === named.language);
    return {
      ...named,
      isDefault: main !== undefined && tracks[index] === main,
      isForced: isForced && isFirst,
      describesSound,
    };
  });
}

/** Arguments that print one track as WebVTT. ffmpeg counts from the start of the file, as for video and audio. Pure. */
function captionArgs(demuxer: string, streamIndex: number): string[] {
  return [
    ...pinnedInput(demuxer),
    '-map',
    `0:${streamIndex}`,
    '-c:s',
    'webvtt',
    '-avoid_negative_ts',
    'disabled',
    '-f',
    'webvtt',
    'pipe:1',
  ];
}

/**
 * Writes every non-empty text track of the source as `subs/<n>/`, n from 0, and describes them for the master playlist.
 * Unreadable tracks are omitted.
 * @throws RunError for failures that are not the file's.
 */
export async function extractSubtitles(
  runner: Runner,
  facts: MediaFacts,
  outDir: string,
  durationSeconds: number,
  { inputPath, signal }: { readonly inputPath: string; readonly signal?: AbortSignal },
): Promise<ExtractedSubtitles> {
  // No work folder: these runs only print, and cannot change verified files.
  const run = {
    inputs: [inputPath],
    limits: LIMITS,
    maxStdoutBytes: MAX_CAPTION_BYTES,
    ...(signal === undefined ? {} : { signal }),
  };
  const found: { track: SubtitleFacts; captions: string }[] = [];
  let cpuMs = 0;
  for (const track of textSubtitles(facts)) {
    try {
      const printed = await runner.run('ffmpeg', captionArgs(facts.demuxer, track.index), run);
      cpuMs += printed.cpuMs;
      const cues = readCues(printed.stdout, durationSeconds);
      if (cues.length > 0) found.push({ track, captions: captionsText(cues) });
    } catch (error) {
      if (!isFileError(error)) throw error;
    }
  }
  const names = describedSubtitles(found.map(({ track }) => track));
  const subtitles = names.map((name, index) => ({ ...name, uri: `${FOLDER}/${index}/${PLAYLIST_NAME}` }));
  for (const [index, { captions }] of found.entries()) {
    const folder = join(outDir, FOLDER, `${index}`);
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, CAPTIONS_NAME), captions, { mode: 0o644 });
    await writeFile(join(folder, PLAYLIST_NAME), singleSegmentPlaylist(CAPTIONS_NAME, durationSeconds), {
      mode: 0o644,
    });
  }
  const captions = names.map((name, index) => ({
    ...name,
    path: `${FOLDER}/${index}/${CAPTIONS_NAME}`,
    sizeBytes: Buffer.byteLength(found[index]?.captions ?? ''),
  }));
  return { subtitles, captions, cpuMs };
}
