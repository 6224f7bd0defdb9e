/** What the filters showinfo and ashowinfo of ffmpeg report of a frame. */
export type ReportedFrame = ReportedPicture | ReportedColours | ReportedSound;

export interface ReportedPicture {
  readonly kind: 'picture';
  /** Seconds; null without a time stamp. */
  readonly time: number | null;
  readonly width: number;
  readonly height: number;
  /** Width to height of a pixel, with the same corrections as facts of a file; 1 if unknown. */
  readonly sar: number;
  readonly pixelFormat: string;
}

/** Of the picture before; null where it is not tagged. */
export interface ReportedColours {
  readonly kind: 'colours';
  readonly range: string | null;
  readonly matrix: string | null;
}

export interface ReportedSound {
  readonly kind: 'sound';
  readonly time: number | null;
  readonly channels: number;
  readonly layout: string;
  readonly sampleRate: number;
  readonly samples: number;
}

/** Names of filters come first, so that metadata of a file cannot look like one. */
const FILTER = /^\[Parsed_(a?)showinfo_\d+ @ \w+\] \[info\] (.*)$/;
const PICTURE = /^n: *\d+ pts: *\S+ +pts_time: *(\S+) .* fmt:(\S+) sar:(\d+)\/(\d+) s:(\d+)x(\d+) /;
const COLOURS = /^color_range:(\S+) color_space:(\S+) /;
const SOUND = /^n: *\d+ pts:\S+ pts_time:(\S+) .* channels:(\d+) chlayout:(.*) rate:(\d+) nb_samples:(\d+) /;

/** Reads a line of ffmpeg's standard error; null for others. Pure. */
export function reportedFrame(line: string): ReportedFrame | null {
  const [, isSound, text = ''] = FILTER.exec(line) ?? [];
  if (isSound === undefined) return null;
  return isSound === 'a' ? soundOf(text) : (pictureOf(text) ?? coloursOf(text));
}

function pictureOf(text: string): ReportedPicture | null {
  const match = PICTURE.exec(text);
  if (match === null) return null;
  const [, time = '', pixelFormat = '', num, den, width, height] = match;
  const ratio = Number(num) === 0 || Number(den) === 0 ? 1 : Number(num) / Number(den);
  const sar = ratio > 8 || ratio < 1 / 8 || Math.abs(ratio - 1) < 0.005 ? 1 : ratio;
  return { kind: 'picture', time: timeOf(time), width: Number(width), height: Number(height), sar, pixelFormat };
}

function coloursOf(text: string): ReportedColours | null {
  const match = COLOURS.exec(text);
  const tag = (value: string | undefined) => (value === undefined || value === 'unknown' ? null : value);
  return match && { kind: 'colours', range: tag(match[1]), matrix: tag(match[2]) };
}

function soundOf(text: string): ReportedSound | null {
  const match = SOUND.exec(text);
  if (match === null) return null;
  const [, time = '', channels, layout = '', rate, samples] = match;
  return {
    ...{ kind: 'sound', time: timeOf(time), channels: Number(channels), layout },
    ...{ sampleRate: Number(rate), samples: Number(samples) },
  };
}

function timeOf(text: string): number | null {
  const seconds = Number.parseFloat(text);
  return Number.isFinite(seconds) ? seconds : null;
}
