import { ADDED_CODECS, type AddedCodec } from '../../../media/index.ts';
import type { Platform } from '../../../platform/platform.ts';
import { popularVideos } from './codec-jobs.store.ts';
import { orderCodec } from './order-codecs.ts';

/** Videos that are ordered at a time. */
const BATCH = 50;

/** Has videos encoded in other codecs that have been watched as often as the operator set; true where more are left. */
export async function sweepPopular(platform: Pick<Platform, 'config' | 'db' | 'jobs' | 'clock'>): Promise<boolean> {
  const { config, db } = platform;
  const leastViews: Readonly<Record<AddedCodec, number | undefined>> = {
    AV1: config.AV1_AFTER_VIEWS,
    HEVC: config.HEVC_AFTER_VIEWS,
  };
  let isMore = false;
  for (const codec of ADDED_CODECS) {
    const least = leastViews[codec];
    if (least === undefined) continue;
    const found = await popularVideos(db, least, codec, BATCH);
    for (const videoAssetId of found) await db.transaction((tx) => orderCodec(platform, tx, videoAssetId, codec));
    isMore ||= found.length === BATCH;
  }
  return isMore;
}
