import { type Band, type GrowthModel, predictGrowth } from './growth-model.ts';
import { growthOf, historyFeatures, type ViewHistory, viewsUntil } from './history-features.ts';

/** Days after publication at which a forecast is made. */
export const AGES = [1, 3, 7, 14, 30] as const;
/** The last day of a forecast. */
export const LAST_DAY = 90;
/** Days for which models are trained, besides the one after each age. */
const MILESTONES = [7, 14, 30, 60, LAST_DAY];

/** Deviations of the logarithm of the views of a day from its middle, for forecast middles up to `upTo`. */
export interface DayDeviations {
  /** Views; null: no limit. */
  readonly upTo: number | null;
  readonly offsets: Band;
}

/** How views grow from one age to a later one. */
export interface TrainedStep {
  readonly age: number;
  readonly horizon: number;
  readonly growth: GrowthModel;
  /** For the views of the day before `horizon` ends, small ones first. */
  readonly days: readonly DayDeviations[];
  /** Videos that it learned from. */
  readonly videos: number;
  /** Share of their outcomes in the band when they were held out. */
  readonly coverage: number;
  /** Mean of the absolute errors of the logarithm of their views, likewise. */
  readonly logError: number;
}

/** Everything that is learned; empty: the prior. */
export type ForecastParameters = readonly TrainedStep[];

/** A forecast of one day. */
export interface ForecastDay {
  /** Days since publication: 1 is the first. */
  readonly day: number;
  /** Views of all days until then. */
  readonly total: Band;
  /** Views of this day. */
  readonly views: Band;
}

/**
 * Exponents of growth by age, an assumption until there are outcomes: from contents with hardly any views after their
 * first day to contents with the same number of views every day (Szabo and Huberman, 2010, found both).
 */
export const PRIOR_POWERS: Band = [0.1, 0.45, 1.1];
/** Likewise, for the logarithm of the views of a day. */
const PRIOR_DAY: DayDeviations = { upTo: null, offsets: [-1.5, 0, 1.5] };

/** The days for which models are trained at an age. */
export function horizonsOf(age: number): number[] {
  return [age + 1, ...MILESTONES.filter((day) => day > age + 1)];
}

/** The latest age for a forecast after so many complete days; null before the first. */
export function forecastAge(completeDays: number): number | null {
  return AGES.findLast((age) => age <= completeDays) ?? null;
}

/** Forecasts each day after `age`, up to the 90th. `history` has at least `age` days; later ones are not looked at. */
export function forecastDays(parameters: ForecastParameters, history: ViewHistory, age: number): ForecastDay[] {
  const now = viewsUntil(history.daily, age);
  const nodes = nodesOf(parameters, history, age);
  const days: ForecastDay[] = [];
  let before: Band = [now, now, now];
  for (let day = age + 1; day <= LAST_DAY; day += 1) {
    const { growth, offsets } = between(nodes, { now, age, day });
    const grown = mapBand(growth, (value) => now + (1 + now) * Math.expm1(value));
    // Views never fall, whatever the models of two milestones say.
    const total = mapBand(grown, (value, index) => Math.max(value, before[index]!));
    days.push({ day, total, views: dayBand(lastDayMiddle(now, age, day, growth[1]), offsets) });
    before = total;
  }
  return days;
}

/** The forecast of the growth from an age to one of its horizons. */
export function growthUntil(
  parameters: ForecastParameters,
  history: ViewHistory,
  { age, horizon }: { readonly age: number; readonly horizon: number },
): Band {
  const now = viewsUntil(history.daily, age);
  return between(nodesOf(parameters, history, age), { now, age, day: horizon }).growth;
}

interface Node {
  readonly day: number;
  readonly growth: Band;
  readonly deviations: readonly DayDeviations[];
}

/** Growth at the age (none) and at each milestone; by the prior from the last milestone that was learned. */
function nodesOf(parameters: ForecastParameters, history: ViewHistory, age: number): Node[] {
  const nodes: Node[] = [{ day: age, growth: [0, 0, 0], deviations: [PRIOR_DAY] }];
  for (const horizon of horizonsOf(age)) {
    const last = nodes.at(-1)!; // it begins with one
    const step = parameters.find((each) => each.age === age && each.horizon === horizon);
    if (!step) {
      const growth = mapBand(
        last.growth,
        (value, index) => value + PRIOR_POWERS[index]! * Math.log(horizon / last.day),
      );
      nodes.push({ day: horizon, growth, deviations: last.deviations });
      continue;
    }
    const found = predictGrowth(step.growth, historyFeatures(history, age, horizon));
    const growth = mapBand(found, (value, index) => Math.max(value, last.growth[index]!));
    nodes.push({ day: horizon, growth, deviations: step.days });
  }
  return nodes;
}

/** Growth until a day, and offsets of the views of that day: linear in the logarithm of the age between two nodes. */
function between(
  nodes: readonly Node[],
  { now, age, day }: { readonly now: number; readonly age: number; readonly day: number },
): { growth: Band; offsets: Band } {
  const index = nodes.findIndex((node) => node.day >= day);
  const [from, to] = [nodes[index - 1]!, nodes[index]!]; // days begin after the first node, and end at the last
  const share = Math.log(day / from.day) / Math.log(to.day / from.day);
  const mixed = (start: Band, end: Band): Band => mapBand(end, (value, i) => start[i]! + share * (value - start[i]!));
  const growth = mixed(from.growth, to.growth);
  const middle = lastDayMiddle(now, age, day, growth[1]);
  return { growth, offsets: mixed(offsetsFor(from.deviations, middle), offsetsFor(to.deviations, middle)) };
}

function offsetsFor(deviations: readonly DayDeviations[], middle: number): Band {
  return (deviations.find(({ upTo }) => upTo === null || middle <= upTo) ?? PRIOR_DAY).offsets;
}

/** The views of a day, from the middle that the growth gives. */
function dayBand(middle: number, offsets: Band): Band {
  const level = Math.log1p(middle);
  return mapBand(offsets, (offset) => Math.max(0, Math.expm1(level + offset)));
}

/** The middle of the views of the last day before `horizon`, from the growth until then and until an earlier day. */
export function lastDayMiddle(now: number, age: number, horizon: number, growth: number): number {
  const before = growth * (Math.log((horizon - 1) / age) / Math.log(horizon / age));
  return (1 + now) * (Math.exp(growth) - Math.exp(before));
}

/** Growth that really came. */
export function realGrowth(daily: ArrayLike<number>, age: number, horizon: number): number {
  const now = viewsUntil(daily, age);
  return growthOf(now, viewsUntil(daily, horizon) - now);
}

function mapBand(band: Band, of: (value: number, index: number) => number): Band {
  return [of(band[0], 0), of(band[1], 1), of(band[2], 2)];
}
