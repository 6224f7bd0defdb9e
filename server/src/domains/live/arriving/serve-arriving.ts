import { setTimeout as sleep } from 'node:timers/promises';
import type { LivePosition } from '@reelgraph/manifests';
import { t } from '../../../kernel/languages/message.ts';
import { PLAYLIST_NAME } from '../../../media/index.ts';
import type { Database } from '../../../platform/db/database.ts';
import { contentTypeOf } from '../../../platform/storage/content-types.ts';
import { WeightedCache } from '../../../platform/weighted-cache.ts';
import { ARRIVING_NAME } from '../../assets/index.ts';
import type { FileGenerator, FileRequest } from '../../delivery/index.ts';
import { positionIn, wrongPosition } from '../packaging/live-position.ts';
import { ArrivingPlaylist, type ArrivingTrack } from './arriving-playlist.ts';
import { arrivingSegments } from './arriving-segments.store.ts';

const UUID = '[0-9a-f-]{36}';
const PLAYLIST = new RegExp(`^media/(${UUID})/(${UUID})/${ARRIVING_NAME}/(video|audio)/${PLAYLIST_NAME}$`);
/** Players repeat requests that take longer. */
const LONGEST_WAIT_MS = 8_000;
/** Between two looks at the database, for all who play a video. */
const LOOK_MS = 200;
/** Videos whose playlists are in memory. */
const MOST_PLAYED = 100;

interface Played {
  readonly playlist: ArrivingPlaylist;
  readonly look: Promise<boolean>;
  readonly lookedAtMs: number;
}

/** The playlists of videos that arrive, of what is stored. Complete ones are stored themselves. */
export function arrivingFiles(db: Database): FileGenerator {
  const played = new WeightedCache<Played>(MOST_PLAYED);

  /** Null where nothing arrives. */
  async function newest(contentId: string, videoAssetId: string): Promise<ArrivingPlaylist | null> {
    const key = `${contentId}/${videoAssetId}`;
    let known = played.get(key);
    if (!known || performance.now() - known.lookedAtMs >= LOOK_MS) {
      const playlist = known?.playlist ?? new ArrivingPlaylist();
      const look = Promise.resolve(known?.look).then(() => addNew(db, { contentId, videoAssetId }, playlist));
      known = { playlist, look, lookedAtMs: performance.now() };
      played.set(key, known);
      look.catch(() => played.delete(key));
    }
    if (await known.look) return known.playlist;
    played.delete(key);
    return null;
  }

  return async (_, key, { query, whenAbandoned }) => {
    const [, contentId, videoAssetId, track] = PLAYLIST.exec(key) ?? [];
    if (contentId === undefined || videoAssetId === undefined) return null;
    const position = positionIn(query);
    const patience = new Patience(whenAbandoned);
    try {
      for (;;) {
        const playlist = await newest(contentId, videoAssetId);
        if (!playlist) return null;
        const list = playlist.track(track as ArrivingTrack); // of the pattern
        if (!list) return 'missing';
        if (position && list.isTooFar(position)) throw wrongPosition(t`The playlist has not come so far.`);
        if (isThere(list, position) || !(await patience.wait())) {
          const body = list.text({ skip: query.get('_HLS_skip') === 'YES' });
          return { body, contentType: contentTypeOf(PLAYLIST_NAME), lifetime: 'LIVE' };
        }
      }
    } finally {
      patience.end();
    }
  };
}

function isThere(list: { has(position: LivePosition): boolean }, position: LivePosition | null): boolean {
  return position === null || list.has(position);
}

/** Lists the segments that were stored since; false where the video does not arrive. */
async function addNew(
  db: Database,
  video: { readonly contentId: string; readonly videoAssetId: string },
  playlist: ArrivingPlaylist,
): Promise<boolean> {
  const segments = await arrivingSegments(db, video, playlist.next);
  for (const segment of segments ?? []) playlist.add(segment);
  return segments !== null;
}

/** Of a player that waits for the next segment. */
class Patience {
  readonly #until = performance.now() + LONGEST_WAIT_MS;
  readonly #stay: () => void;
  #isAbandoned = false;

  constructor(whenAbandoned: FileRequest['whenAbandoned']) {
    this.#stay = whenAbandoned(() => {
      this.#isAbandoned = true;
    });
  }

  /** A moment; false where that was too long, or the player is gone. */
  async wait(): Promise<boolean> {
    if (this.#isAbandoned || performance.now() >= this.#until) return false;
    await sleep(LOOK_MS);
    return true;
  }

  end(): void {
    this.#stay();
  }
}
