import type { RequestEnv, ViewerScope } from '../../../gql/index.ts';
import { AppError } from '../../../kernel/errors.ts';
import { t } from '../../../kernel/languages/message.ts';
import type { Maybe } from '../../../kernel/maybe.ts';
import { authorize } from '../../../kernel/policy.ts';
import { CONTENT_CHANGE, type ContentTarget, lockContent } from '../../catalog/index.ts';
import { METADATA_FIELDS } from '../../channels/index.ts';
import type { EngagementServices } from '../services.ts';
import { DEFAULT_MAX_DAYS, DEFAULT_MIN_DAYS, MAX_TEST_DAYS, variantLabel } from './content-test.ts';
import {
  imagesOfContent,
  insertTest,
  type NewTest,
  readShownContent,
  type ShownContent,
  type VariantLook,
} from './content-tests.store.ts';

export interface TestInput {
  readonly variants: readonly { readonly title?: Maybe<string>; readonly imageId?: Maybe<string> }[];
  readonly applyWinner: boolean;
  readonly minDays?: Maybe<number>;
  readonly maxDays?: Maybe<number>;
}

/** A variant as requested: null is what the content has. */
interface RequestedVariant {
  readonly title: string | null;
  readonly imageId: string | null;
}

/** A test as requested. */
export interface RequestedTest extends Pick<NewTest, 'applyWinner' | 'minDays' | 'maxDays'> {
  readonly variants: readonly RequestedVariant[];
}

const at = (index: number, name?: string): string => `input.variants.${index}${name === undefined ? '' : `.${name}`}`;

/** Parses a test. @throws AppError INVALID_INPUT or FIELD_REQUIRED with the path of the value. */
export function readTest(env: Pick<RequestEnv, 'parseDid'>, input: TestInput): RequestedTest {
  const count = input.variants.length;
  if (count < 1 || count > 2) {
    throw new AppError(
      'INVALID_INPUT',
      t`A test compares A, the content as it is, with one or two variants, not ${count}.`,
      {
        field: 'input.variants',
        suggestedFix: t`Send one or two variants; leave out the content as it is.`,
      },
    );
  }
  const variants = input.variants.map(({ title, imageId }, index) => {
    if (title == null && imageId == null)
      throw new AppError('FIELD_REQUIRED', t`Variant ${variantLabel(index + 1)} has neither a title nor an image.`, {
        field: at(index),
        suggestedFix: t`Send title, imageId or both; what is missing is as in the content.`,
      });
    return {
      title: title == null ? null : METADATA_FIELDS.title.read(title, at(index, 'title'), null),
      imageId: imageId == null ? null : env.parseDid(imageId, ['imageAsset'], at(index, 'imageId')).id,
    };
  });
  const minDays = input.minDays ?? Math.min(DEFAULT_MIN_DAYS, input.maxDays ?? DEFAULT_MIN_DAYS);
  const maxDays = input.maxDays ?? Math.max(DEFAULT_MAX_DAYS, minDays);
  checkDays(maxDays, 'input.maxDays', 1);
  checkDays(minDays, 'input.minDays', 1, maxDays);
  return { variants, applyWinner: input.applyWinner, minDays, maxDays };
}

function checkDays(days: number, field: string, from: number, to: number = MAX_TEST_DAYS): void {
  if (days >= from && days <= to) return;
  throw new AppError('INVALID_INPUT', t`${days} days are not ${from} to ${to}.`, {
    field,
    suggestedFix: t`Send ${from} to ${to}; a test takes at most ${MAX_TEST_DAYS} days, and maxDays is at least
      minDays.`,
  });
}

/**
 * Starts a test of a content that the viewer may change; returns its id.
 * @throws AppError for the content, RESOURCE_ALREADY_EXISTS while it has a running test, INVALID_INPUT where it is not
 *   public and for variants that show the same, RESOURCE_NOT_FOUND for images of others.
 */
export function startTest(
  { db, clock }: EngagementServices,
  viewer: ViewerScope,
  content: ContentTarget,
  test: RequestedTest,
): Promise<string> {
  return db.transaction(async (tx) => {
    const found = await lockContent(tx, content, viewer);
    authorize(CONTENT_CHANGE, found, 'id');
    const shown = await readShownContent(tx, content.id);
    if (!shown) throw new Error(`The content ${content.id} was locked and is not found.`);
    checkStartable(shown);
    const images = test.variants.flatMap(({ imageId }) => (imageId === null ? [] : [imageId]));
    const own = await imagesOfContent(tx, content.id, images);
    const foreign = test.variants.findIndex(({ imageId }) => imageId !== null && !own.has(imageId));
    if (foreign !== -1) throw noSuchImage(at(foreign, 'imageId'));
    const variants = [shown, ...test.variants].map(({ title, imageId }) => ({
      title: title ?? shown.title,
      imageId: imageId ?? shown.imageId,
    }));
    checkDifferent(variants);
    return insertTest(tx, { ...test, variants, contentId: content.id }, clock.now());
  });
}

function checkStartable({ hasRunningTest, isPublic }: ShownContent): void {
  if (hasRunningTest) {
    throw new AppError('RESOURCE_ALREADY_EXISTS', t`A test of this content is running.`, {
      field: 'id',
      suggestedFix: t`Wait until it ends, or call stopContentTest first.`,
    });
  }
  if (!isPublic) {
    throw new AppError('INVALID_INPUT', t`Only published, public contents are shown to viewers on cards.`, {
      field: 'id',
      suggestedFix: t`Publish the content with the visibility PUBLIC, and its series with it, then repeat the call.`,
    });
  }
}

function checkDifferent(variants: readonly VariantLook[]): void {
  const same = (a: VariantLook, b: VariantLook): boolean => a.title === b.title && a.imageId === b.imageId;
  variants.forEach((variant, position) => {
    const earlier = variants.findIndex((other) => same(other, variant));
    if (earlier === position) return;
    const message = t`Variant ${variantLabel(position)} has the same title and image as ${variantLabel(earlier)}.`;
    throw new AppError('INVALID_INPUT', message, {
      field: at(position - 1),
      suggestedFix: t`Give each variant another title or another image; A is the content as it is.`,
    });
  });
}

function noSuchImage(field: string): AppError {
  return new AppError('RESOURCE_NOT_FOUND', t`This content has no such image.`, {
    field,
    suggestedFix: t`Use the id of one of content.assets.images, or upload one with createContentAsset (hint OTHER)
      first.`,
  });
}
