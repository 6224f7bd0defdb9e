import { type CommandContext, readNew, type ViewerScope } from '../../../gql/index.ts';
import { CONTENT_KINDS, type ContentKind, contentKindOf } from '../../../kernel/content-kinds.ts';
import { AppError } from '../../../kernel/errors.ts';
import { newId } from '../../../kernel/ids.ts';
import { t } from '../../../kernel/languages/message.ts';
import type { Maybe } from '../../../kernel/maybe.ts';
import { authorize } from '../../../kernel/policy.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import { appendEvent } from '../../../platform/events/event-log.store.ts';
import { CONTENT_CHANGE } from '../contents/content.policy.ts';
import { CONTENT_FIELDS, type ContentInput, checkFieldsOfKind } from '../contents/content-fields.ts';
import { firstStatus } from '../contents/lifecycle.ts';
import { checkTaxonomyTerms } from '../taxonomy/taxonomy-terms.policy.ts';
import { assignTaxonomy, findMissingTerm } from '../taxonomy/taxonomy-terms.store.ts';
import { MAX_NUMBER } from './arrange.ts';
import { readNumber } from './position-input.ts';
import { childrenFacts, insertChild, lockInSeries, type SeriesContent } from './series.store.ts';

/** The maximum number of seasons or episodes in one container. */
export const MAX_CHILDREN = 10_000;

export interface NewChildInput extends ContentInput {
  readonly number?: Maybe<number>;
}

/**
 * Creates a season or an episode below a parent in one of the account's channels, at the given number or after the
 * last. Returns its id, and that of the parent.
 * @throws AppError for the parent (`field`), the texts and the taxonomy terms, and RESOURCE_ALREADY_EXISTS for a number
 *   that is taken.
 */
export function createChild(
  context: CommandContext,
  kind: 'SEASON' | 'EPISODE',
  parentDid: string,
  field: string,
  input: NewChildInput,
): Promise<{ content: string; parent: string }> {
  const { nowMs } = context;
  const parentId = readParent(context, kind, parentDid, field);
  checkFieldsOfKind(kind, input);
  const values = readNew(CONTENT_FIELDS, input, context);
  const number = input.number == null ? null : readNumber(input.number, 'input.number');
  return context.services.catalog.db.transaction(async (tx) => {
    const place = await takePlace(tx, { viewer: context.scope, parent: parentId, number, field });
    const id = newId<'content'>(nowMs);
    const refused = checkTaxonomyTerms(await findMissingTerm(tx, values));
    if (refused) throw refused;
    await insertChild(tx, { id, ...place, kind, status: firstStatus(kind), values }, nowMs);
    await assignTaxonomy(tx, id, values);
    await appendEvent(tx, { type: 'content.created', channelId: place.channelId, subjectId: id });
    return { content: id, parent: parentId.id };
  });
}

/** Where a new season or episode goes. */
export interface ChildPlace {
  readonly channelId: string;
  readonly parentId: string;
  readonly number: number;
}

/**
 * Locks a parent and gives the place for a new child: at the number, or after the last. Throws as `createChild` for the
 * parent and the number.
 */
export async function takePlace(
  tx: Transaction,
  child: {
    readonly viewer: ViewerScope;
    readonly parent: { readonly id: string; readonly kind: ContentKind };
    readonly number: number | null;
    readonly field: string;
  },
): Promise<ChildPlace> {
  const { viewer, number, field } = child;
  const found = await lockInSeries(tx, [child.parent.id], viewer, 'content:create');
  const parent = requireParent(found, child.parent, field);
  const facts = await childrenFacts(tx, parent.id, number);
  const refused = checkNumber(facts, number, field);
  if (refused) throw refused;
  return { channelId: parent.channelId, parentId: parent.id, number: number ?? (facts.last ?? 0) + 1 };
}

/** Kinds that hold contents of this kind. */
export function parentsOf(kind: ContentKind): ContentKind[] {
  // Object.keys loses the literal type.
  return (Object.keys(CONTENT_KINDS) as ContentKind[]).filter((each) => CONTENT_KINDS[each].holds === kind);
}

/** The parent with this DID. Throws INVALID_INPUT with `field` for a kind that cannot contain this one. */
export function readParent(
  context: CommandContext,
  kind: ContentKind,
  did: string,
  field: string,
): { readonly id: string; readonly kind: ContentKind } {
  const parsed = context.parseDid(
    did,
    parentsOf(kind).map((each) => CONTENT_KINDS[each].did),
    field,
  );
  return { id: parsed.id, kind: contentKindOf(parsed.kind) };
}

/** The parent, if the viewer may change its children. Throws RESOURCE_NOT_FOUND or UNAUTHORIZED with `field`. */
export function requireParent(
  found: readonly SeriesContent[],
  { id, kind }: { id: string; kind: ContentKind },
  field: string,
): SeriesContent {
  const parent = found.find((each) => each.id === id && each.kind === kind) ?? null;
  authorize(CONTENT_CHANGE, parent, field);
  return parent;
}

function checkNumber(
  facts: { kept: number; last: number | null; taken: boolean },
  number: number | null,
  field: string,
): AppError | null {
  if (facts.taken) {
    return new AppError('RESOURCE_ALREADY_EXISTS', t`The number ${number ?? ''} is taken.`, {
      field: 'input.number',
      suggestedFix: t`Choose another number, or omit it to append after the last.`,
    });
  }
  if (facts.kept >= MAX_CHILDREN) {
    return new AppError('INVALID_INPUT', t`This already has ${MAX_CHILDREN} entries, which is the limit.`, {
      field,
      suggestedFix: t`Create another season or series.`,
    });
  }
  if (number === null && facts.last === MAX_NUMBER) {
    return new AppError('INVALID_INPUT', t`The last number is already ${MAX_NUMBER}.`, {
      field: 'input.number',
      suggestedFix: t`Send a number that is free.`,
    });
  }
  return null;
}
