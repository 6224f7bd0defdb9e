import {
  type GpuFiles,
  type ModelFacts,
  openUpscaler,
  type Planes,
  type Provider,
  UPSCALE_MODELS,
  UpscaleError,
  type UpscalerOptions,
} from '@reelgraph/upscale';
import type { Runner } from '../runner.ts';
import { DOUBLING_COST } from '../stages/upscale-stage.ts';

/** How a provider did with a model. */
export interface MeasuredProvider {
  readonly provider: Provider;
  /** Seconds for a picture of a million pixels on this machine; null where it does not work. */
  readonly seconds: number | null;
  /** Why it is not used; null where it works. */
  readonly problem: string | null;
}

/** A model as this machine runs it. */
export interface ProbedModel {
  readonly facts: ModelFacts;
  /** CPU seconds for a million pixels on one core of an ordinary server: what it takes beside our own model. */
  readonly cost: number;
  /** The fastest one whose pictures are right. */
  readonly provider: Provider;
  readonly measured: readonly MeasuredProvider[];
}

/** The side of the picture that is timed. */
const SIDE = 256;
/** How often it is enlarged for the time; the shortest counts, as other work only ever adds to it. */
const ROUNDS = 3;
/** Levels by which the pictures of a provider may differ from those of the CPU. */
const MOST_LEVELS = 1;

/**
 * Probes a model in the sandbox, and measures each of the providers with it. The CPU is always measured: what the
 * others make is compared with its picture, and those that fail or make another one are not used.
 * @throws UpscaleError where the model cannot be used on the CPU.
 */
export async function probeModel(
  runner: Pick<Runner, 'startProgram'>,
  path: string,
  { providers, ...options }: UpscalerOptions & { readonly providers: readonly Provider[]; readonly gpu: GpuFiles },
): Promise<ProbedModel> {
  const { limits = {}, signal } = options;
  const ours = await timed(runner, UPSCALE_MODELS.clean, { limits, ...(signal ? { signal } : {}) });
  const cpu = await timed(runner, path, { ...options, provider: 'cpu' });
  const measured: MeasuredProvider[] = [{ provider: 'cpu', seconds: cpu.seconds, problem: null }];
  for (const provider of providers.filter((each) => each !== 'cpu'))
    measured.push(
      await timed(runner, path, { ...options, provider }).then(
        (found) => comparedWith(cpu, provider, found),
        (error: unknown) => {
          if (!(error instanceof UpscaleError)) throw error;
          return { provider, seconds: null, problem: error.message };
        },
      ),
    );
  const best = fastest(measured);
  const cost = costBeside(best.seconds ?? cpu.seconds, ours.seconds);
  return { facts: cpu.facts, cost, provider: best.provider, measured };
}

/**
 * The cost of a model, from the seconds that it and our model take for the same picture on this machine: the cost of
 * ours is known. Pure.
 */
export function costBeside(seconds: number, ours: number): number {
  return (DOUBLING_COST * seconds) / ours;
}

/** The fastest of those that work; the first where they are equal. Pure. */
export function fastest(measured: readonly MeasuredProvider[]): MeasuredProvider {
  const working = measured.filter(({ seconds }) => seconds !== null);
  const [best] = working.toSorted((one, other) => (one.seconds ?? 0) - (other.seconds ?? 0));
  if (!best) throw new Error('The CPU was not measured.');
  return best;
}

interface Timed {
  readonly facts: ModelFacts;
  readonly picture: Uint8Array;
  readonly seconds: number;
}

/** Enlarges a picture once without timing it, because a GPU prepares itself with the first one, then several times. */
async function timed(runner: Pick<Runner, 'startProgram'>, path: string, options: UpscalerOptions): Promise<Timed> {
  const upscaler = await openUpscaler(runner, path, options);
  try {
    const given = timedPicture(upscaler.facts.channels);
    const { pixels } = await upscaler.enlarge(given);
    let shortestMs = Number.POSITIVE_INFINITY;
    for (let round = 0; round < ROUNDS; round += 1) {
      const startedAt = performance.now();
      await upscaler.enlarge(given);
      shortestMs = Math.min(shortestMs, performance.now() - startedAt);
    }
    return { facts: upscaler.facts, picture: pixels, seconds: shortestMs / 1000 / (SIDE ** 2 / 1e6) };
  } finally {
    await upscaler.close();
  }
}

/** The result of a provider, by what it made beside the CPU. Pure. */
export function comparedWith(
  cpu: Pick<Timed, 'picture'>,
  provider: Provider,
  { picture, seconds }: Pick<Timed, 'picture' | 'seconds'>,
): MeasuredProvider {
  if (picture.length !== cpu.picture.length)
    return { provider, seconds: null, problem: 'Its picture has another size than that of the CPU.' };
  const most = picture.reduce((levels, level, at) => Math.max(levels, Math.abs(level - cpu.picture[at]!)), 0);
  if (most <= MOST_LEVELS) return { provider, seconds, problem: null };
  return { provider, seconds: null, problem: `Its picture differs from that of the CPU by ${most} levels.` };
}

/** Edges, stripes and a gradient, always the same. */
function timedPicture(channels: number): Planes {
  const pixels = Uint8Array.from({ length: channels * SIDE ** 2 }, (_, at) => {
    const [x, y] = [at % SIDE, Math.floor(at / SIDE) % SIDE];
    return (x / 2 + ((x >> 2) ^ (y >> 3)) * 23 + (y > x ? 90 : 0)) % 256;
  });
  return { width: SIDE, height: SIDE, pixels };
}
