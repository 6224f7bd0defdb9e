import { seededRandom } from '../../../kernel/random.testing.ts';
import { type ContentFeatures, NUMBER_NAMES, type NumberName } from './features.ts';
import { logistic } from './normal.ts';
import { PRIOR_MEAN } from './prior.ts';
import type { CountedContent } from './train.ts';

/** Seeded random numbers. */
export function randomOf(seed: number): { uniform(): number; normal(): number } {
  const uniform = seededRandom(seed);
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
  return { uniform, normal };
}

/** A binomial sample; large ones by the normal approximation. */
export function binomial(random: ReturnType<typeof randomOf>, n: number, share: number): number {
  if (n * share * (1 - share) > 100) {
    return Math.max(0, Math.min(n, Math.round(n * share + random.normal() * Math.sqrt(n * share * (1 - share)))));
  }
  let count = 0;
  for (let index = 0; index < n; index += 1) if (random.uniform() < share) count += 1;
  return count;
}

export interface SimulatedWorld {
  readonly seed: number;
  readonly contents: number;
  readonly channels?: number;
  /** Mean of the logit over all contents. */
  readonly mean?: number;
  /** Change of the logit per standard deviation of a number. */
  readonly effects?: Partial<Record<NumberName, number>>;
  /** Effect of a category. */
  readonly categories?: Readonly<Record<string, number>>;
  readonly channelScale?: number;
  readonly contentScale?: number;
  /** Typical impressions of a content; they vary by a factor of 100. */
  readonly impressions?: number;
}

/** Simulated contents with known effects and their true logits. */
export function simulate(fixture: SimulatedWorld): { contents: CountedContent[]; logits: number[] } {
  const {
    channels = 40,
    mean = PRIOR_MEAN,
    effects = {},
    categories = {},
    channelScale = 0.4,
    contentScale = 0.4,
    impressions = 400,
  } = fixture;
  const random = randomOf(fixture.seed);
  const ofChannel = Array.from({ length: channels }, () => channelScale * random.normal());
  const names = Object.keys(categories);
  const logits: number[] = [];
  const contents = Array.from({ length: fixture.contents }, () => {
    const numbers = Object.fromEntries(NUMBER_NAMES.map((name) => [name, random.normal()])) as Record<
      NumberName,
      number
    >; // all names
    const category = names[Math.floor(random.uniform() * names.length)] ?? null;
    const channel = Math.floor(random.uniform() * channels);
    let logit =
      mean +
      (ofChannel[channel] ?? 0) +
      contentScale * random.normal() +
      (category === null ? 0 : (categories[category] ?? 0));
    for (const name of NUMBER_NAMES) logit += (effects[name] ?? 0) * numbers[name];
    logits.push(logit);
    const shown = Math.max(1, Math.round(impressions * Math.exp(1.2 * random.normal())));
    const features: ContentFeatures = { numbers, category, words: [] };
    return {
      features,
      channelId: `channel ${channel}`,
      impressions: shown,
      clicks: binomial(random, shown, logistic(logit)),
    };
  });
  return { contents, logits };
}

/** A content with the mean of all simulated numbers, except the given ones. */
export function usualContent(
  numbers: Partial<Record<NumberName, number | null>> = {},
  category: string | null = null,
): ContentFeatures {
  return {
    numbers: {
      ...(Object.fromEntries(NUMBER_NAMES.map((name) => [name, 0])) as Record<NumberName, number>),
      ...numbers,
    },
    category,
    words: [],
  };
}
