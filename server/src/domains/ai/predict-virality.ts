import type { ViewerScope } from '../../gql/index.ts';
import { AppError } from '../../kernel/errors.ts';
import type { Language } from '../../kernel/languages/languages.ts';
import { replaceInText, type Text, t } from '../../kernel/languages/message.ts';
import type { Maybe } from '../../kernel/maybe.ts';
import { readText } from '../../kernel/text.ts';
import { taxonomyText } from '../catalog/index.ts';
import { authorizeChannel } from '../channels/index.ts';
import { type Category, inferCategory } from './category-model.ts';
import { type CtrPrediction, predictCtr } from './ctr-model/ctr-model.ts';
import { type ContentFeatures, featuresOf, type ImageFeatures } from './ctr-model/features.ts';
import { assess, recommend } from './describe-prediction.ts';
import type { Recommendations } from './improvement.ts';
import { MEASURED_SIDE, measureImage } from './measure-image.ts';
import { type ChannelModel, recommendationsFor } from './recommendations.ts';
import type { AiServices } from './services.ts';
import { readChannelEffect, type StoredModel } from './virality.store.ts';

export const MAX_TITLE = 200;
export const MAX_DESCRIPTION = 5_000;

/** Input of the API; null is the same as absent. */
export interface ViralityInput {
  readonly title?: Maybe<string>;
  readonly imageUrl?: Maybe<string>;
  readonly description?: Maybe<string>;
  /** Name, slug or DID. */
  readonly category?: Maybe<string>;
}

export interface ViralityPrediction {
  readonly prediction: CtrPrediction;
  readonly recommendations: Recommendations;
  readonly recommendation: Text;
  readonly overallAssessment: Text;
  /** Names. */
  readonly bestCategory: string | null;
  readonly inferredCategory: { readonly category: string; readonly confidence: number | null } | null;
  /** The model behind it; null before there are impressions. */
  readonly basis: StoredModel | null;
}

/** The requesting account, and one of its channels or null for its primary one. */
export interface Requester {
  readonly accountId: string;
  readonly viewer: ViewerScope;
  readonly ownChannelId: string;
  readonly channelId: string | null;
}

interface PredictionOptions {
  readonly requester: Requester;
  readonly didOf: (categoryId: string) => string;
  /** That categories are named in. */
  readonly language: Language;
  readonly signal: AbortSignal;
}

/**
 * Predicts the performance of a planned content. Throws FIELD_REQUIRED and INVALID_INPUT with the field under `input`.
 */
export async function predictVirality(
  services: AiServices,
  input: ViralityInput,
  { requester, didOf, language, signal }: PredictionOptions,
): Promise<ViralityPrediction> {
  const title = readText(input.title ?? '', { field: 'input.title', maxLength: MAX_TITLE, required: true });
  const description = readText(input.description ?? '', {
    field: 'input.description',
    maxLength: MAX_DESCRIPTION,
    multiline: true,
  });
  const channelId = await readChannel(services, requester);
  const { stored, categories: known, words } = await services.models.current();
  const categories = known.map((each) => ({ ...each, english: each.name, name: taxonomyText(each.name, language) }));
  const category = input.category == null ? null : readCategory(input.category, categories, didOf);
  const image =
    input.imageUrl == null
      ? null
      : await measureImageAt(services, input.imageUrl, { accountId: requester.accountId, signal });
  const inferred = inferCategory(words, `${title} ${description}`);
  // Prefer an inferred category to none.
  const features = featuresOf({ title, description, image, category: category?.id ?? inferred?.id ?? null });
  const trained = stored && (await loadChannelModel(services, stored, channelId));
  const basis = trained && stored;
  const prediction = predictCtr(trained?.model ?? null, features, trained?.channel);
  const recommendations = recommendationsFor({ title, description, features, image }, trained, prediction);
  const nameOf = (id: string): string | null => categories.find((each) => each.id === id)?.name ?? null;
  const name = inferred && nameOf(inferred.id);
  return {
    prediction,
    recommendations,
    basis,
    recommendation: recommend(recommendations, basis),
    overallAssessment: assess(prediction, basis),
    bestCategory: trained && bestCategory(trained, features, nameOf),
    inferredCategory: inferred && name !== null ? { category: name, confidence: inferred.probability } : null,
  };
}

/** The channel effect requires access to its analytics. */
async function readChannel({ db }: AiServices, { viewer, ownChannelId, channelId }: Requester): Promise<string> {
  if (channelId === null) return ownChannelId;
  await authorizeChannel(db, { channelId, viewer, permission: 'analytics:read', field: 'input.channel' });
  return channelId;
}

async function loadChannelModel(
  { db }: AiServices,
  { id, parameters }: StoredModel,
  channelId: string,
): Promise<ChannelModel | null> {
  return parameters.ctr && { model: parameters.ctr, channel: await readChannelEffect(db, id, channelId) };
}

interface NamedCategory extends Category {
  /** Its name in English, which is known in all languages. */
  readonly english: string;
}

function readCategory(
  value: string,
  categories: readonly NamedCategory[],
  didOf: (id: string) => string,
): NamedCategory {
  const wanted = value.trim().toLowerCase();
  const found = categories.find(({ id, slug, name, english }) =>
    [slug, name.toLowerCase(), english.toLowerCase(), didOf(id).toLowerCase()].includes(wanted),
  );
  if (found) return found;
  throw new AppError('INVALID_INPUT', t`There is no such category.`, {
    field: 'input.category',
    suggestedFix: t`Send the name, slug or identifier of one of these:
      ${categories.map(({ name }) => name).join(', ')}.`,
  });
}

async function measureImageAt(
  { fetchRemoteImage, imageLimiter, clock }: AiServices,
  url: string,
  { accountId, signal }: { accountId: string; signal: AbortSignal },
): Promise<ImageFeatures> {
  const waitSeconds = imageLimiter.secondsUntil(accountId, 1, clock.now());
  if (waitSeconds > 0) {
    throw new AppError('RATE_LIMIT_EXCEEDED', t`Too many images of this account were analyzed within a minute.`, {
      field: 'input.imageUrl',
      suggestedFix: t`Retry after the time in the Retry-After header, or omit imageUrl.`,
      retryAfterSeconds: waitSeconds,
    });
  }
  imageLimiter.take(accountId, 1, clock.now());
  try {
    return measureImage(await fetchRemoteImage(url, MEASURED_SIDE, signal));
  } catch (error) {
    if (!(error instanceof AppError) || (error.field !== 'sourceUrl' && error.code !== 'TRANSCODE_FAILED')) throw error;
    // The domain below uses its own argument name.
    throw new AppError(
      error.code === 'TRANSCODE_FAILED' ? 'INVALID_INPUT' : error.code,
      replaceInText(error.text, 'sourceUrl', 'imageUrl'),
      {
        field: 'input.imageUrl',
        suggestedFix:
          error.code === 'TRANSCODE_FAILED'
            ? error.fix
            : t`Send the http or https address of a JPEG, PNG, WebP, AVIF or GIF picture that anyone can download, or
              the url of an ImageAsset.`,
        cause: error,
        ...(error.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: error.retryAfterSeconds }),
      },
    );
  }
}

/**
 * The category with the highest expected click-through rate on this platform; null when the model has fewer than two.
 */
function bestCategory(
  { model, channel }: ChannelModel,
  features: ContentFeatures,
  nameOf: (id: string) => string | null,
): string | null {
  const known = model.encoding.categories.map(({ id }) => ({
    id,
    ctr: predictCtr(model, { ...features, category: id }, channel).ctr,
  }));
  const [best] = known.sort((a, b) => b.ctr - a.ctr);
  return best && known.length > 1 ? nameOf(best.id) : null;
}
