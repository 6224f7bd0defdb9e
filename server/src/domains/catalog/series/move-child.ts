import type { CommandContext } from '../../../gql/index.ts';
import { CONTENT_KINDS } from '../../../kernel/content-kinds.ts';
import { AppError } from '../../../kernel/errors.ts';
import { t } from '../../../kernel/languages/message.ts';
import type { Maybe } from '../../../kernel/maybe.ts';
import { authorize } from '../../../kernel/policy.ts';
import { CONTENT_CHANGE, contentNotFound } from '../contents/content.policy.ts';
import { arrange } from './arrange.ts';
import { readParent, requireParent } from './create-child.ts';
import { readTargetPosition } from './position-input.ts';
import { findInSeries, keptChildren, lockInSeries, type SeriesContent, setChildNumbers } from './series.store.ts';

export interface MoveInput {
  /** DID of another parent; defaults to the current one. */
  readonly to?: Maybe<string>;
  readonly number?: Maybe<number>;
  readonly position?: Maybe<number>;
}

/**
 * Moves a season or an episode to another number or position, in its parent or another one of the same channel. Returns
 * its id.
 * @throws AppError for the content, the parent (which must be in the same channel) and the position.
 */
export function moveChild(
  context: CommandContext,
  kind: 'SEASON' | 'EPISODE',
  did: string,
  input: MoveInput,
): Promise<string> {
  const viewer = context.scope;
  const { id } = context.parseDid(did, [CONTENT_KINDS[kind].did], 'id');
  const to = input.to == null ? null : readParent(context, kind, input.to, 'input.to');
  const place = readTargetPosition(input);
  return context.services.catalog.db.transaction(async (tx) => {
    const moved = requireOwn(await findInSeries(tx, [id], viewer), id, kind);
    // Every command locks parents before children, so concurrent ordering commands wait here without holding other
    // locks.
    const parents = await lockInSeries(tx, [moved.parentId, ...(to ? [to.id] : [])], viewer, 'content:update');
    const still = requireOwn(await lockInSeries(tx, [id], viewer, 'content:update'), id, kind);
    if (still.parentId !== moved.parentId) throw movedMeanwhile();
    const target = to ? requireParent(parents, to, 'input.to') : still.parentId;
    if (typeof target !== 'string' && target.channelId !== still.channelId) throw foreignParent();
    const parentId = typeof target === 'string' ? target : target.id;
    const siblings = (await keptChildren(tx, parentId)).filter((each) => each.id !== id);
    const changed = arrange(siblings, id, parentId === still.parentId ? still.number : null, place);
    await setChildNumbers(tx, parentId, changed, context.nowMs);
    return id;
  });
}

function requireOwn(
  found: readonly SeriesContent[],
  id: string,
  kind: 'SEASON' | 'EPISODE',
): SeriesContent & { readonly parentId: string; readonly number: number } {
  const content = found.find((each) => each.id === id && each.kind === kind) ?? null;
  authorize(CONTENT_CHANGE, content, 'id');
  if (content.parentId === null || content.number === null) throw contentNotFound('id');
  return { ...content, parentId: content.parentId, number: content.number };
}

function foreignParent(): AppError {
  return new AppError('INVALID_INPUT', t`This belongs to another channel; contents cannot move between channels.`, {
    field: 'input.to',
    suggestedFix: t`Choose a parent in the channel of the content.`,
  });
}

function movedMeanwhile(): AppError {
  return new AppError('SERVICE_UNAVAILABLE', t`This was moved by a concurrent request.`, {
    field: 'id',
    suggestedFix: t`Repeat the call.`,
  });
}
