import { AppError } from '../../../kernel/errors.ts';
import { t } from '../../../kernel/languages/message.ts';
import type { Maybe } from '../../../kernel/maybe.ts';
import { isOwnModel, type OperatorModel, OWN_FACTORS, type UpscaleFactor } from '../../../media/index.ts';
import type { Executor } from '../../../platform/db/database.ts';
import { type UpscaleModel, upscaleModels } from './upscale-models.store.ts';

/** The model where none is chosen. */
export const DEFAULT_MODEL = 'compressed';

/** A model that can be ordered. */
export interface OfferedModel {
  readonly name: string;
  readonly factors: readonly UpscaleFactor[];
  /** Of one of the operator. */
  readonly operator?: OperatorModel;
}

/**
 * What finds the model that is asked for, or the default; it throws INVALID_INPUT naming `input.model` where there is
 * no such.
 * @throws AppError INVALID_INPUT where the workers cannot run models.
 */
export async function offeredModels(db: Executor): Promise<(name: Maybe<string>) => OfferedModel> {
  const found = await upscaleModels(db);
  if (!isAvailable(found)) throw upscalingNotInstalled();
  const offered = offeredOf(found);
  return (name) => {
    const wanted = name ?? DEFAULT_MODEL;
    const model = offered.find((each) => each.name === wanted);
    if (model) return model;
    throw new AppError('INVALID_INPUT', t`There is no model "${wanted.slice(0, 64)}".`, {
      field: 'input.model',
      suggestedFix: t`Send one of ${offered.map((each) => each.name).join(', ')}.`,
    });
  };
}

/**
 * What is known of a model of the operator when its job is planned.
 * @throws AppError TRANSCODE_FAILED where it is not the one that was ordered any more.
 */
export async function orderedModel(
  db: Executor,
  { model, digest }: { readonly model: string; readonly digest?: string },
): Promise<OperatorModel | undefined> {
  if (digest === undefined) return undefined;
  const found = offeredOf(await upscaleModels(db)).find((each) => each.name === model);
  if (found?.operator?.digest !== digest) throw modelGone(model);
  return found.operator;
}

/** Whether videos can be upscaled; true where no worker has looked yet. Pure. */
export function isAvailable(found: readonly UpscaleModel[]): boolean {
  return found.length === 0 || found.some(({ state }) => state === 'READY');
}

/** The models that can be ordered, of those that were found, the default one first. Pure. */
export function offeredOf(found: readonly UpscaleModel[]): OfferedModel[] {
  if (found.length === 0) return [DEFAULT_MODEL, 'clean'].map((name) => ({ name, factors: OWN_FACTORS }));
  const offered = found.flatMap(({ name, source, state, digest, facts, cost }): OfferedModel[] => {
    if (state !== 'READY') return [];
    if (source === 'BUILT_IN') return isOwnModel(name) ? [{ name, factors: OWN_FACTORS }] : [];
    if (digest === null || facts === null || cost === null) return [];
    // The probe accepts no other factors.
    return [{ name, factors: [facts.factor as UpscaleFactor], operator: { digest, facts, cost } }];
  });
  const isDefault = ({ name }: OfferedModel) => Number(name === DEFAULT_MODEL);
  return offered.toSorted((one, other) => isDefault(other) - isDefault(one));
}

/** The error where the workers have no ONNX Runtime. Repeating the request does not help. */
function upscalingNotInstalled(): AppError {
  return new AppError('INVALID_INPUT', t`This server cannot upscale: ONNX Runtime is not installed on its workers.`, {
    suggestedFix: t`The operator can run \`npm install --include=optional\` on the workers and start them again; see
      the guide /docs/guides/self-hosting.`,
  });
}

/** The error where the file of a model is not the one any more with which a job was ordered. */
export function modelGone(name: string): AppError {
  return new AppError('TRANSCODE_FAILED', t`The model "${name}" was removed or changed after upscaling was ordered.`, {
    suggestedFix: t`Order it again with upscaleContent; the query upscaling lists the models that there are.`,
  });
}
