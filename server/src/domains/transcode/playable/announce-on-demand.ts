import {
  describeOnDemand,
  type EncodedChunk,
  type EncodePlan,
  INIT_NAME,
  inFolder,
  planOnDemand,
  type Rendition,
} from '../../../media/index.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { ObjectStore } from '../../../platform/storage/object-store.ts';
import { nameOfPackage, onDemandPrefix } from '../../assets/index.ts';
import type { ClaimedChunk } from '../plans/encode-chunks.store.ts';
import { announcePlayable } from './announce-playable.ts';

/** Stores the playlists of what is played while the video is encoded, and its initialization segments. */
export async function storeOnDemand(
  store: Pick<ObjectStore, 'put'>,
  prefix: string,
  plan: EncodePlan,
  { parts }: EncodedChunk,
): Promise<readonly Rendition[] | null> {
  const demand = planOnDemand(plan);
  if (!demand) return null;
  const { files, renditions } = describeOnDemand(plan, demand);
  await Promise.all([
    ...files.map(({ path, text }) =>
      store.put(prefix + path, Buffer.from(text), { contentType: 'application/vnd.apple.mpegurl' }),
    ),
    ...parts.map(({ folder, init }) =>
      store.put(`${prefix}${folder}/${INIT_NAME}`, Buffer.from(init, 'base64'), { contentType: 'video/mp4' }),
    ),
  ]);
  return renditions;
}

/** Makes the video playable while it is encoded, unless it is already. */
export async function announceOnDemand(
  platform: Pick<Platform, 'clock' | 'jobs'>,
  tx: Transaction,
  { jobId, contentId, videoAssetId, planAttempt, plan, mimeType }: ClaimedChunk,
  renditions: readonly Rendition[],
): Promise<void> {
  const { video, durationMs } = plan.facts;
  if (video === null || durationMs === null) return;
  const packagePrefix = onDemandPrefix(contentId, videoAssetId, jobId, planAttempt);
  const facts = {
    ...{ mimeType, width: video.displayWidth, height: video.displayHeight, durationMs },
    packagePrefix,
    // Counted with the package that is encoded meanwhile.
    ...{ derivedBytes: 0, derivedFiles: 0 },
  };
  await announcePlayable(platform, tx, videoAssetId, facts, inFolder(nameOfPackage(packagePrefix), renditions));
}
