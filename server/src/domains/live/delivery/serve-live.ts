import { t } from '../../../kernel/languages/message.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { FileGenerator, GeneratedFile } from '../../delivery/index.ts';
import type { LiveBroadcasts } from '../ingest/live-broadcasts.ts';
import { wrongPosition } from '../packaging/live-position.ts';
import {
  isInMemory,
  isLiveClock,
  type LiveAddress,
  type LiveAnswer,
  LONGEST_WAIT_MS,
  liveFile,
  readLiveAddress,
} from './live-file.ts';
import { type RemoteFiles, unreachable } from './remote-files.ts';

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
    const offered = (): Promise<LiveAnswer> => {
      if ('session' in place) return liveFile(place.session, address, patience);
      return place.node === null ? storedOnly(address) : remote.file(place.node, key, address);
    };
    const file = await offered();
    if (file === 'ahead') throw wrongPosition(t`The playlist has not come so far.`);
    return file;
  };
}

/** Files of a broadcast that no process offers yet: those that are stored. Players ask again for the others. */
async function storedOnly(address: LiveAddress): Promise<null> {
  if (isInMemory(address)) throw unreachable(new Error('The process at this address was started again.'));
  return null;
}

/** The time of the server, by which players of DASH know which segments there are (ISO 8601). */
function clockFile(nowMs: number): GeneratedFile {
  return { body: new Date(nowMs).toISOString(), contentType: 'text/plain; charset=utf-8', lifetime: 'LIVE' };
}
