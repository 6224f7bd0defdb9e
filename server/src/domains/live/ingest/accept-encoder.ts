import { newId } from '../../../kernel/ids.ts';
import { type Text, t } from '../../../kernel/languages/message.ts';
import type { PlanLimits } from '../../../kernel/plans.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import { appendEvent } from '../../../platform/events/event-log.store.ts';
import type { Platform } from '../../../platform/platform.ts';
import { nextMonthMs } from '../../assets/index.ts';
import { lockOwnerOf, type OwnerAccount } from '../../channels/index.ts';
import {
  type Broadcast,
  beginBroadcast,
  continueBroadcast,
  type EncoderTarget,
  holdOff,
  lockEncoderTarget,
  noteRefusal,
} from '../broadcasts/broadcasts.store.ts';
import { holdOffUntil } from '../broadcasts/hold-off.ts';
import { liveInputOf, liveInputOfKey } from '../inputs/live-inputs.store.ts';
import { streamKeyHash } from '../inputs/stream-key.ts';
import { refusalByQuota } from '../quota/live-quota.policy.ts';
import { broadcastUsage } from '../quota/live-usage.store.ts';
import { takeScheduled } from '../schedule/schedule.store.ts';

/** By what an encoder shows that it may send: a stream key, or the sealed passphrase with which it sent to an input. */
export type EncoderCredential =
  | { readonly streamKey: string }
  | { readonly inputId: string; readonly passphrase: Buffer };

/** An encoder that may send. */
export interface AcceptedEncoder {
  readonly connectionId: string;
  /** Begun now, or one that goes on. */
  readonly broadcast: Broadcast;
  readonly target: Pick<EncoderTarget, 'name' | 'visibility'>;
  /** Of the owner of the channel. */
  readonly limits: PlanLimits;
}

/** Why an encoder may not. Its input notes that; nothing else was written. */
export interface RefusedEncoder {
  readonly refusal: Text;
  /** Whether no input has its credential. */
  readonly isUnknown: boolean;
}

/**
 * Decides about an encoder by its credential. An input receives one encoder at a time; one whose connection was lost
 * continues its broadcast, and another one begins the broadcast that is scheduled for now, or else one of its own.
 * `node` is the address of this process.
 */
export async function acceptEncoder(
  { db, clock, secrets }: Pick<Platform, 'db' | 'clock' | 'secrets'>,
  credential: EncoderCredential,
  node: string,
): Promise<AcceptedEncoder | RefusedEncoder> {
  const shown =
    'streamKey' in credential ? await streamKeyHash(db, secrets, credential.streamKey) : credential.passphrase;
  const input = 'streamKey' in credential ? await liveInputOfKey(db, shown) : await liveInputOf(db, credential.inputId);
  if (!input) return unknownKey();
  const nowMs = clock.now();
  const nowIso = new Date(nowMs).toISOString();
  return db.transaction(async (tx) => {
    // Before the input: its deletion with the channel locks them in this order.
    const owner = await lockOwnerOf(tx, input.channelId, nowMs);
    const target = await lockEncoderTarget(tx, input.id, shown, nowIso);
    if (!owner || !target) return unknownKey();
    const refusal =
      refusalOf(target) ??
      (await heldOff(tx, input.id, target, nowMs)) ??
      (await beyondQuota(tx, owner, target, nowMs));
    if (refusal) {
      await noteRefusal(tx, input.id, refusal, nowIso);
      return { refusal, isUnknown: false };
    }
    const connectionId = newId<'encoder'>(nowMs);
    const { open } = target;
    const { limits } = owner;
    if (open) {
      await continueBroadcast(tx, open.id, { connectionId, node, nowIso });
      return { connectionId, broadcast: open, target, limits };
    }
    const connection = { inputId: input.id, connectionId, node, nowIso };
    const broadcast =
      (await takeScheduled(tx, connection)) ??
      (await beginBroadcast(tx, { ...connection, id: newId<'broadcast'>(nowMs) }));
    await appendEvent(tx, { type: 'stream.connected', channelId: target.channelId, subjectId: input.id });
    return { connectionId, broadcast, target, limits };
  });
}

function refusalOf({ isSuspended, open }: EncoderTarget): Text | null {
  if (isSuspended) return t`The account of this channel is suspended.`;
  return open?.hasEncoder ? t`Another encoder is publishing to this live input.` : null;
}

/** By the plan of the channel's owner. */
async function beyondQuota(
  tx: Transaction,
  { accountId, limits }: OwnerAccount,
  { open }: EncoderTarget,
  nowMs: number,
): Promise<Text | null> {
  const usage = await broadcastUsage(tx, accountId, new Date(nowMs).toISOString());
  return refusalByQuota({ ...usage, limits, isContinued: open !== null, resetsAtMs: nextMonthMs(nowMs) });
}

/** After a broadcast was ended on request, an encoder that connects again by itself is refused. */
async function heldOff(
  tx: Transaction,
  inputId: string,
  { refusedUntil, lastAttemptAt }: EncoderTarget,
  nowMs: number,
): Promise<Text | null> {
  if (refusedUntil === null || lastAttemptAt === null || Date.parse(refusedUntil) <= nowMs) return null;
  const until = holdOffUntil(nowMs, Date.parse(lastAttemptAt));
  await holdOff(tx, inputId, new Date(until).toISOString(), new Date(nowMs).toISOString());
  return t`The broadcast was ended. Start again in ${Math.ceil((until - nowMs) / 1_000)} seconds.`;
}

function unknownKey(): RefusedEncoder {
  return { refusal: t`No live input has this stream key.`, isUnknown: true };
}
