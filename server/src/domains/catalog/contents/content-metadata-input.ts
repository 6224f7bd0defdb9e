import { type AddValue, type RequestEnv, type RevisionInput, withAlternatives } from '../../../gql/index.ts';
import { AppError } from '../../../kernel/errors.ts';
import { t } from '../../../kernel/languages/message.ts';
import type { Maybe } from '../../../kernel/maybe.ts';
import { categoryNamed, genreNamed, ratingNamed } from '../taxonomy/taxonomy-names.ts';
import type { RatingSystem } from '../taxonomy/taxonomy-types.graphql.ts';
import type { AdHint, ContentInput } from './content-fields.ts';
import type { ContentType } from './content-input.ts';

/** The texts and terms of a content as one object, with the terms by their names. */
interface MetadataInput {
  readonly name?: Maybe<string>;
  readonly title?: Maybe<string>;
  readonly summary?: Maybe<string>;
  readonly shortSummary?: Maybe<string>;
  readonly keywords?: Maybe<readonly string[]>;
  readonly genre?: Maybe<{ readonly name: string }>;
  readonly rating?: Maybe<{ readonly name: string; readonly system: RatingSystem }>;
  readonly categories?: Maybe<readonly { readonly name: string }[]>;
}

interface HintInput {
  readonly type: ContentType;
  readonly containsAds: AdHint;
}

/** ContentInput as sent: the fields of a content, or its metadata and hints as other services name them. */
export interface GivenContentInput extends ContentInput, RevisionInput {
  readonly contentType?: Maybe<ContentType>;
  readonly metadata?: Maybe<MetadataInput>;
  readonly hints?: Maybe<readonly HintInput[]>;
}

/** ContentInput with one value for each field. */
export type ReadContentInput = ContentInput & RevisionInput & { readonly contentType?: Maybe<ContentType> };

/**
 * Calls `read` with the input in which `metadata` and `hints` have become fields. A field that `read` refuses is named
 * as the client has sent it.
 * @throws AppError INVALID_INPUT for a field that is given twice, RESOURCE_NOT_FOUND for a term that does not exist.
 */
export function withContentInput<Result>(
  { metadata, hints, ...fields }: GivenContentInput,
  env: RequestEnv,
  read: (input: ReadContentInput) => Result,
): Result {
  if (!metadata && !hints) return read(fields);
  return withAlternatives(
    fields,
    (add) => {
      if (metadata) readMetadata(metadata, env, add);
      if (hints) readHints(hints, add);
    },
    read,
  );
}

function readMetadata(
  { name, title, genre, rating, categories, ...texts }: MetadataInput,
  env: RequestEnv,
  add: AddValue,
): void {
  const at = 'input.metadata';
  add('title', title ?? name, title == null && name != null ? `${at}.name` : `${at}.title`);
  for (const [text, value] of Object.entries(texts)) add(text, value, `${at}.${text}`);
  const genres = genre && [env.did('genre', genreNamed(genre.name, `${at}.genre.name`, env))];
  add('genres', genres, `${at}.genre`);
  const rated = rating && env.did('rating', ratingNamed(rating.system, rating.name, `${at}.rating.name`));
  add('rating', rated, `${at}.rating`);
  const ids = categories?.map(({ name: category }, index) =>
    env.did('category', categoryNamed(category, `${at}.categories.${index}.name`, env)),
  );
  add('categories', ids ?? categories, `${at}.categories`);
}

function readHints(hints: readonly HintInput[], add: AddValue): void {
  if (hints.length > 1) {
    throw new AppError('INVALID_INPUT', t`input.hints has ${hints.length} entries; a content has one.`, {
      field: 'input.hints',
      suggestedFix: t`Send one hint: the type of the content and whether it contains advertising.`,
    });
  }
  const [hint] = hints;
  if (hint === undefined) return;
  add('contentType', hint.type, 'input.hints.0.type');
  add('containsAds', hint.containsAds, 'input.hints.0.containsAds');
}
