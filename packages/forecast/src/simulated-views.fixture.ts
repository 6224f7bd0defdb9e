import { randomFrom } from './random.ts';

/** A simulated video: its views per day, and what its views will really be in the median and at both ends. */
export interface SimulatedVideo {
  readonly daily: readonly number[];
  /** Weekday of the first day, 0 Monday. */
  readonly weekday: number;
  readonly channel: number;
}

export interface SimulatedVideos {
  readonly seed: number;
  readonly videos: number;
  readonly days: number;
  /** Futures of each video, simulated from its state after `knownDays`: the views of all days together. */
  readonly futures?: { readonly knownDays: number; readonly count: number };
  /** Share of bursts per day. */
  readonly bursts?: number;
  /** Typical views of a video in its first days, all together. */
  readonly typicalViews?: number;
}

interface Randomness {
  uniform(): number;
  normal(): number;
}

interface Traits {
  /** Expected views of a usual first day. */
  readonly size: number;
  /** How fast interest declines with the age, and how much of it never does. */
  readonly decline: number;
  readonly lasting: number;
  readonly weekday: number;
}

interface State {
  /** Logarithm of how much better than usual a day is; it persists. */
  noise: number;
  /** What is left of bursts. */
  burst: number;
}

const NOISE = { persistence: 0.8, deviation: 0.16 };
const BURST_LEFT_PER_DAY = 0.75;
const WEEKLY = [-0.08, -0.1, -0.08, -0.02, 0.05, 0.15, 0.12];

function randomness(seed: number): Randomness {
  const uniform = randomFrom(seed);
  return {
    uniform,
    normal: () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform()),
  };
}

/**
 * Videos of which everything is known: sizes with heavy tails, interest that declines by a power of the age to a
 * lasting rest, persistent noise, weekly cycles, bursts of heavy-tailed size, and Poisson counts.
 */
export function simulateVideos({ seed, videos, days, futures, bursts = 0.006, typicalViews = 400 }: SimulatedVideos): {
  videos: SimulatedVideo[];
  futures: Float64Array[];
} {
  const random = randomness(seed);
  const channels = Array.from({ length: Math.ceil(videos / 20) }, () => 1.1 * random.normal());
  const found: SimulatedVideo[] = [];
  const all: Float64Array[] = [];
  for (let index = 0; index < videos; index += 1) {
    const channel = Math.floor(random.uniform() * channels.length);
    const traits: Traits = {
      size: (typicalViews / 5) * Math.exp(channels[channel]! + 1.3 * random.normal()),
      decline: 0.5 + 0.9 * random.uniform(),
      lasting: 0.35 * random.uniform() ** 2,
      weekday: Math.floor(random.uniform() * 7),
    };
    const state: State = { noise: 0.3 * random.normal(), burst: 0 };
    const daily: number[] = [];
    for (let day = 0; day < days; day += 1) {
      if (futures && day === futures.knownDays) all.push(futuresOf(random, { traits, state, bursts, days }, futures));
      daily.push(viewsOn(random, day, traits, state, bursts));
    }
    found.push({ daily, weekday: traits.weekday, channel });
  }
  return { videos: found, futures: all };
}

function viewsOn(random: Randomness, day: number, traits: Traits, state: State, bursts: number): number {
  state.noise = NOISE.persistence * state.noise + NOISE.deviation * random.normal();
  state.burst *= BURST_LEFT_PER_DAY;
  // Pareto: a hundredth of the bursts is more than twenty times as strong as the weakest.
  if (random.uniform() < bursts) state.burst += 0.5 * (1 - random.uniform()) ** -0.65;
  const interest = traits.lasting + (1 - traits.lasting) * (day + 1) ** -traits.decline;
  const usual = traits.size * Math.exp(state.noise + WEEKLY[(traits.weekday + day) % 7]!);
  return poisson(random, usual * (interest + state.burst));
}

function futuresOf(
  random: Randomness,
  { traits, state, bursts, days }: { traits: Traits; state: State; bursts: number; days: number },
  { knownDays, count }: { knownDays: number; count: number },
): Float64Array {
  return Float64Array.from({ length: count }, () => {
    const own = { ...state };
    let sum = 0;
    for (let day = knownDays; day < days; day += 1) sum += viewsOn(random, day, traits, own, bursts);
    return sum;
  }).sort();
}

/** Large counts by the normal approximation. */
function poisson(random: Randomness, mean: number): number {
  if (mean > 60) return Math.max(0, Math.round(mean + Math.sqrt(mean) * random.normal()));
  const limit = Math.exp(-mean);
  let [count, product] = [0, random.uniform()];
  while (product > limit) {
    count += 1;
    product *= random.uniform();
  }
  return count;
}
