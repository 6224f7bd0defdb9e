import { toNumber } from '../../inspect/fraction.ts';
import type { MediaFacts, VideoFacts } from '../../inspect/media-facts.ts';
import { reportedFrame } from '../../inspect/reported-frames.ts';

/** The filter that reports a picture on standard error, for `changeWatch`. */
export const REPORT_PICTURE = 'showinfo=checksum=0';
/**
 * A branch of a graph of sound that reports its first frame: ffmpeg configures the graph again where the sound changes,
 * and the first frame after that is reported, too.
 */
export const REPORT_SOUND = "aselect='not(n)',ashowinfo,anullsink";

/**
 * Reads the lines in which ffmpeg reports pictures and sound, and calls `onChange` with what is not as `facts` have it
 * or as it was before: filters that were set up for the beginning make something else of what follows. Pure.
 */
export function changeWatch(facts: MediaFacts, onChange: (change: string) => void): (line: string) => void {
  let shape = facts.video && expectedShape(facts.video);
  const colours = { matrix: facts.video?.colour.matrix ?? null, range: null as string | null };
  let sound: string | null = null;
  return (line) => {
    const found = reportedFrame(line);
    if (found?.kind === 'picture') {
      const { width, height, pixelFormat, sar } = found;
      const other = { width, height, pixelFormat: shape?.pixelFormat === null ? null : pixelFormat, sar };
      shape ??= other;
      if (isOther(shape, other)) onChange(`pictures of ${width}x${height} ${pixelFormat} ${sar.toFixed(3)}`);
    }
    if (found?.kind === 'colours') {
      const { matrix, range } = found;
      if (differs(colours.matrix, matrix) || differs(colours.range, range)) onChange(`colors ${matrix} ${range}`);
      colours.matrix ??= matrix;
      colours.range ??= range;
    }
    if (found?.kind !== 'sound') return;
    const format = `${found.channels} ${found.layout} ${found.sampleRate}`;
    if (sound !== null && sound !== format) onChange(`sound ${format}`);
    sound = format;
  };
}

interface Shape {
  readonly width: number;
  readonly height: number;
  /** Null where filters change it. */
  readonly pixelFormat: string | null;
  /** Width to height of a pixel. */
  readonly sar: number;
}

/** A picture as it comes from the decoder, after ffmpeg has turned it. */
function expectedShape({ width, height, rotation, sar, pixelFormat, interlaced }: VideoFacts): Shape {
  const sideways = rotation === 90 || rotation === 270;
  return {
    ...(sideways ? { width: height, height: width } : { width, height }),
    sar: sideways ? 1 / toNumber(sar) : toNumber(sar),
    pixelFormat: interlaced === null ? pixelFormat : null,
  };
}

/** Shapes of pixels are rounded where pictures are turned. */
const SAR_TOLERANCE = 0.01;

function isOther(expected: Shape, found: Shape): boolean {
  const size = expected.width !== found.width || expected.height !== found.height;
  return size || expected.pixelFormat !== found.pixelFormat || Math.abs(found.sar / expected.sar - 1) > SAR_TOLERANCE;
}

/** What is not tagged may be anything. */
function differs(before: string | null, now: string | null): boolean {
  return before !== null && now !== null && before !== now;
}
