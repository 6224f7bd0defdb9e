import type { RequestEnv } from '../../gql/index.ts';
import { CONTENT_DID_KINDS, type ContentKind, contentKindOf } from '../../kernel/content-kinds.ts';
import { AppError } from '../../kernel/errors.ts';
import type { Maybe } from '../../kernel/maybe.ts';
import { type BatchResult, failed, namedTwice, readBatch } from '../catalog/index.ts';

/** How many items one playlist holds. */
export const MAX_ITEMS = 5_000;

/** Where items go, as the API hands it over: at most one of the three; at the end when none is given. */
export interface PlaceInput {
  readonly index?: Maybe<number>;
  readonly before?: Maybe<string>;
  readonly after?: Maybe<string>;
}

/** Where items go: behind the first `index` of the others (null: at the end), or beside an item. */
export type Place = { readonly index: number | null } | { readonly side: 'before' | 'after'; readonly itemId: string };

/** Reads a place. Throws INVALID_INPUT with the field under `input`. */
export function readPlace(env: RequestEnv, { index, before, after }: PlaceInput): Place {
  const given = Object.entries({ index, before, after }).filter(([, value]) => value != null);
  if (given.length > 1) {
    throw new AppError('INVALID_INPUT', 'More than one place is given.', {
      field: `input.${given[1]?.[0]}`,
      suggestedFix: 'Send one of index, before and after, or none of them for the end.',
    });
  }
  if (before != null) return { side: 'before', itemId: env.parseDid(before, ['playlistItem'], 'input.before').id };
  if (after != null) return { side: 'after', itemId: env.parseDid(after, ['playlistItem'], 'input.after').id };
  if (index != null && index < 0) {
    throw new AppError('INVALID_INPUT', 'input.index is negative.', { field: 'input.index', suggestedFix: 'Count from 0.' });
  }
  return { index: index ?? null };
}

/** One entry of a list, read: what it names, or the result that says why it names nothing. */
export type Entry<Named> = { readonly sent: string; readonly field: string; readonly named: Named } | { readonly refused: BatchResult };

function readEntries<Named>(sent: readonly string[], field: string, read: (text: string, field: string) => Named): Entry<Named>[] {
  return readBatch(sent, field).map((text, index) => {
    const place = `${field}.${index}`;
    try {
      return { sent: text, field: place, named: read(text, place) };
    } catch (error) {
      return { refused: failed(text, error) };
    }
  });
}

/** A content that is to be added, as its DID names it. */
export interface NamedContent {
  readonly id: string;
  readonly kind: ContentKind;
}

/** The contents to be added, the same once or more. FIELD_REQUIRED and INVALID_INPUT for the list as a whole. */
export function readContents(env: RequestEnv, ids: readonly string[], field: string): Entry<NamedContent>[] {
  return readEntries(ids, field, (text, place) => {
    const { kind, id } = env.parseDid(text, CONTENT_DID_KINDS, place);
    return { id, kind: contentKindOf(kind) };
  });
}

/** The items to be moved or removed, each once. FIELD_REQUIRED and INVALID_INPUT for the list as a whole. */
export function readItems(env: RequestEnv, ids: readonly string[], field: string): Entry<string>[] {
  const seen = new Set<string>();
  return readEntries(ids, field, (text, place) => {
    const { id } = env.parseDid(text, ['playlistItem'], place);
    if (seen.has(id)) throw namedTwice(place);
    seen.add(id);
    return id;
  });
}

/** RESOURCE_NOT_FOUND for a content that is not there or hidden from who adds it. */
export function contentMissing(field: string): AppError {
  return new AppError('RESOURCE_NOT_FOUND', 'There is no such content, or it is not visible to this account.', {
    field,
    suggestedFix: 'Check the id; only contents that this account can open can be added.',
  });
}
