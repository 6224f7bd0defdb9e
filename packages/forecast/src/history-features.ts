/** The first days of a video. */
export interface ViewHistory {
  /** Views of each day since its publication, the first day first. */
  readonly daily: ArrayLike<number>;
  /** Weekday of the first day, 0 Monday to 6 Sunday; null where it is not known. */
  readonly weekday: number | null;
  /** Mean views of the channel's previous videos in their first week; null where it is not known. */
  readonly channelViews: number | null;
}

/** Days before `age` that are features of their own. */
const RECENT_DAYS = 7;
const WINDOWS = [2, 3, 7, 14];
/** Curves that project the coming days decline by these exponents of the age. */
const DECLINES = [0, 0.5, 1, 1.5];

/** Views of the first `days` days. */
export function viewsUntil(daily: ArrayLike<number>, days: number): number {
  let sum = 0;
  for (let day = 0; day < days; day += 1) sum += daily[day] ?? 0;
  return sum;
}

/**
 * What a history of `age` days tells about the views until `horizon`, as numbers on the scale of a logarithm: levels
 * relative to the views so far, growth, change, regularity, weekday, the channel, and simple projections. All
 * histories of the same age have the same number of features.
 */
export function historyFeatures({ daily, weekday, channelViews }: ViewHistory, age: number, horizon: number): number[] {
  const total = viewsUntil(daily, age);
  const level = Math.log1p(total);
  const logs = Array.from({ length: age }, (_, day) => Math.log1p(daily[day] ?? 0));
  const recent = Array.from({ length: Math.min(RECENT_DAYS, age) }, (_, back) => logs[age - 1 - back]! - level);
  const windows = WINDOWS.filter((window) => window < age);
  const sums = windows.map((window) => Math.log1p(total - viewsUntil(daily, age - window)) - level);
  const starts = windows.map((window) => Math.log1p(viewsUntil(daily, window)) - level);
  const angle = weekday === null ? null : (2 * Math.PI * weekday) / 7;
  return [
    level,
    ...recent,
    ...sums,
    ...starts,
    logs[0]! - level,
    ...trend(logs.slice(-RECENT_DAYS)),
    ...trend(logs),
    ...regularity(daily, age, total),
    ...(angle === null ? [0, 0] : [Math.sin(angle), Math.cos(angle)]),
    channelViews === null ? 0 : Math.log1p(channelViews) - level,
    channelViews === null ? 0 : 1,
    ...DECLINES.map((decline) => projectedGrowth(daily, age, horizon, decline)),
    fittedGrowth(logs, total, horizon),
  ];
}

/** Slope per day of a line through the values, and the deviation from it. */
function trend(values: readonly number[]): [number, number] {
  const centre = (values.length - 1) / 2;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  let [cross, square] = [0, 0];
  for (const [day, value] of values.entries()) {
    cross += (day - centre) * (value - mean);
    square += (day - centre) ** 2;
  }
  const slope = square === 0 ? 0 : cross / square;
  const rest = values.reduce((sum, value, day) => sum + (value - mean - slope * (day - centre)) ** 2, 0);
  return [slope, Math.sqrt(rest / values.length)];
}

/** Share of the strongest day, how late it is, and the share of days without views. */
function regularity(daily: ArrayLike<number>, age: number, total: number): [number, number, number] {
  let [strongest, zeros] = [0, 0];
  for (let day = 0; day < age; day += 1) {
    if ((daily[day] ?? 0) > (daily[strongest] ?? 0)) strongest = day;
    if ((daily[day] ?? 0) === 0) zeros += 1;
  }
  return [total === 0 ? 0 : (daily[strongest] ?? 0) / total, (strongest + 1) / age, zeros / age];
}

/** Growth if the last week (or fewer days) went on, declining with the age to the power of -`decline`. */
function projectedGrowth(daily: ArrayLike<number>, age: number, horizon: number, decline: number): number {
  const start = Math.max(0, age - RECENT_DAYS);
  let weight = 0;
  for (let day = start + 1; day <= age; day += 1) weight += day ** -decline;
  const last = viewsUntil(daily, age) - viewsUntil(daily, start);
  let future = 0;
  for (let day = age + 1; day <= horizon; day += 1) future += day ** -decline;
  return growthOf(viewsUntil(daily, age), (last * future) / weight);
}

/** Growth by a power of the age that was fitted to all days. */
function fittedGrowth(logs: readonly number[], total: number, horizon: number): number {
  const ages = logs.map((_, day) => Math.log(day + 1));
  const meanAge = ages.reduce((sum, value) => sum + value, 0) / ages.length;
  const mean = logs.reduce((sum, value) => sum + value, 0) / logs.length;
  // Shrunk towards no change by one day at a distance of 1.
  let [cross, square] = [0, 1];
  for (const [day, value] of logs.entries()) {
    cross += (ages[day]! - meanAge) * (value - mean);
    square += (ages[day]! - meanAge) ** 2;
  }
  const slope = Math.min(cross / square, 1);
  let future = 0;
  for (let day = logs.length + 1; day <= horizon; day += 1)
    future += Math.expm1(mean + slope * (Math.log(day) - meanAge));
  return growthOf(total, Math.max(0, future));
}

/** The logarithm of how much the views grow, from `now` by `gained`; each with one more. */
export function growthOf(now: number, gained: number): number {
  return Math.log1p(gained / (1 + now));
}
