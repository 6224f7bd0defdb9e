import { ADDED_CODECS, type AddedCodec } from '../../../media/index.ts';
import type { Platform } from '../../../platform/platform.ts';
import { coldBefore } from '../../transcode/index.ts';
import { cancelledVideos, popularVideos } from './codec-jobs.store.ts';
import { orderCodec } from './order-codecs.ts';

/** Videos that are ordered at a time. */
const BATCH = 50;

type Tools = Pick<Platform, 'config' | 'db' | 'jobs' | 'clock'>;

/**
 * Has videos encoded in other codecs that have been watched as often as the operator set, and those whose job was
 * cancelled although their channel asks for the codec; never those that are cold, and none that failed. True where more
 * are left.
 */
export async function sweepCodecs(platform: Tools): Promise<boolean> {
  const { config, db } = platform;
  const leastViews: Readonly<Record<AddedCodec, number | undefined>> = {
    AV1: config.AV1_AFTER_VIEWS,
    HEVC: config.HEVC_AFTER_VIEWS,
  };
  let isMore = false;
  for (const codec of ADDED_CODECS) {
    const search = { codec, coldBefore: coldBefore(platform), most: BATCH };
    const least = leastViews[codec];
    const popular = least === undefined ? [] : await popularVideos(db, least, search);
    const cancelled = await cancelledVideos(db, search);
    for (const id of new Set([...popular, ...cancelled]))
      await db.transaction((tx) => orderCodec(platform, tx, id, codec));
    isMore ||= popular.length === BATCH || cancelled.length === BATCH;
  }
  return isMore;
}
