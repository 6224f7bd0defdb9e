import type { ContentId } from '../../../kernel/ids.ts';
import type { LiveRung } from '../../../media/index.ts';
import { appendEvent } from '../../../platform/events/event-log.store.ts';
import type { Platform } from '../../../platform/platform.ts';
import { insertLiveVideo, replaceRenditions, sourceKey } from '../../assets/index.ts';
import { beginStream, publishStream } from '../../catalog/index.ts';
import { type Broadcast, forgetRefusal, markLive } from '../broadcasts/broadcasts.store.ts';
import { openChat } from '../chat/chats.store.ts';
import type { LiveVisibility } from '../inputs/live-input-fields.ts';
import type { LiveSegment, LiveTracks } from '../packaging/live-stream.ts';
import { livePrefix, liveRenditions } from './live-renditions.ts';

/** A broadcast that can be played. */
export interface LiveFacts {
  readonly broadcast: Broadcast;
  readonly connectionId: string;
  /** Whether the broadcast has no video, so that it is made now, as its stream is unless it was scheduled. */
  readonly isNew: boolean;
  readonly contentId: ContentId;
  readonly videoAssetId: string;
  readonly title: string;
  readonly visibility: LiveVisibility;
  readonly tracks: LiveTracks;
  /** Other sizes in which it is offered. */
  readonly rungs: readonly LiveRung[];
}

/** Another connection has taken over, or the broadcast has ended, or its stream is deleted. */
class Superseded extends Error {}

/**
 * Makes a broadcast live once its first segment is stored: its stream is published with the visibility of the input,
 * unless it was scheduled. A broadcast that goes on after an interruption has its video. False when it has ended, or
 * its stream is deleted.
 */
export async function goLive(
  { db, clock }: Pick<Platform, 'db' | 'clock'>,
  facts: LiveFacts,
  segment: LiveSegment,
): Promise<boolean> {
  const { broadcast, connectionId, contentId, videoAssetId, title, visibility, tracks, rungs, isNew } = facts;
  const { id: broadcastId, channelId } = broadcast;
  const nowMs = clock.now();
  const now = new Date(nowMs).toISOString();
  const { width, height } = tracks.video;
  const isPortrait = height > width;
  try {
    await db.transaction(async (tx) => {
      if (isNew) {
        const layout = isPortrait ? 'PORTRAIT' : 'LANDSCAPE';
        if (broadcast.contentId === null)
          await publishStream(tx, { id: contentId, channelId, title, visibility, layout }, nowMs);
        else if (!(await beginStream(tx, contentId, layout, nowMs))) throw new Superseded();
        const video = {
          ...{ id: videoAssetId, channelId, contentId, hint: isPortrait ? 'PORTRAIT_VIDEO' : 'LANDSCAPE_VIDEO' },
          ...{ filename: 'stream.mp4', sourceKey: sourceKey(videoAssetId), width, height },
        };
        await openChat(tx, contentId, broadcast.inputId, now);
        await insertLiveVideo(tx, video, livePrefix(contentId, videoAssetId), now);
        await replaceRenditions(tx, videoAssetId, liveRenditions(tracks, rungs, segment));
      }
      const startedAt = new Date(segment.arrivedAtMs).toISOString();
      const before = await markLive(tx, broadcastId, connectionId, { contentId, videoAssetId, startedAt });
      if (before === null) throw new Superseded();
      if (before === 'LIVE') return;
      await forgetRefusal(tx, broadcast.inputId);
      await appendEvent(tx, { type: 'stream.live', channelId, subjectId: contentId, payload: {} });
    });
    return true;
  } catch (error) {
    if (error instanceof Superseded) return false;
    throw error;
  }
}
