import type { Platform } from '../../../platform/platform.ts';
import { type Repeated, repeat } from '../../../platform/repeat.ts';
import {
  forgetUnplayed,
  markSilent,
  type OverdueBroadcast,
  overdueBroadcasts,
} from '../broadcasts/broadcasts.store.ts';
import { appendReconnecting } from './append-reconnecting.ts';
import { unrecordedBroadcasts } from './complete-recording.store.ts';
import { completeRecording, type RecordingTools } from './complete-recording.ts';
import { endBroadcast } from './end-broadcast.ts';

const EVERY_MS = 1_000;
/** The process that received a broadcast completes its recording by then. */
const UNRECORDED_MS = 15_000;

type Tools = RecordingTools & Pick<Platform, 'log'>;

/** Ends broadcasts whose encoder did not come back, and completes what processes that died have left. */
export function followBroadcasts(tools: Tools): Repeated {
  const { db, clock, log } = tools;
  return repeat(log, 'broadcasts could not be followed, will be retried', EVERY_MS, async () => {
    const nowMs = clock.now();
    for (const broadcast of await overdueBroadcasts(db, new Date(nowMs).toISOString())) await settle(tools, broadcast);
    for (const id of await unrecordedBroadcasts(db, new Date(nowMs - UNRECORDED_MS).toISOString()))
      await completeRecording(tools, id);
    return false;
  });
}

async function settle(tools: Tools, { id, state, connectionId }: OverdueBroadcast): Promise<void> {
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
  if (await endBroadcast(tools, id, { byRequest: false, connectionId: null })) await completeRecording(tools, id);
}
