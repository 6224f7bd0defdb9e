import { AppError } from '../../../kernel/errors.ts';
import { t } from '../../../kernel/languages/message.ts';
import type { Jobs } from '../../../platform/jobs/jobs.ts';
import type { BroadcastClips } from '../../catalog/index.ts';
import { CLIP_LEAD_MS } from '../broadcasts/broadcast-segments.store.ts';
import { storedRange } from '../broadcasts/stored-range.ts';
import { livePrefix } from '../recording/live-renditions.ts';
import { clipBroadcastJob } from './clip-broadcast.job.ts';
import { type BroadcastRow, broadcastToClip, segmentsToClip } from './clips.store.ts';

/**
 * Clips of broadcasts, and of recordings that have no file. The segments are named in the job, which needs their
 * objects only: those of a recording that is encoded, or of a stream that is withdrawn, are deleted a day later, and a
 * window that moves on leaves them until the clip is processed.
 */
export function broadcastClips({ jobs }: { readonly jobs: Jobs }): BroadcastClips {
  return {
    async find(tx, contentId) {
      const broadcast = await broadcastToClip(tx, contentId);
      if (!broadcast) return null;
      const { id, videoAssetId, state, filename, hint } = broadcast;
      return {
        ...{ videoAssetId, stored: storedPart(broadcast), isOpen: state === 'LIVE' || state === 'RECONNECTING' },
        async startClip(transaction, range, { jobId, spokenCaptions, field }) {
          const { startMs, endMs } = range;
          const segments = await segmentsToClip(transaction, id, { startMs: startMs - CLIP_LEAD_MS, endMs });
          const last = segments.at(-1);
          if (!last || last.startMs + last.durationMs <= startMs) throw nothingStored(field);
          const prefix = livePrefix(contentId, videoAssetId);
          const order = { jobId, prefix, filename, hint, range, segments, spokenCaptions };
          await jobs.send(transaction, clipBroadcastJob, order);
        },
      };
    },
  };
}

function storedPart(broadcast: BroadcastRow) {
  const { state, recording, durationMs, startTicks } = broadcast;
  if (state === 'LIVE' || state === 'RECONNECTING') return storedRange(broadcast, recording);
  if (state === 'RECORDED' && startTicks !== null) return { startMs: 0, endMs: Math.round(durationMs ?? 0) };
  return storedRange(broadcast, 'ALL');
}

function nothingStored(field: string): AppError {
  return new AppError('INVALID_INPUT', t`Nothing of this part of the broadcast could be stored.`, {
    field,
    suggestedFix: t`Choose another part; Broadcast.missingMs says how much is missing.`,
  });
}
