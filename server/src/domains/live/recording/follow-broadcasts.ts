import { type Repeated, repeat } from '../../../platform/repeat.ts';
import {
  forgetUnplayed,
  markSilent,
  type OverdueBroadcast,
  overdueBroadcasts,
} from '../broadcasts/broadcasts.store.ts';
import { giveUpMissed } from '../schedule/give-up-missed.ts';
import { missedStreams } from '../schedule/schedule.store.ts';
import { appendReconnecting } from './append-reconnecting.ts';
import { unrecordedBroadcasts } from './complete-recording.store.ts';
import { completeRecording, type RecordingTools } from './complete-recording.ts';
import { endBroadcast } from './end-broadcast.ts';

const EVERY_MS = 1_000;
/** The process that received a broadcast completes its recording by then. */
const UNRECORDED_MS = 15_000;
/** Between two attempts at one that fails. */
const LONGEST_WAIT_MS = 600_000;

interface Failure {
  readonly count: number;
  readonly againAtMs: number;
}

/**
 * Ends broadcasts whose encoder did not come back, completes what processes that died have left, and gives up scheduled
 * broadcasts that were missed. One that fails is tried again later, and keeps no other waiting.
 */
export function followBroadcasts(tools: RecordingTools): Repeated {
  const { db, clock, log } = tools;
  const failures = new Map<string, Failure>();
  const attempt = async (id: string, work: Promise<void>): Promise<void> => {
    try {
      await work;
      failures.delete(id);
    } catch (error) {
      const count = (failures.get(id)?.count ?? 0) + 1;
      failures.set(id, { count, againAtMs: clock.now() + Math.min(2 ** count * EVERY_MS, LONGEST_WAIT_MS) });
      log.warn({ broadcastId: id, error }, 'a broadcast could not be followed, will be retried');
    }
  };
  return repeat(log, 'broadcasts could not be followed, will be retried', EVERY_MS, async () => {
    const nowMs = clock.now();
    const waiting = [...failures].flatMap(([id, { againAtMs }]) => (againAtMs > nowMs ? [id] : []));
    for (const broadcast of await overdueBroadcasts(db, new Date(nowMs).toISOString(), waiting))
      await attempt(broadcast.id, settle(tools, broadcast));
    for (const id of await unrecordedBroadcasts(db, new Date(nowMs - UNRECORDED_MS).toISOString(), waiting))
      await attempt(id, completeRecording(tools, id));
    for (const id of await missedStreams(db, new Date(nowMs).toISOString(), waiting))
      await attempt(id, giveUpMissed(tools, id));
    return false;
  });
}

async function settle(tools: RecordingTools, { id, state, connectionId }: OverdueBroadcast): Promise<void> {
  const { db, clock } = tools;
  if (state === 'CONNECTED') {
    if (connectionId) await forgetUnplayed(db, id, connectionId);
    return;
  }
  if (state === 'LIVE' && connectionId !== null) {
    const now = new Date(clock.now()).toISOString();
    await db.transaction(async (tx) => appendReconnecting(tx, await markSilent(tx, id, connectionId, now)));
    return;
  }
  if (await endBroadcast(tools, id, { reason: 'ENCODER_LOST', connectionId: null })) await completeRecording(tools, id);
}
