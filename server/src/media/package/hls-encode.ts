import { type ColourPlan, planColour } from '../inspect/colour-plan.ts';
import { type Fraction, formatFraction, toNumber } from '../inspect/fraction.ts';
import type { MediaFacts, VideoFacts } from '../inspect/media-facts.ts';
import { pinnedInput } from '../inspect/probe.ts';
import { type AudioRung, audioRungs, type Ladder, type VideoRung } from './ladder.ts';

/** File names in every rendition folder. */
export const PLAYLIST_NAME = 'index.m3u8';
export const INIT_NAME = 'init.mp4';
/** Numbered from 00000. */
export const SEGMENT_PATTERN = 'seg-%05d.m4s';
/** The video encoder: its names in the API and in ffmpeg. */
export const VIDEO_ENCODER = { name: 'X264', ffmpegName: 'libx264' } as const;
export const THUMBNAIL_FOLDER = 'thumbs';
/** Numbered from 00001. */
export const THUMBNAIL_PATTERN = `${THUMBNAIL_FOLDER}/%05d.jpg`;

/** Thumbnails for the seek bar: one every `intervalMs`, the n-th for the time (n - 1) * intervalMs. */
export interface ThumbnailPlan {
  readonly intervalMs: number;
  readonly width: number;
  readonly height: number;
}

export interface EncodePlan {
  readonly facts: MediaFacts;
  readonly ladder: Ladder;
  readonly thumbnails: ThumbnailPlan | null;
  /** Encoder threads per rung; default ffmpeg's choice by the number of cores. */
  readonly threads?: number;
}

/** At most 100 thumbnails, at most one a second, 160 pixels on the long side. */
export function planThumbnails(facts: Pick<MediaFacts, 'durationMs' | 'video'>): ThumbnailPlan | null {
  if (facts.video === null) return null;
  const { displayWidth, displayHeight } = facts.video;
  const factor = Math.min(1, 160 / Math.max(displayWidth, displayHeight));
  const even = (value: number) => Math.max(2, 2 * Math.round((value * factor) / 2));
  return {
    intervalMs: Math.max(1000, Math.ceil((facts.durationMs ?? 0) / 100)),
    width: even(displayWidth),
    height: even(displayHeight),
  };
}

/**
 * Arguments of ONE ffmpeg process that decodes the source once and writes each video rung, the shared audio tracks and
 * the thumbnails, in folders relative to the work folder. Keyframes are at the same times in every rung, and segments
 * are cut only there. Progress goes to standard output (see `parseProgress`). Pure.
 */
export function encodeArgs(plan: EncodePlan): string[] {
  const { facts, ladder } = plan;
  return [
    ...['-progress', 'pipe:1', '-stats_period', '1'],
    ...pinnedInput(facts.demuxer),
    ...filterGraphs(plan).flatMap((graph) => ['-filter_complex', graph]),
    ...ladder.video.flatMap((rung, index) => videoOutput(rung, index, ladder.segmentSeconds, plan.threads)),
    ...audioRungs(ladder).flatMap((rung, index) => audioOutput(rung, index, ladder.segmentSeconds)),
    ...(plan.thumbnails === null ? [] : thumbnailOutput()),
  ];
}

/** Removes private metadata of the author (location, device, software). */
export const ANONYMOUS = ['-map_metadata', '-1', '-map_chapters', '-1'];

function videoOutput(rung: VideoRung, index: number, segmentSeconds: Fraction, threads: number | undefined): string[] {
  const gop = `${rung.gopFrames}`;
  return [
    ...['-map', `[v${index}]`, ...ANONYMOUS, '-fps_mode', 'passthrough'],
    ...[
      '-c:v',
      VIDEO_ENCODER.ffmpegName,
      '-preset',
      'veryfast',
      '-profile:v',
      'high',
      '-level:v',
      level(rung.levelIdc),
      '-crf',
      '23',
    ],
    ...['-maxrate', `${rung.maxrateBps}`, '-bufsize', `${rung.bufsizeBits}`],
    ...['-g', gop, '-keyint_min', gop, '-sc_threshold', '0', '-flags', '+cgop'],
    ...(threads === undefined ? [] : ['-threads', `${threads}`]),
    ...hlsOutput(rung.folder, segmentSeconds),
  ];
}

function audioOutput(rung: AudioRung, index: number, segmentSeconds: Fraction): string[] {
  return [
    ...['-map', `[a${index}]`, ...ANONYMOUS, '-c:a', 'aac', '-profile:a', 'aac_low', '-b:a', `${rung.bitrateBps}`],
    ...hlsOutput(rung.folder, segmentSeconds),
  ];
}

function thumbnailOutput(): string[] {
  return [
    '-map',
    '[t]',
    ...ANONYMOUS,
    '-fps_mode',
    'passthrough',
    '-c:v',
    'mjpeg',
    '-q:v',
    '6',
    '-f',
    'image2',
    THUMBNAIL_PATTERN,
  ];
}

/**
 * Fragmented MP4 (RFC 8216 section 3.3), a complete VOD playlist, with independently decodable segments.
 * `avoid_negative_ts` is off so that reordering of B-frames and the priming of AAC become one plain edit list entry,
 * which places the first frame and the first sample at 0 in all renditions; with ffmpeg's default, frames are up to 83
 * ms late.
 */
function hlsOutput(folder: string, segmentSeconds: Fraction): string[] {
  return [
    ...[
      '-f',
      'hls',
      '-avoid_negative_ts',
      'disabled',
      '-hls_time',
      wholeMicroseconds(segmentSeconds),
      '-hls_playlist_type',
      'vod',
      '-hls_list_size',
      '0',
    ],
    ...['-hls_segment_type', 'fmp4', '-hls_fmp4_init_filename', INIT_NAME, '-hls_flags', 'independent_segments'],
    ...['-hls_segment_filename', `${folder}/${SEGMENT_PATTERN}`, `${folder}/${PLAYLIST_NAME}`],
  ];
}

/** Rounded down to the microsecond, so that a keyframe exactly at the boundary is never too early for the cut. */
function wholeMicroseconds(value: Fraction): string {
  return (Math.floor((value.num * 1_000_000) / value.den) / 1_000_000).toFixed(6);
}

function level(idc: number): string {
  return `${Math.floor(idc / 10)}.${idc % 10}`;
}

/**
 * The filters between the decoder and the encoders. One graph for each audio rung: a graph holds back all its frames
 * until each of its inputs has one, and a track may begin late. Exported for its tests.
 */
export function filterGraphs({ facts, ladder, thumbnails }: EncodePlan): string[] {
  const sound = audioRungs(ladder).map((rung, index) => {
    const isOther = rung.source.index !== facts.audio?.index;
    return `[0:${rung.source.index}]${audioFilters(rung, isOther ? facts.durationMs : null).join(',')}[a${index}]`;
  });
  return facts.video === null ? sound : [videoChains(facts.video, ladder.video, thumbnails).join(';'), ...sound];
}

function videoChains(video: VideoFacts, rungs: readonly VideoRung[], thumbnails: ThumbnailPlan | null): string[] {
  const colour = planColour(video);
  const fastest = rungs.reduce(
    (best, rung) => (toNumber(rung.frameRate) > toNumber(best) ? rung.frameRate : best),
    rungs[0]?.frameRate ?? { num: 30, den: 1 },
  );
  const branches = [...rungs.map((_, index) => `[s${index}]`), ...(thumbnails === null ? [] : ['[st]'])];
  // ffmpeg rotates frames before the graph (autorotate), so sizes here are as displayed.
  const common = [
    ...deinterlace(video.interlaced),
    // Starts at time 0 for any source: a late first frame is shown earlier, gaps are filled, surplus is dropped.
    `fps=${formatFraction(fastest)}:start_time=0`,
    ...shrunk(video, rungs[0]),
    ...colour.before,
    `split=${branches.length}${branches.join('')}`,
  ];
  const chains = [`[0:${video.index}]${common.join(',')}`];
  rungs.forEach((rung, index) => {
    const slower =
      toNumber(rung.frameRate) < toNumber(fastest) ? [`fps=${formatFraction(rung.frameRate)}:start_time=0`] : [];
    chains.push(`[s${index}]${[...slower, ...scaled(rung.width, rung.height, colour)].join(',')}[v${index}]`);
  });
  if (thumbnails !== null) {
    // `round=up` with the start fixed yields the frame at 0, then the first one at or after each multiple of the
    // interval.
    const sparse = `fps=1000/${thumbnails.intervalMs}:start_time=0:round=up`;
    chains.push(`[st]${[sparse, ...scaledStill(thumbnails.width, thumbnails.height, colour)].join(',')}[t]`);
  }
  return chains;
}

/** Sources above the largest rung (8K) are scaled to its size first, before other filters. */
function shrunk(video: VideoFacts, largest: VideoRung | undefined): string[] {
  const needed = largest !== undefined && video.displayWidth > 1.1 * largest.width;
  return needed ? [`scale=w=${largest.width}:h=${largest.height}:flags=bicubic`] : [];
}

/** Square pixels, 8-bit 4:2:0, limited range, tagged. The tags are set on the frames, where the encoder reads them. */
function scaled(width: number, height: number, colour: ColourPlan): string[] {
  const { primaries, transfer, matrix } = colour.tags;
  const options = [
    `w=${width}`,
    `h=${height}`,
    'flags=bicubic',
    ...colour.read,
    `out_color_matrix=${colour.writeMatrix}`,
    'out_range=tv',
  ];
  return [
    `scale=${options.join(':')}`,
    'format=yuv420p',
    'setsar=1',
    `setparams=range=tv:color_primaries=${primaries}:color_trc=${transfer}:colorspace=${matrix}`,
  ];
}

/** The same for a JPEG, which is full-range BT.601 by definition (JFIF 1.02, "Color space"). */
export function scaledStill(width: number, height: number, colour: ColourPlan): string[] {
  const options = [
    `w=${width}`,
    `h=${height}`,
    'flags=bicubic',
    ...colour.read,
    'out_color_matrix=bt601',
    'out_range=pc',
  ];
  return [`scale=${options.join(':')}`, 'format=yuvj420p', 'setsar=1'];
}

/** One frame per frame: 25 interlaced frames become 25 progressive ones. */
export function deinterlace(interlaced: VideoFacts['interlaced']): string[] {
  return interlaced === null ? [] : [`bwdif=mode=send_frame:parity=${interlaced === 'tt' ? 'tff' : 'bff'}:deint=all`];
}

/**
 * Peak of sound that was mixed down: -2 dBFS. Loud channels add up to far more than full scale (ITU-R BS.775), and
 * encoders overshoot a little. The gain falls over 20 ms before a peak, so that nothing is distorted.
 */
const LIMITER = 'alimiter=limit=0.794:level=disabled:latency=1:attack=20:release=100';

/**
 * From time 0 (silence until the audio starts), with gaps filled, mixed to the target channels; with `durationMs`,
 * padded or cut to that length.
 */
function audioFilters({ source, channels, sampleRate }: AudioRung, durationMs: number | null): string[] {
  const seconds = durationMs === null ? null : durationMs / 1000;
  return [
    `aresample=${sampleRate}:async=1:first_pts=0`,
    `aformat=sample_fmts=fltp:channel_layouts=${LAYOUTS[channels]}`,
    ...(source.channels > channels ? [LIMITER] : []),
    ...(seconds === null ? [] : [`apad=whole_dur=${seconds}`, `atrim=end=${seconds}`]),
  ];
}

const LAYOUTS: Readonly<Record<AudioRung['channels'], string>> = { 1: 'mono', 2: 'stereo', 6: '5.1' };

/** One line of `-progress` output: the encoder's position in milliseconds; null for other lines. */
export function parseProgress(line: string): number | null {
  const match = /^out_time_us=(\d+)$/.exec(line);
  return match === null ? null : Number(match[1]) / 1000;
}
