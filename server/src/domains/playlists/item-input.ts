import type { RequestEnv } from '../../gql/index.ts';
import { CONTENT_DID_KINDS, type ContentKind, contentKindOf } from '../../kernel/content-kinds.ts';
import { AppError } from '../../kernel/errors.ts';
import { t } from '../../kernel/languages/message.ts';
import type { Maybe } from '../../kernel/maybe.ts';
import { type BatchResult, failed, namedTwice, readBatch } from '../catalog/index.ts';

/** Maximum number of items in a playlist. */
export const MAX_ITEMS = 10_000;

/** Target position of items in the API: at most one of the three; defaults to the end. */
export interface PositionInput {
  readonly index?: Maybe<number>;
  readonly before?: Maybe<string>;
  readonly after?: Maybe<string>;
}

/** Target position of items: after the first `index` other items (null: at the end), or before or after an item. */
export type TargetPosition =
  | { readonly index: number | null }
  | { readonly side: 'before' | 'after'; readonly itemId: string };

/** Reads a target position. Throws INVALID_INPUT with the field under `input`. */
export function readTargetPosition(env: RequestEnv, { index, before, after }: PositionInput): TargetPosition {
  const given = Object.entries({ index, before, after }).filter(([, value]) => value != null);
  if (given.length > 1) {
    throw new AppError('INVALID_INPUT', t`More than one position is given.`, {
      field: `input.${given[1]?.[0]}`,
      suggestedFix: t`Send one of index, before and after, or none for the end.`,
    });
  }
  if (before != null) return { side: 'before', itemId: env.parseDid(before, ['playlistItem'], 'input.before').id };
  if (after != null) return { side: 'after', itemId: env.parseDid(after, ['playlistItem'], 'input.after').id };
  if (index != null && index < 0) {
    throw new AppError('INVALID_INPUT', t`input.index is negative.`, {
      field: 'input.index',
      suggestedFix: t`Count from 0.`,
    });
  }
  return { index: index ?? null };
}

/** A parsed entry of a list: its object, or its error result. */
export type Entry<Named> =
  | { readonly sent: string; readonly field: string; readonly named: Named }
  | { readonly refused: BatchResult };

function readEntries<Named>(
  sent: readonly string[],
  field: string,
  read: (text: string, field: string) => Named,
): Entry<Named>[] {
  return readBatch(sent, field).map((text, index) => {
    const place = `${field}.${index}`;
    try {
      return { sent: text, field: place, named: read(text, place) };
    } catch (error) {
      return { refused: failed(text, error) };
    }
  });
}

/** A content to add, by its DID. */
export interface NamedContent {
  readonly id: string;
  readonly kind: ContentKind;
}

/** The contents to add, with duplicates. FIELD_REQUIRED and INVALID_INPUT for the list as a whole. */
export function readContents(env: RequestEnv, ids: readonly string[], field: string): Entry<NamedContent>[] {
  return readEntries(ids, field, (text, place) => {
    const { kind, id } = env.parseDid(text, CONTENT_DID_KINDS, place);
    return { id, kind: contentKindOf(kind) };
  });
}

/** The items to move or remove, without duplicates. FIELD_REQUIRED and INVALID_INPUT for the list as a whole. */
export function readItems(env: RequestEnv, ids: readonly string[], field: string): Entry<string>[] {
  const seen = new Set<string>();
  return readEntries(ids, field, (text, place) => {
    const { id } = env.parseDid(text, ['playlistItem'], place);
    if (seen.has(id)) throw namedTwice(place);
    seen.add(id);
    return id;
  });
}

/** RESOURCE_NOT_FOUND for a content that does not exist or is hidden from the account. */
export function contentMissing(field: string): AppError {
  return new AppError('RESOURCE_NOT_FOUND', t`There is no such content, or it is not visible to this account.`, {
    field,
    suggestedFix: t`Check the id; only contents that this account can open can be added.`,
  });
}
