import { t } from '../../../kernel/languages/message.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { FileGenerator, GeneratedFile } from '../../delivery/index.ts';
import type { LiveBroadcasts } from '../ingest/live-broadcasts.ts';
import { isLiveClock, LONGEST_WAIT_MS, liveFile, readLiveAddress, wrongPosition } from './live-file.ts';
import type { RemoteFiles } from './remote-files.ts';

/**
 * Playlists, manifests, parts and new segments of broadcasts, from memory: from that of this process, or of the one
 * that receives the broadcast. Other files are stored.
 */
export function liveFiles(
  broadcasts: Pick<LiveBroadcasts, 'placeOf'>,
  remote: Pick<RemoteFiles, 'file'>,
  clock: Clock,
): FileGenerator {
  return async (_, key, { query, whenAbandoned }) => {
    if (isLiveClock(key)) return clockFile(clock.now());
    const address = readLiveAddress(key, query);
    const place = address && (await broadcasts.placeOf(address.videoAssetId));
    if (!place) return null;
    const patience = { limitMs: LONGEST_WAIT_MS, whenAbandoned };
    const file = await ('session' in place
      ? liveFile(place.session, address, patience)
      : remote.file(place.node, key, address));
    if (file === 'ahead') throw wrongPosition(t`The playlist has not come so far.`);
    return file;
  };
}

/** The time of the server, by which players of DASH know which segments there are (ISO 8601). */
function clockFile(nowMs: number): GeneratedFile {
  return { body: new Date(nowMs).toISOString(), contentType: 'text/plain; charset=utf-8', lifetime: 'LIVE' };
}
