import type { LivePosition } from '@reelgraph/manifests';
import { AppError } from '../../../kernel/errors.ts';
import { t } from '../../../kernel/languages/message.ts';
import { PLAYLIST_NAME } from '../../../media/index.ts';
import { contentTypeOf } from '../../../platform/storage/content-types.ts';
import type { FileGenerator, GeneratedFile } from '../../delivery/index.ts';
import type { LiveBroadcasts } from '../ingest/live-broadcasts.ts';
import type { LiveTrack } from '../packaging/live-track.ts';
import type { Patience } from '../packaging/waiting-requests.ts';
import { LIVE_NAME } from '../recording/live-renditions.ts';

const UUID = '[0-9a-f-]{36}';
const FILE = new RegExp(`^media/${UUID}/(${UUID})/${LIVE_NAME}/(video|audio)/([a-z0-9.-]+)$`);
/** Players repeat requests that take longer. */
const LONGEST_WAIT_MS = 8_000;

/**
 * Playlists, parts and new segments of broadcasts, from memory. Requests of what is made next wait for it (RFC 8216bis
 * section 6.2.5). Other files are stored.
 */
export function liveFiles(broadcasts: Pick<LiveBroadcasts, 'streamOf'>): FileGenerator {
  return async (_, key, { query, whenAbandoned }) => {
    const [, videoAssetId, kind, name] = FILE.exec(key) ?? [];
    if (videoAssetId === undefined || kind === undefined || name === undefined) return null;
    const stream = await broadcasts.streamOf(videoAssetId);
    const track = stream?.track(kind);
    if (!track) return null;
    const patience = { limitMs: LONGEST_WAIT_MS, whenAbandoned };
    if (name === PLAYLIST_NAME) return playlist(track, query, patience);
    const body = await track.file(name, patience);
    return body && { body, contentType: contentTypeOf(name), lifetime: 'IMMUTABLE', etag: `"${name}-${body.length}"` };
  };
}

async function playlist(track: LiveTrack, query: URLSearchParams, patience: Patience): Promise<GeneratedFile> {
  const position = positionIn(query);
  const file = await track.playlist({ position, skip: query.get('_HLS_skip') === 'YES' }, patience);
  if (file === null) throw wrongPosition(t`The playlist has not come so far.`);
  return { ...file, contentType: 'application/vnd.apple.mpegurl', lifetime: 'LIVE' };
}

/** What a player waits for (section 6.2.5.2); null for what there is. */
function positionIn(query: URLSearchParams): LivePosition | null {
  const [segment, part] = [numberIn(query, '_HLS_msn'), numberIn(query, '_HLS_part')];
  if (segment !== null) return { segment, part };
  if (part !== null) throw wrongPosition(t`_HLS_part needs _HLS_msn.`);
  return null;
}

function numberIn(query: URLSearchParams, name: string): number | null {
  const text = query.get(name);
  if (text === null) return null;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw wrongPosition(t`${name} is a number.`);
}

function wrongPosition(message: ConstructorParameters<typeof AppError>[1]): AppError {
  return new AppError('INVALID_INPUT', message, {
    suggestedFix: t`Load the playlist without parameters, and continue from there.`,
    httpStatus: 400,
  });
}
