import { type CommandContext, type RevisionInput, readChanges, readNew, requireRevision } from '../../../gql/index.ts';
import { AppError } from '../../../kernel/errors.ts';
import { newId } from '../../../kernel/ids.ts';
import { t } from '../../../kernel/languages/message.ts';
import { authorize, fact, type Policy, permission } from '../../../kernel/policy.ts';
import type { Executor } from '../../../platform/db/database.ts';
import { requireAccount, roleTooLow } from '../../channels/index.ts';
import { ownLiveInput } from '../inputs/live-input-commands.ts';
import { MAX_SIMULCAST_TARGETS, MAX_SIMULCAST_TARGETS_OF_CHANNEL } from '../inputs/live-limits.ts';
import { streamKeyHash } from '../inputs/stream-key.ts';
import { openTargetKey, sealTargetKey } from './simulcast-key.ts';
import { SIMULCAST_TARGET_INPUT, type SimulcastTargetInput } from './simulcast-target-fields.ts';
import {
  deleteSimulcastTargetRow,
  findSimulcastTarget,
  insertSimulcastTarget,
  isStreamKeyOf,
  lockSimulcastTarget,
  type SimulcastTargetFacts,
  updateSimulcastTargetRow,
} from './simulcast-targets.store.ts';
import { socketAddressOf } from './target-address.ts';

/** Who may change a target: for non-members of the channel it does not exist. */
export const SIMULCAST_TARGET_CHANGE: Policy<SimulcastTargetFacts> = {
  missing: notThere,
  requires: [permission(fact('member'), notThere), permission(fact('may'), roleTooLow)],
};

export interface CreateSimulcastTargetArgs {
  readonly input: SimulcastTargetInput & { readonly liveInput: string };
}

/** Adds a target to a live input; returns its id. Its address is checked as when it is connected to. */
export async function createSimulcastTarget(
  context: CommandContext,
  { input: { liveInput, ...input } }: CreateSimulcastTargetArgs,
): Promise<string> {
  const { db, secrets, sockets } = context.services.live;
  const values = readNew(SIMULCAST_TARGET_INPUT, input);
  const { id: inputId, channelId } = await ownLiveInput(context, liveInput, 'input.liveInput');
  await refuseOwnKey(context, db, inputId, values.streamKey);
  await sockets.check(socketAddressOf(values.url), 'input.url');
  const id = newId<'simulcast-target'>(context.nowMs);
  const streamKey = sealTargetKey(secrets, values.streamKey);
  const created = await db.transaction((tx) =>
    insertSimulcastTarget(tx, { id, inputId, channelId, values, streamKey, nowIso: context.nowIso }),
  );
  if (created) return id;
  throw new AppError(
    'INVALID_INPUT',
    t`A live input has at most ${MAX_SIMULCAST_TARGETS} simulcast targets, and all of a channel
      ${MAX_SIMULCAST_TARGETS_OF_CHANNEL}.`,
    { field: 'input.liveInput', suggestedFix: t`Delete one that is not used.` },
  );
}

export interface UpdateSimulcastTargetArgs {
  readonly id: string;
  readonly input: SimulcastTargetInput & RevisionInput;
}

/** Updates the given fields; returns the id. Throws CONFLICT for an earlier revision. */
export async function updateSimulcastTarget(
  context: CommandContext,
  { id, input }: UpdateSimulcastTargetArgs,
): Promise<string> {
  const { db, secrets, sockets } = context.services.live;
  const changes = readChanges(SIMULCAST_TARGET_INPUT, input);
  const found = await ownTarget(context, id);
  if (changes.url !== undefined) await sockets.check(socketAddressOf(changes.url), 'input.url');
  await db.transaction(async (tx) => {
    const locked = await lockSimulcastTarget(tx, found.id);
    if (locked === null) throw notThere('id');
    requireRevision(input, locked.present, SIMULCAST_TARGET_INPUT, changes, context);
    const { url, streamKey } = changes;
    const hasOtherKey = streamKey !== undefined && streamKey !== openTargetKey(secrets, locked.streamKey);
    if (hasOtherKey) await refuseOwnKey(context, tx, found.inputId, streamKey);
    const isMoved = hasOtherKey || (url !== undefined && url !== locked.present.url);
    const sealed = hasOtherKey ? sealTargetKey(secrets, streamKey) : null;
    await updateSimulcastTargetRow(tx, found.id, { changes, streamKey: sealed, isMoved, nowIso: context.nowIso });
  });
  return found.id;
}

/** Removes a target; what is published there ends. */
export async function deleteSimulcastTarget(
  context: CommandContext,
  { id }: { readonly id: string },
): Promise<{ id: string; liveInput: string }> {
  const found = await ownTarget(context, id);
  await deleteSimulcastTargetRow(context.services.live.db, found.id);
  return { id: context.did('simulcastTarget', found.id), liveInput: found.inputId };
}

async function ownTarget(context: CommandContext, did: string): Promise<SimulcastTargetFacts> {
  const { id } = context.parseDid(did, ['simulcastTarget'], 'id');
  const found = await findSimulcastTarget(context.services.live.db, id, requireAccount(context).scope);
  authorize(SIMULCAST_TARGET_CHANGE, found, 'id');
  return found;
}

/** A live input is not published to itself. As its own server does, encoders may add parameters to the key. */
async function refuseOwnKey(
  { services: { live } }: CommandContext,
  db: Executor,
  inputId: string,
  streamKey: string,
): Promise<void> {
  const [key = ''] = streamKey.split('?');
  const hash = await streamKeyHash(db, live.secrets, key);
  if (!(await isStreamKeyOf(db, inputId, hash))) return;
  throw new AppError('INVALID_INPUT', t`This is the stream key of the live input itself.`, {
    field: 'input.streamKey',
    suggestedFix: t`Send the stream key that the other service gives you.`,
  });
}

function notThere(field: string): AppError {
  return new AppError('RESOURCE_NOT_FOUND', undefined, {
    field,
    suggestedFix: t`Use an identifier from LiveInput.simulcastTargets.`,
  });
}
