import type { ResolverContext } from '../../../gql/index.ts';
import type { UpscaleFactor } from '../../../media/index.ts';
import { DEFAULT_MODEL, isAvailable, offeredOf } from './offered-models.ts';
import { type UpscaleModel, upscaleModels } from './upscale-models.store.ts';

/** Whether videos can be upscaled, and with which models; operators who are signed in also see why others cannot. */
export async function upscalingSupport({ services, isOperator }: Pick<ResolverContext, 'services' | 'isOperator'>) {
  const found = await upscaleModels(services.assets.db);
  const byName = new Map(found.map((model) => [model.name, model]));
  const refused = isOperator ? found.filter(({ state }) => state === 'REFUSED') : [];
  return {
    available: isAvailable(found),
    models: [
      ...offeredOf(found).map(({ name, factors }) => described(name, factors, byName.get(name), isOperator)),
      ...refused.map((model) => described(model.name, [], model, isOperator)),
    ],
  };
}

/** As the API names it: ExecutionProvider. */
function nameOf(provider: string): string {
  return provider.toUpperCase();
}

/** As the API shows it: in milliseconds. */
function shown({ provider, seconds, problem }: UpscaleModel['measured'][number]) {
  return { provider: nameOf(provider), megapixelMs: seconds === null ? null : 1_000 * seconds, problem };
}

function described(
  name: string,
  factors: readonly UpscaleFactor[],
  found: UpscaleModel | undefined,
  isOperator: boolean,
) {
  const {
    source = 'BUILT_IN',
    state = 'READY',
    reason = null,
    digest = null,
    provider = null,
    measured = [],
  } = found ?? {};
  const isDefault = name === DEFAULT_MODEL;
  const forOperators = isOperator
    ? { reason, provider: provider && nameOf(provider), providers: measured.map(shown) }
    : { reason: null, provider: null };
  return { name, source, factors, isDefault, state, digest, providers: [], ...forOperators };
}
