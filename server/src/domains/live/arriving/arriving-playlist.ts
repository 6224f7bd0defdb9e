import { LivePlaylist } from '@reelgraph/manifests';
import { segmentName } from '../../../media/index.ts';
import { initName } from '../packaging/live-track.ts';
import type { ArrivingSegment } from './arriving-segments.store.ts';

/** No segment is longer, rounded: they end without a keyframe where there is none for so long. */
export const LONGEST_SEGMENT_SECONDS = 4;

export type ArrivingTrack = 'video' | 'audio';

/**
 * The playlists of a video that arrives. Segments are numbered from 1, because hls.js does not wait for what follows
 * number 0.
 */
export class ArrivingPlaylist {
  readonly #tracks: Record<ArrivingTrack, LivePlaylist> = { video: newPlaylist(), audio: newPlaylist() };
  #hasSound = false;
  #init = 0;
  #next = 0;

  /** Number of the segment that is listed next. */
  get next(): number {
    return this.#next;
  }

  /** Null for sound where there is none. */
  track(track: ArrivingTrack): LivePlaylist | null {
    return track === 'video' || this.#hasSound ? this.#tracks[track] : null;
  }

  add({ number, init, isDiscontinuity, videoSeconds, audioSeconds }: ArrivingSegment): void {
    if (number !== this.#next) return;
    if (number === 0) this.#hasSound = audioSeconds !== null;
    const isApart = isDiscontinuity || init !== this.#init;
    const uri = segmentName(number);
    for (const playlist of [this.#tracks.video, this.#tracks.audio]) if (isApart) playlist.discontinue(initName(init));
    this.#tracks.video.addSegment({ uri, durationSeconds: videoSeconds });
    this.#tracks.audio.addSegment({ uri, durationSeconds: audioSeconds || videoSeconds, isGap: !audioSeconds });
    [this.#init, this.#next] = [init, number + 1];
  }

  end(): void {
    this.#tracks.video.end();
    this.#tracks.audio.end();
  }
}

function newPlaylist(): LivePlaylist {
  return new LivePlaylist({
    ...{ targetSeconds: LONGEST_SEGMENT_SECONDS, partSeconds: null, windowSeconds: Number.POSITIVE_INFINITY },
    ...{ initUri: initName(0), firstSegment: 1, startSeconds: 0 },
  });
}
