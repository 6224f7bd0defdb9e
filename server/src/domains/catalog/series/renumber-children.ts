import type { CommandContext } from '../../../gql/index.ts';
import { CONTENT_KINDS } from '../../../kernel/content-kinds.ts';
import { AppError } from '../../../kernel/errors.ts';
import { t } from '../../../kernel/languages/message.ts';
import type { Maybe } from '../../../kernel/maybe.ts';
import { contentNotFound } from '../contents/content.policy.ts';
import { MAX_NUMBER, type Numbered } from './arrange.ts';
import { readParent, requireParent } from './create-child.ts';
import { readNumber } from './position-input.ts';
import { keptChildren, lockInSeries, setChildNumbers } from './series.store.ts';

/** Maximum number of ids in one call. */
export const MAX_RENUMBERED = 1_000;

export interface RenumberInput {
  /** DIDs in the desired order; all, in their current order, when absent. */
  readonly ids?: Maybe<readonly string[]>;
  /** The first number; 1 when absent. */
  readonly from?: Maybe<number>;
}

/**
 * Renumbers the children of a parent: `from`, `from` + 1 and so on. Children that are not listed keep their number. All
 * or nothing. Returns the parent's id.
 * @throws AppError for the parent, for ids that are not its children or repeated, and RESOURCE_ALREADY_EXISTS for a
 *   number taken by a child that is not listed.
 */
export function renumberChildren(
  context: CommandContext,
  kind: 'SEASON' | 'EPISODE',
  did: string,
  { ids, from }: RenumberInput,
): Promise<string> {
  const target = readParent(context, kind, did, 'id');
  const listed = ids == null ? null : readListed(context, kind, ids);
  const first = readNumber(from ?? 1, 'input.from');
  return context.services.catalog.db.transaction(async (tx) => {
    const parent = requireParent(await lockInSeries(tx, [target.id], context.scope, 'content:update'), target, 'id');
    const kept = await keptChildren(tx, parent.id);
    await setChildNumbers(tx, parent.id, renumbered(kept, listed, first), context.nowMs);
    return parent.id;
  });
}

function readListed(context: CommandContext, kind: 'SEASON' | 'EPISODE', ids: readonly string[]): string[] {
  if (ids.length > MAX_RENUMBERED) {
    throw new AppError('INVALID_INPUT', t`ids has ${ids.length} entries; the limit is ${MAX_RENUMBERED}.`, {
      field: 'input.ids',
      suggestedFix: t`Send at most ${MAX_RENUMBERED} and continue with another call and a higher from; or omit ids to
        number all in their current order.`,
    });
  }
  const seen = new Set<string>();
  for (const [index, did] of ids.entries()) {
    const { id } = context.parseDid(did, [CONTENT_KINDS[kind].did], `input.ids.${index}`);
    if (seen.has(id)) {
      throw new AppError('INVALID_INPUT', t`This is listed more than once.`, {
        field: `input.ids.${index}`,
        suggestedFix: t`List each once.`,
      });
    }
    seen.add(id);
  }
  return [...seen];
}

/** The numbers that change. Throws for ids that are not children, and for numbers that are taken. */
export function renumbered(kept: readonly Numbered[], listed: readonly string[] | null, first: number): Numbered[] {
  const ids = listed ?? kept.map(({ id }) => id);
  if (first + ids.length - 1 > MAX_NUMBER) {
    throw new AppError('INVALID_INPUT', t`Numbers go up to ${MAX_NUMBER}.`, {
      field: 'input.from',
      suggestedFix: t`Start with a lower number.`,
    });
  }
  const before = new Map(kept.map(({ id, number }) => [id, number]));
  const stranger = ids.findIndex((id) => !before.has(id));
  if (stranger >= 0) throw contentNotFound(`input.ids.${stranger}`);
  const moving = new Set(ids);
  const taken = kept.find(({ id, number }) => !moving.has(id) && number >= first && number < first + ids.length);
  if (taken) {
    throw new AppError(
      'RESOURCE_ALREADY_EXISTS',
      t`The number ${taken.number} belongs to an entry that is not listed.`,
      {
        field: 'input.ids',
        suggestedFix: t`List that entry too, or start with another number.`,
      },
    );
  }
  return ids.map((id, index) => ({ id, number: first + index })).filter(({ id, number }) => before.get(id) !== number);
}
