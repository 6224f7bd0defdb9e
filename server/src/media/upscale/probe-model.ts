import type { Runner } from '../runner.ts';
import { UPSCALE_MODELS } from './models.ts';
import type { GpuFiles, Provider } from './providers.ts';
import { UpscaleError } from './upscale-error.ts';
import { DOUBLING_COST } from './upscale-stage.ts';
import { type ModelFacts, openUpscaler, type Planes, type UpscalerOptions } from './upscaler.ts';

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
  const cost = (DOUBLING_COST * (best.seconds ?? cpu.seconds)) / ours.seconds;
  return { facts: cpu.facts, cost, provider: best.provider, measured };
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

/** Enlarges a picture twice, and times the second time: a GPU prepares itself with the first one. */
async function timed(runner: Pick<Runner, 'startProgram'>, path: string, options: UpscalerOptions): Promise<Timed> {
  const upscaler = await openUpscaler(runner, path, options);
  try {
    const given = timedPicture(upscaler.facts.channels);
    await upscaler.enlarge(given);
    const startedAt = performance.now();
    const { pixels } = await upscaler.enlarge(given);
    const seconds = (performance.now() - startedAt) / 1000 / (SIDE ** 2 / 1e6);
    return { facts: upscaler.facts, picture: pixels, seconds };
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
