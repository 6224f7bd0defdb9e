import { type CommandContext, type RevisionInput, readChanges, readNew, requireRevision } from '../../../gql/index.ts';
import { AppError } from '../../../kernel/errors.ts';
import { newId } from '../../../kernel/ids.ts';
import { t } from '../../../kernel/languages/message.ts';
import type { Maybe } from '../../../kernel/maybe.ts';
import { authorize, fact, type Policy, permission } from '../../../kernel/policy.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import { authorizeChannel, lockOwnerOf, requireAccount, roleTooLow } from '../../channels/index.ts';
import { LIVE_INPUT_FIELDS, type LiveInputInput } from './live-input-fields.ts';
import { checkLiveInputQuota } from './live-input-quota.policy.ts';
import {
  deleteLiveInputRow,
  findLiveInput,
  insertLiveInput,
  type LiveInputFacts,
  liveInputCount,
  lockLiveInput,
  replaceCredentials,
  type StoredSrt,
  takeSrtPort,
  updateLiveInputRow,
} from './live-inputs.store.ts';
import { MAX_LIVE_INPUTS } from './live-limits.ts';
import { makeStreamKey, newPassphrase, storedStreamKey } from './stream-key.ts';

/** Who may change a live input: for non-members of its channel it does not exist. */
export const LIVE_INPUT_CHANGE: Policy<LiveInputFacts> = {
  missing: notThere,
  requires: [permission(fact('member'), notThere), permission(fact('may'), roleTooLow)],
};

export interface CreateLiveInputArgs {
  readonly input: LiveInputInput & { readonly channel?: Maybe<string> };
}

/** Creates a live input with its own stream key; returns its id. */
export async function createLiveInput(
  context: CommandContext,
  { input: { channel, ...input } }: CreateLiveInputArgs,
): Promise<string> {
  const { db, secrets } = context.services.live;
  const viewer = requireAccount(context);
  const channelId = channel == null ? viewer.channelId : context.parseDid(channel, ['channel'], 'input.channel').id;
  const values = readNew(LIVE_INPUT_FIELDS, input);
  await authorizeChannel(db, { channelId, viewer: viewer.scope, permission: 'live:manage', field: 'input.channel' });
  const id = newId<'live-input'>(context.nowMs);
  const key = storedStreamKey(secrets, makeStreamKey());
  const created = await db.transaction(async (tx) => {
    const owner = await lockOwnerOf(tx, channelId, context.nowMs);
    const refused =
      owner && checkLiveInputQuota(owner.limits, await liveInputCount(tx, owner.accountId), 'input.channel');
    if (refused) throw refused;
    const srt = values.srt ? await takeSrt(context, tx) : null;
    return insertLiveInput(tx, { id, channelId, values, key, srt, nowIso: context.nowIso });
  });
  if (created) return id;
  throw new AppError('INVALID_INPUT', t`This channel already has ${MAX_LIVE_INPUTS} live inputs, which is the limit.`, {
    field: 'input.channel',
    suggestedFix: t`Delete one that is not used, or publish to one that is.`,
  });
}

export interface UpdateLiveInputArgs {
  readonly id: string;
  readonly input: LiveInputInput & RevisionInput;
}

/** Updates the given fields; returns the id. Throws CONFLICT for an earlier revision. */
export async function updateLiveInput(context: CommandContext, { id, input }: UpdateLiveInputArgs): Promise<string> {
  const changes = readChanges(LIVE_INPUT_FIELDS, input);
  const found = await ownLiveInput(context, id, 'id');
  await context.services.live.db.transaction(async (tx) => {
    const locked = await lockLiveInput(tx, found.id);
    if (locked === null) throw notThere('id');
    requireRevision(input, locked.present, LIVE_INPUT_FIELDS, changes, context);
    const isOn = changes.srt ?? locked.srt !== null;
    const srt = isOn ? (locked.srt ?? (await takeSrt(context, tx))) : null;
    await updateLiveInputRow(tx, found.id, { changes, srt, nowIso: context.nowIso });
  });
  return found.id;
}

/** A port of this server that is free, and a new passphrase. */
async function takeSrt({ services: { live } }: CommandContext, tx: Transaction): Promise<StoredSrt> {
  const field = 'input.srt';
  if (live.srtPorts().length === 0)
    throw new AppError('SERVICE_UNAVAILABLE', t`This server does not receive SRT.`, {
      field,
      retryable: false,
      suggestedFix: t`Publish by RTMP, or ask the operator of this server to set SRT_PORTS and to install srt-tools.`,
    });
  const port = await takeSrtPort(tx, live.srtPorts());
  if (port !== null) return { port, passphrase: newPassphrase(live.secrets) };
  throw new AppError('SERVICE_UNAVAILABLE', t`All ports of this server for SRT are taken.`, {
    field,
    retryable: false,
    suggestedFix: t`Switch SRT off for a live input that does not need it, or ask the operator for more SRT_PORTS.`,
  });
}

/** Removes a live input; its streams stay. */
export async function deleteLiveInput(
  context: CommandContext,
  { id }: { readonly id: string },
): Promise<{ id: string; channel: string }> {
  const found = await ownLiveInput(context, id, 'id');
  await deleteLiveInputRow(context.services.live.db, found.id);
  return { id: context.did('liveInput', found.id), channel: found.channelId };
}

/** Replaces the stream key of a live input, and its passphrase for SRT; returns the id. */
export async function rotateLiveInputKey(context: CommandContext, { id }: { readonly id: string }): Promise<string> {
  const { db, secrets } = context.services.live;
  const found = await ownLiveInput(context, id, 'id');
  const key = storedStreamKey(secrets, makeStreamKey());
  await replaceCredentials(db, found.id, { key, passphrase: newPassphrase(secrets) }, context.nowIso);
  return found.id;
}

/**
 * The live input that `field` names, for those who may change it. Live inputs are private to members: for others they
 * do not exist.
 */
export async function ownLiveInput(context: CommandContext, did: string, field = 'id'): Promise<LiveInputFacts> {
  const { id } = context.parseDid(did, ['liveInput'], field);
  const found = await findLiveInput(context.services.live.db, id, requireAccount(context).scope);
  authorize(LIVE_INPUT_CHANGE, found, field);
  return found;
}

/** RESOURCE_NOT_FOUND for the id of a live input given in `field`. */
export function notThere(field: string): AppError {
  return new AppError('RESOURCE_NOT_FOUND', undefined, {
    field,
    suggestedFix: t`Use an identifier from liveInputs(channel).`,
  });
}
