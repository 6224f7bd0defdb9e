/** Ticks of a vertical axis, from below `low` to above `high`; integers if `whole`. */
export function ticks(low: number, high: number, whole: boolean, count = 4): number[] {
  const span = Math.max(high, 0) - Math.min(low, 0) || 1;
  const rough = span / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const nice =
    [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= rough * 0.999) ?? rough;
  const step = whole ? Math.max(1, Math.ceil(nice)) : nice;
  const first = Math.floor(Math.min(low, 0) / step);
  const last = Math.max(Math.ceil(Math.max(high, 0) / step), first + 1);
  return Array.from({ length: last - first + 1 }, (_, index) => Number(((first + index) * step).toPrecision(12)));
}

/** Indexes of the points that get a label when `room` labels fit: evenly spaced, always including the first. */
export function labelIndexes(length: number, room: number): number[] {
  const every = Math.max(1, Math.ceil(length / Math.max(1, room)));
  return Array.from({ length: Math.ceil(length / every) }, (_, index) => index * every);
}

/** Index of the point nearest to `x`, for `length` points spread evenly over `width`. */
export function nearestIndex(x: number, width: number, length: number): number {
  if (length < 2 || width <= 0) return 0;
  return Math.min(length - 1, Math.max(0, Math.round((x / width) * (length - 1))));
}
