import { newId } from '../../../kernel/ids.ts';
import type { AddedCodec } from '../../../media/index.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import type { Jobs } from '../../../platform/jobs/jobs.ts';
import { orderObjectPurge, packagePrefix } from '../../assets/index.ts';
import { processVideoJob } from '../../transcode/index.ts';
import { CODEC_PRIORITY, codecsOfChannel, deleteCodecJobs, insertCodecJob } from './codec-jobs.store.ts';

interface Tools {
  readonly jobs: Pick<Jobs, 'send'>;
  readonly clock: Clock;
}

/** Has a complete video encoded in another codec, unless it is, is being or failed to be.
 * It is played as before meanwhile. */
export async function orderCodec(
  { jobs, clock }: Tools,
  tx: Transaction,
  videoAssetId: string,
  codec: AddedCodec,
): Promise<void> {
  const jobId = newId<'job'>();
  const now = new Date(clock.now()).toISOString();
  if (await insertCodecJob(tx, jobId, videoAssetId, codec, now))
    await jobs.send(tx, processVideoJob, { jobId }, { priority: CODEC_PRIORITY });
}

/** The same in the codecs that its channel asks for. */
export async function orderCodecs(
  tools: Tools,
  tx: Transaction,
  { channelId, videoAssetId }: { readonly channelId: string; readonly videoAssetId: string },
): Promise<void> {
  for (const codec of await codecsOfChannel(tx, channelId)) await orderCodec(tools, tx, videoAssetId, codec);
}

/**
 * Ends what encodes videos of a content in other codecs, and has its files deleted after `afterMs`, because the video
 * was processed again or replaced. The caller removes the renditions.
 */
export async function dropCodecs(tx: Transaction, contentId: string, afterMs: number): Promise<void> {
  for (const { jobId, videoAssetId, attempts } of await deleteCodecJobs(tx, contentId))
    for (let attempt = 1; videoAssetId !== null && attempt <= attempts; attempt += 1)
      await orderObjectPurge(tx, packagePrefix(contentId, videoAssetId, jobId, attempt), afterMs);
}
