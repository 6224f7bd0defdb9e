import type { LivePosition } from '@reelgraph/manifests';
import { PLAYLIST_NAME } from '../../../media/index.ts';
import { contentTypeOf } from '../../../platform/storage/content-types.ts';
import { MASTER_PLAYLIST } from '../../assets/index.ts';
import type { GeneratedFile } from '../../delivery/index.ts';
import { LIVE_CLOCK, LIVE_MANIFEST, LIVE_NAME } from '../broadcasts/live-names.ts';
import { positionIn } from '../packaging/live-position.ts';
import { type LiveFile, type LiveTrack, partOf } from '../packaging/live-track.ts';
import type { Patience } from '../packaging/waiting-requests.ts';

const UUID = '[0-9a-f-]{36}';
const FILE = new RegExp(`^media/${UUID}/(${UUID})/${LIVE_NAME}/(?:(video(?:-\\d+)?|audio)/)?([a-z0-9.-]+)$`);
const CLOCK = new RegExp(`^media/${UUID}/${UUID}/${LIVE_NAME}/${LIVE_CLOCK}$`);
/** Players repeat requests that take longer. */
export const LONGEST_WAIT_MS = 8_000;

/** A file of a broadcast that players ask for. */
export interface LiveAddress {
  readonly videoAssetId: string;
  /** Null for a manifest of all tracks. */
  readonly track: string | null;
  readonly name: string;
  /** Of a playlist: what a player waits for (RFC 8216bis section 6.2.5.2); null for what there is. */
  readonly position: LivePosition | null;
  /** Of a playlist: without the segments that the player has. */
  readonly skip: boolean;
}

/** The file; `ahead` where a player waits for something so far ahead that it is mistaken; null where there is none. */
export type LiveAnswer = GeneratedFile | 'ahead' | null;

/** What a key below `media/` and a query ask for; null for other keys. INVALID_INPUT for a malformed position. */
export function readLiveAddress(key: string, query: URLSearchParams): LiveAddress | null {
  const [, videoAssetId, track = null, name] = FILE.exec(key) ?? [];
  if (videoAssetId === undefined || name === undefined) return null;
  if (track === null && name !== LIVE_MANIFEST && name !== MASTER_PLAYLIST) return null;
  if (name !== PLAYLIST_NAME) return { videoAssetId, track, name, position: null, skip: false };
  return { videoAssetId, track, name, position: positionIn(query), skip: query.get('_HLS_skip') === 'YES' };
}

/** Whether a key is that of the clock of a broadcast. */
export function isLiveClock(key: string): boolean {
  return CLOCK.test(key);
}

/** Whether a file is another one with each segment: a playlist or a manifest. */
export function isChanging({ name }: Pick<LiveAddress, 'name'>): boolean {
  return name === PLAYLIST_NAME || name === LIVE_MANIFEST || name === MASTER_PLAYLIST;
}

/** Whether a file is only in the memory of the process that receives the broadcast. */
export function isInMemory(address: Pick<LiveAddress, 'name'>): boolean {
  return isChanging(address) || partOf(address.name) !== null;
}

/** The query of an address, in one spelling. */
export function queryOf({ position, skip }: LiveAddress): string {
  const query = new URLSearchParams();
  if (position) query.set('_HLS_msn', `${position.segment}`);
  if (position?.part != null) query.set('_HLS_part', `${position.part}`);
  if (skip) query.set('_HLS_skip', 'YES');
  return query.size === 0 ? '' : `?${query}`;
}

/** A broadcast in memory. */
export interface LiveSource {
  /** The manifest with this name; null where there is none, or nothing can be played. */
  manifest(name: string, patience: Patience): Promise<LiveFile | null>;
  /** The track with this name; null where there is none. */
  track(name: string): LiveTrack | null;
}

/** A file of a broadcast, from memory; what is made next is waited for (section 6.2.5). */
export async function liveFile(source: LiveSource, address: LiveAddress, patience: Patience): Promise<LiveAnswer> {
  const { track: kind, name } = address;
  if (kind === null) {
    const manifest = await source.manifest(name, patience);
    return manifest && changingFile(name, manifest);
  }
  const track = source.track(kind);
  if (!track) return null;
  if (name === PLAYLIST_NAME) {
    const playlist = await track.playlist(address, patience);
    return playlist ? changingFile(name, playlist) : 'ahead';
  }
  const body = await track.file(name, patience);
  return body && mediaFile(name, body);
}

/** A playlist or a manifest as it is sent. */
export function changingFile(name: string, { body, etag }: LiveFile): GeneratedFile {
  return { body, etag, contentType: contentTypeOf(name), lifetime: 'LIVE' };
}

/** A part or a segment as it is sent. */
export function mediaFile(name: string, body: Buffer): GeneratedFile {
  return { body, contentType: contentTypeOf(name), lifetime: 'IMMUTABLE', etag: `"${name}-${body.length}"` };
}
