import { PLAYLIST_NAME } from '../../../media/index.ts';
import type { Platform } from '../../../platform/platform.ts';
import { contentTypeOf } from '../../../platform/storage/content-types.ts';
import { arrivingPrefix } from '../../assets/index.ts';
import { findIngestion } from '../../ingest/index.ts';
import { ArrivingPlaylist } from './arriving-playlist.ts';
import { arrivingSegments } from './arriving-segments.store.ts';
import { forgetArriving, lockArriving, noteArrivedBytes } from './arriving-videos.store.ts';

/**
 * Stores the playlists of what has arrived of an upload that has finished, for the players that have them: nothing
 * follows. Nothing happens for others, and where that was done.
 */
export async function completeArrived(
  { db, store }: Pick<Platform, 'db' | 'store'>,
  ingestionId: string,
): Promise<void> {
  if ((await findIngestion(db, ingestionId))?.state !== 'FINISHED') return;
  await db.transaction(async (tx) => {
    const video = await lockArriving(tx, ingestionId);
    const segments = video && (await arrivingSegments(tx, video, 0));
    if (!video || !segments) return;
    const playlist = new ArrivingPlaylist();
    for (const segment of segments) playlist.add(segment);
    playlist.end();
    const prefix = arrivingPrefix(video.contentId, video.videoAssetId);
    for (const track of ['video', 'audio'] as const) {
      const text = playlist.track(track)?.text();
      const key = `${prefix}${track}/${PLAYLIST_NAME}`;
      if (text !== undefined) await store.put(key, Buffer.from(text), { contentType: contentTypeOf(key) });
    }
    const bytes = segments.reduce((sum, segment) => sum + segment.bytes, 0);
    const tracks = playlist.track('audio') ? 2 : 1;
    await noteArrivedBytes(tx, video.videoAssetId, bytes, tracks * segments.length);
    await forgetArriving(tx, video.videoAssetId);
  });
}
