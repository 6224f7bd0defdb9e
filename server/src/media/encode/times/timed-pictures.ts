import { TICKS_PER_SECOND } from '../../inspect/picture-times.ts';

/** A picture so little before a segment, in ticks, is its first one: clocks of copies differ by rounding. 1 ms. */
export const TOLERANCE_TICKS = TICKS_PER_SECOND / 1000;

/** Which pictures of a chunk are taken: the first of each segment, and others at least so many ticks after the last. */
export interface TakenPictures {
  /** When segments begin, in ticks from the start of the chunk, from 0. */
  readonly cuts: readonly number[];
  readonly leastStep: number;
}

/** The least ticks between pictures of the slowest of renditions that keep the times of the source. Pure. */
export function slowestStep(rungs: readonly { readonly leastStep?: number }[]): number {
  return Math.max(1, ...rungs.map(({ leastStep = 1 }) => leastStep));
}

/** Those of rising times that are taken. Pure. */
export function taken(times: readonly number[], { cuts, leastStep }: TakenPictures): number[] {
  const found: number[] = [];
  let segment = -1;
  for (const time of times) {
    const before = segment;
    while (segment + 1 < cuts.length && time >= (cuts[segment + 1] ?? 0) - TOLERANCE_TICKS) segment += 1;
    const last = found.at(-1);
    if (last === undefined || segment > before || time - last >= leastStep) found.push(time);
  }
  return found;
}

/** The ffmpeg filter that takes the same, of pictures whose time stamps are such ticks. Pure. */
export function selectTaken({ cuts, leastStep }: TakenPictures): string {
  const rises = `isnan(prev_selected_pts)+gte(pts-prev_selected_pts,${leastStep})`;
  // Pictures of which all are taken need not be the first of their segments.
  return leastStep <= 1 ? `select='${rises}'` : `select='${rises}+lt(prev_selected_pts,${lastCut(cuts)})'`;
}

/** The ffmpeg filter that takes the first picture of each segment. Pure. */
export function selectFirst(cuts: readonly number[]): string {
  return `select='isnan(prev_selected_pts)+lt(prev_selected_pts,${lastCut(cuts)})'`;
}

/** When the segment of a picture begins. Nested by halves: each picture is compared with few of many. */
function lastCut(cuts: readonly number[]): string {
  const [first = 0] = cuts;
  if (cuts.length <= 1) return `${first - TOLERANCE_TICKS}`;
  const middle = Math.ceil(cuts.length / 2);
  const begins = (cuts[middle] ?? 0) - TOLERANCE_TICKS;
  return `if(lt(pts,${begins}),${lastCut(cuts.slice(0, middle))},${lastCut(cuts.slice(middle))})`;
}

/** Ticks of time stamps. */
export const TICK_BASE = `settb=1/${TICKS_PER_SECOND}`;

/** Of an encoder or a muxer, so that it keeps them. */
export const KEEP_TICKS = ['-enc_time_base', `1:${TICKS_PER_SECOND}`] as const;

/** Of an output that lists the times of pictures. */
export function listTimes(from: string, file: string): string[] {
  return ['-map', from, '-fps_mode', 'passthrough', ...KEEP_TICKS, '-c:v', 'rawvideo', '-f', 'framecrc', file];
}

/** The times in such a list. Pure. */
export function listedTimes(list: string): number[] {
  return list
    .split('\n')
    .filter((line) => /^0,/.test(line))
    .map((line) => Number(line.split(',')[2]));
}
