import type { RequestEnv, ViewerScope } from '../../../gql/index.ts';
import { AppError } from '../../../kernel/errors.ts';
import { t } from '../../../kernel/languages/message.ts';
import type { Maybe } from '../../../kernel/maybe.ts';
import type { Executor } from '../../../platform/db/database.ts';
import type { RepeatedCommand } from '../batches/command-batch.store.ts';
import { readContentId, type UpdateContentArgs } from '../contents/content-commands.ts';
import { CONTENT_FIELDS } from '../contents/content-fields.ts';
import { type ContentLists, listsToChange } from './list-changes.store.ts';

/** Entries of a content's lists, as sent. */
export type ListEntries = { readonly [List in keyof ContentLists]?: Maybe<readonly string[]> };

/** Changes of one content in a bulk mutation: values, and entries of lists that are added or removed. */
export interface BulkChanges {
  readonly id: string;
  readonly changes?: Maybe<UpdateContentArgs['input']>;
  readonly add?: Maybe<ListEntries>;
  readonly remove?: Maybe<ListEntries>;
}

const LISTS = ['categories', 'genres', 'keywords'] as const satisfies readonly (keyof ContentLists)[];

/** `update` with the lists of the content as they are after adding and removing: those that are changed are locked. */
export function changingLists(
  update: RepeatedCommand<{ readonly id: string; readonly input: UpdateContentArgs['input'] }>,
): RepeatedCommand<BulkChanges> {
  return async (tx, viewer, item, env) => {
    const { id, changes, add, remove } = item;
    if (!changes && !add && !remove) throw nothingToChange();
    const lists = add || remove ? await changedLists(tx, viewer, item, env) : {};
    try {
      return await update(tx, viewer, { id, input: { ...changes, ...lists } }, env);
    } catch (error) {
      throw inSentField(error, Object.keys(lists));
    }
  };
}

function nothingToChange(): AppError {
  return new AppError('FIELD_REQUIRED', t`There is nothing to change.`, {
    field: 'changes',
    suggestedFix: t`Send changes, add or remove.`,
  });
}

/** The changed lists, as `updateContent` takes them. For contents that the viewer may not update: none. */
async function changedLists(
  tx: Executor,
  viewer: ViewerScope,
  { id, changes, add, remove }: BulkChanges,
  env: RequestEnv,
): Promise<Pick<UpdateContentArgs['input'], (typeof LISTS)[number]>> {
  const target = readContentId(env, id, 'id');
  const sent = LISTS.filter((list) => (add?.[list] ?? remove?.[list]) != null);
  for (const list of sent) if (changes?.[list] !== undefined) throw givenTwice(list);
  const entries = sent.map((list) => ({
    list,
    added: read(list, add?.[list], `add.${list}`, env),
    removed: read(list, remove?.[list], `remove.${list}`, env),
  }));
  const present = await listsToChange(tx, target, viewer);
  if (!present) return {};
  return Object.fromEntries(
    entries.map(({ list, added, removed }) => {
      const merged = merge(present[list], added, removed, list);
      return [list, list === 'keywords' ? merged : merged.map((term) => env.did(DID_KINDS[list], term))];
    }),
  );
}

const DID_KINDS = { categories: 'category', genres: 'genre' } as const;

function read(list: keyof ContentLists, values: Maybe<readonly string[]>, field: string, env: RequestEnv) {
  return CONTENT_FIELDS[list].read(values ?? [], field, env);
}

/** What remains, then what is new. Keywords that differ in case are the same. */
function merge(
  present: readonly string[],
  added: readonly string[],
  removed: readonly string[],
  list: keyof ContentLists,
): string[] {
  const key = (entry: string) => entry.toLowerCase();
  const both = added.find((entry) => removed.some((other) => key(other) === key(entry)));
  if (both !== undefined) {
    throw new AppError('INVALID_INPUT', t`This is to be added and removed.`, {
      field: `remove.${list}`,
      suggestedFix: t`Name each entry in one of add and remove.`,
    });
  }
  const gone = new Set(removed.map(key));
  const remaining = present.filter((entry) => !gone.has(key(entry)));
  const known = new Set(remaining.map(key));
  return [...remaining, ...added.filter((entry) => !known.has(key(entry)))];
}

function givenTwice(list: string): AppError {
  return new AppError('INVALID_INPUT', t`${list} is replaced by changes, so that nothing can be added or removed.`, {
    field: `changes.${list}`,
    suggestedFix: t`Send the list in changes, or what to add and remove.`,
  });
}

/** An error about a list that was put together names what was to be added to it. */
function inSentField(error: unknown, lists: readonly string[]): unknown {
  if (!(error instanceof AppError)) return error;
  const { code, text, field, fix } = error;
  const list = lists.find((name) => field === `input.${name}` || field?.startsWith(`input.${name}.`));
  return list === undefined
    ? error
    : new AppError(code, text, { field: `add.${list}`, suggestedFix: fix, cause: error });
}
