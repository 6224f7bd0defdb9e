import { isDeepStrictEqual } from 'node:util';
import {
  gpuFiles,
  isUpscalerInstalled,
  PROVIDERS,
  type ProbedModel,
  type Provider,
  probeModel,
  type Runner,
  UPSCALE_MODELS,
  UpscaleError,
  type UpscalePlan,
} from '../../../media/index.ts';
import type { Platform } from '../../../platform/platform.ts';
import { type Repeated, repeat } from '../../../platform/repeat.ts';
import { type FoundFile, ModelFiles } from './find-models.ts';
import { modelGone } from './offered-models.ts';
import { replaceUpscaleModels, type UpscaleModel, upscaleModels } from './upscale-models.store.ts';

/** Raised with every change of what the probe accepts or finds out: models are probed again. */
const PROBE_VERSION = 1;
/** A model is added or replaced by copying its file. */
const LOOK_MS = 60_000;
/** Of the probe of one model: large ones take minutes on a CPU. */
const LIMITS = { probeMs: 600_000, pictureMs: 600_000, cpuSeconds: 3_600 };

type Config = Pick<Platform['config'], 'UPSCALE_MODELS' | 'UPSCALE_PROVIDERS' | 'UPSCALE_GPU_FILES'>;

export interface UpscaleModelsOptions {
  readonly platform: Pick<Platform, 'db' | 'log' | 'clock'> & { readonly config: Config };
  readonly runner: Pick<Runner, 'startProgram'>;
  /** Whether ONNX Runtime is installed; default: it is looked for. */
  readonly isInstalled?: () => boolean;
  /** Of the probe of a model. */
  readonly limits?: Partial<typeof LIMITS>;
}

/**
 * The models that a worker enlarges videos with: those of the platform, and the operator's, which are probed in the
 * sandbox. What it finds is written to the database, where the API reads what it can offer.
 */
export class UpscaleModels {
  readonly #options: UpscaleModelsOptions;
  readonly #files: ModelFiles | null;
  readonly #looking: Repeated;
  /** By digest, or by name for those of the platform. */
  readonly #probed = new Map<string, Promise<ProbedModel | string>>();
  readonly #providers = new Map<string, Provider>();
  readonly #stopping = new AbortController();
  #written: readonly UpscaleModel[] = [];

  constructor(options: UpscaleModelsOptions) {
    this.#options = options;
    const { config, log } = options.platform;
    this.#files = config.UPSCALE_MODELS === undefined ? null : new ModelFiles(config.UPSCALE_MODELS);
    this.#looking = repeat(log, 'models for upscaling could not be read, will be retried', LOOK_MS, async () => {
      await this.look();
      return false;
    });
  }

  /** Looks for models now, and every minute. */
  start(): void {
    this.#looking.start();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#looking.stop();
  }

  /** Finds out which models there are, and writes it where it has changed. */
  async look(): Promise<void> {
    const { db, clock, log } = this.#options.platform;
    const found = await this.#find();
    if (isDeepStrictEqual(found, this.#written)) return;
    await replaceUpscaleModels(db, found, new Date(clock.now()).toISOString());
    for (const model of found) {
      if (this.#written.some((each) => isDeepStrictEqual(each, model))) continue;
      const { name, source, state, reason, provider, measured } = model;
      const problems = measured.filter(({ problem }) => problem !== null);
      if (state === 'REFUSED') log.warn({ model: name, reason }, 'a model for upscaling cannot be used');
      else if (problems.length > 0)
        log.warn({ model: name, provider, measured }, 'not all providers of ONNX Runtime can be used for upscaling');
      else if (source === 'OPERATOR')
        log.info({ model: name, provider, measured }, 'a model for upscaling can be used');
    }
    this.#written = found;
  }

  /**
   * A plan with how its model is run on this machine.
   * @throws AppError TRANSCODE_FAILED where the file of the model is not here, or is another one.
   */
  async here(upscale: UpscalePlan): Promise<UpscalePlan> {
    const { model, operator } = upscale;
    const provider = this.#providers.get(operator?.digest ?? model) ?? 'cpu';
    const gpu = gpuFiles(this.#gpuPaths());
    if (!operator) return { ...upscale, here: { provider, gpu } };
    const path = (await this.#files?.pathOf(model, operator.digest)) ?? null;
    if (path === null) throw modelGone(model);
    return { ...upscale, here: { path, provider, gpu } };
  }

  async #find(): Promise<UpscaleModel[]> {
    const { platform, isInstalled = isUpscalerInstalled } = this.#options;
    const own = Object.entries(UPSCALE_MODELS);
    if (!isInstalled()) return own.map(([name]) => refused(name, 'BUILT_IN', 'ONNX Runtime is not installed.'));
    const known = await upscaleModels(platform.db);
    const models: UpscaleModel[] = [];
    for (const [name, path] of own) models.push(await this.#own(name, path));
    for (const file of (await this.#files?.list()) ?? []) models.push(await this.#ofOperator(file, known));
    return models;
  }

  /** Ours are probed where there is a choice of providers only. */
  async #own(name: string, path: string): Promise<UpscaleModel> {
    if (this.#wanted().length === 0) return { ...refused(name, 'BUILT_IN', ''), state: 'READY', reason: null };
    const probed = await this.#probe(name, path);
    if (typeof probed === 'string') return refused(name, 'BUILT_IN', probed);
    return { ...ready(name, 'BUILT_IN', probed), facts: null, cost: null };
  }

  async #ofOperator({ name, path, digest, problem }: FoundFile, known: readonly UpscaleModel[]): Promise<UpscaleModel> {
    if (digest === null) return refused(name, 'OPERATOR', problem ?? 'It cannot be read.');
    const same = known.find((each) => each.digest === digest && each.state === 'READY');
    if (same?.probeVersion === PROBE_VERSION && this.#wanted().length === 0 && !this.#probed.has(digest))
      return { ...same, name, source: 'OPERATOR', provider: 'cpu', measured: onCpu(same.measured) };
    const probed = await this.#probe(digest, path);
    if (typeof probed === 'string') return { ...refused(name, 'OPERATOR', probed), digest };
    return { ...ready(name, 'OPERATOR', probed), digest };
  }

  /** Once in the life of the process; the reason where the model cannot be used. */
  async #probe(key: string, path: string): Promise<ProbedModel | string> {
    const { runner, limits } = this.#options;
    const providers = this.#wanted();
    const { signal } = this.#stopping;
    const options = { providers, gpu: gpuFiles(this.#gpuPaths()), signal, limits: { ...LIMITS, ...limits } };
    const probing =
      this.#probed.get(key) ??
      probeModel(runner, path, options).catch((error: unknown) => {
        // Others are not the model's: it is probed again.
        if (error instanceof UpscaleError && OF_MODEL.has(error.reason) && !signal.aborted)
          return error.detail || error.message;
        this.#probed.delete(key);
        throw error;
      });
    this.#probed.set(key, probing);
    const probed = await probing;
    if (typeof probed !== 'string') this.#providers.set(key, probed.provider);
    return probed;
  }

  /** The providers beside the CPU that the operator wants. */
  #wanted(): Provider[] {
    const wanted = this.#options.platform.config.UPSCALE_PROVIDERS.split(',');
    return PROVIDERS.filter((each) => each !== 'cpu' && (wanted.includes(each) || wanted.includes('auto')));
  }

  #gpuPaths(): string[] {
    return this.#options.platform.config.UPSCALE_GPU_FILES?.split(',') ?? [];
  }
}

/** Errors that a model is to blame for. */
const OF_MODEL: ReadonlySet<UpscaleError['reason']> = new Set([
  'refused',
  'too-large',
  'crashed',
  'timeout',
  'protocol',
]);

function refused(name: string, source: UpscaleModel['source'], reason: string): UpscaleModel {
  return {
    ...{ name, source, state: 'REFUSED', reason, digest: null, probeVersion: null, facts: null, cost: null },
    ...{ provider: null, measured: [] },
  };
}

function ready(name: string, source: UpscaleModel['source'], probed: ProbedModel): UpscaleModel {
  const { facts, cost, provider, measured } = probed;
  return {
    ...{ name, source, state: 'READY', reason: null, digest: null, probeVersion: PROBE_VERSION, facts, cost },
    ...{ provider, measured },
  };
}

/** Providers that are not wanted any more are left out. */
function onCpu(measured: UpscaleModel['measured']): UpscaleModel['measured'] {
  return measured.filter(({ provider }) => provider === 'cpu');
}
