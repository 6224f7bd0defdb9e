import type { AudioTrack, SourceFailure } from './hls-source.ts';
import type { LiveEdge } from './live/live-edge.ts';
import type { Level } from './quality.ts';
import type { Span } from './ranges.ts';

export interface CaptionTrack {
  readonly index: number;
  readonly label: string;
  readonly language: string;
}

/** The wide layout of the page around the player. */
export interface Theatre {
  readonly on: boolean;
  readonly toggle: () => void;
}

/** Everything that the controls show; a new object on each change. */
export interface PlayerState {
  readonly playing: boolean;
  readonly ended: boolean;
  /** Nothing has been played yet: the poster is shown. */
  readonly notStarted: boolean;
  readonly waiting: boolean;
  readonly recovering: string | null;
  readonly failure: SourceFailure | null;
  readonly time: number;
  readonly duration: number;
  /** Null unless the stream is live. */
  readonly live: LiveEdge | null;
  readonly buffered: readonly Span[];
  readonly volume: number;
  readonly muted: boolean;
  readonly rate: number;
  readonly levels: readonly Level[];
  readonly activeLevel: number | null;
  /** Null while the quality is automatic. */
  readonly chosenLevel: number | null;
  readonly audioTracks: readonly AudioTrack[];
  readonly activeAudioTrack: number | null;
  readonly captions: readonly CaptionTrack[];
  readonly activeCaption: number | null;
  readonly pip: boolean;
  readonly fullscreen: boolean;
}

/** State before the video is loaded. */
export const INITIAL_STATE: PlayerState = {
  playing: false,
  ended: false,
  notStarted: true,
  waiting: false,
  recovering: null,
  failure: null,
  time: 0,
  duration: 0,
  live: null,
  buffered: [],
  volume: 1,
  muted: false,
  rate: 1,
  levels: [],
  activeLevel: null,
  chosenLevel: null,
  audioTracks: [],
  activeAudioTrack: null,
  captions: [],
  activeCaption: null,
  pip: false,
  fullscreen: false,
};
