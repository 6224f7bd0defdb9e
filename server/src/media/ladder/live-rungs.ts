import { h264HighCodecs, h264LevelIdc } from './h264-level.ts';
import { maxrate, planSizes } from './ladder.ts';

/** A size in which a broadcast is encoded, beside that of its encoder. */
export interface LiveRung {
  /** Display name: `480p`. */
  readonly label: string;
  readonly width: number;
  readonly height: number;
  /** Maximum bit rate over the encoder's buffer of `bufsizeBits`. */
  readonly maxrateBps: number;
  readonly bufsizeBits: number;
  /** Requested level_idc of H.264: 40 is level 4.0. */
  readonly levelIdc: number;
  /** RFC 6381. */
  readonly codecs: string;
}

/** More sizes take CPU time that a second broadcast needs. */
const MOST_RUNGS = 3;
/** Smaller ones are for recordings, whose encoding nobody waits for. */
const LEAST_LINES = 240;

/** The sizes for a broadcast, from large to small, all smaller than that of its encoder. Pure. */
export function liveRungs({
  width,
  height,
  frameRate,
}: {
  readonly width: number;
  readonly height: number;
  readonly frameRate: number;
}): LiveRung[] {
  const [, ...smaller] = planSizes(width, height).filter(({ size }) => size >= LEAST_LINES);
  return smaller.slice(0, MOST_RUNGS).map((size) => {
    const maxrateBps = maxrate(size.width * size.height, frameRate);
    const levelIdc = h264LevelIdc(size.width, size.height, frameRate, maxrateBps);
    return {
      ...{ label: size.label, width: size.width, height: size.height, levelIdc, codecs: h264HighCodecs(levelIdc) },
      // Live, a short buffer: what is behind cannot be made up for.
      ...{ maxrateBps, bufsizeBits: maxrateBps },
    };
  });
}

/**
 * Arguments of ffmpeg that encode the pictures of a broadcast, which arrive as fragments on standard input, in several
 * sizes. It writes fragments of a picture each to standard output, with a track for each size, in their order.
 * Keyframes are where the source has them. Pure.
 */
export function liveRungArgs(rungs: readonly LiveRung[]): string[] {
  const split = rungs.map((_, index) => `[s${index}]`).join('');
  const scaled = rungs.map(
    ({ width, height }, index) => `[s${index}]scale=${width}:${height},format=yuv420p[v${index}]`,
  );
  return [
    ...['-hide_banner', '-loglevel', 'error', '-nostdin', '-nostats'],
    // It starts with the first picture.
    ...['-analyzeduration', '0', '-fpsprobesize', '0', '-protocol_whitelist', 'pipe'],
    ...['-f', 'mp4', '-i', 'pipe:0', '-filter_complex', [`[0:v]split=${rungs.length}${split}`, ...scaled].join(';')],
    ...rungs.flatMap((rung, index) => encoded(rung, index)),
    // Neither frames that are repeated or left out, nor keyframes of its own.
    ...['-fps_mode', 'passthrough', '-enc_time_base', `1:${TICKS}`, '-g', '100000', '-sc_threshold', '0', '-bf', '0'],
    ...[
      '-force_key_frames',
      'source',
      '-map_metadata',
      '-1',
      '-use_editlist',
      '0',
      '-video_track_timescale',
      `${TICKS}`,
    ],
    ...['-movflags', '+frag_every_frame+empty_moov+default_base_moof+frag_discont', '-flush_packets', '1'],
    ...['-f', 'mp4', 'pipe:1'],
  ];
}

/** Of a second. */
const TICKS = 90_000;

function encoded({ maxrateBps, bufsizeBits, levelIdc }: LiveRung, index: number): string[] {
  return [
    ...[
      '-map',
      `[v${index}]`,
      `-c:v:${index}`,
      'libx264',
      `-preset:v:${index}`,
      'veryfast',
      `-profile:v:${index}`,
      'high',
    ],
    ...[`-tune:v:${index}`, 'zerolatency', `-crf:v:${index}`, '23', `-level:v:${index}`, `${levelIdc / 10}`],
    ...[`-maxrate:v:${index}`, `${maxrateBps}`, `-bufsize:v:${index}`, `${bufsizeBits}`, `-threads:v:${index}`, '1'],
  ];
}
