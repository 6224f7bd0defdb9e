/**
 * What a page and the player in its frame say to each other. The page sends `{ reelgraphPlayer: 1 }` with a MessagePort
 * to the window of the frame; everything else goes through the port.
 */
export interface Greeting {
  readonly reelgraphPlayer: 1;
}

/** From the page. `play` is answered, because browsers may refuse it. */
export type PlayerCommand =
  | { readonly do: 'play'; readonly id: number }
  | { readonly do: 'pause' }
  | { readonly do: 'seek'; readonly seconds: number }
  | { readonly do: 'setVolume'; readonly volume: number }
  | { readonly do: 'setMuted'; readonly muted: boolean }
  | { readonly do: 'setRate'; readonly rate: number };

/** From the player. */
export type PlayerMessage =
  | { readonly event: PlayerEventName; readonly state: PlayerSnapshot }
  | { readonly event: 'error'; readonly message: string }
  /** What came of `play`; `error` is the name of a DOMException. */
  | { readonly answer: number; readonly error: string | null };

/** Names of HTML media elements, and `ready`: the player obeys from then on. */
export type PlayerEventName =
  | 'ready'
  | 'play'
  | 'playing'
  | 'pause'
  | 'waiting'
  | 'ended'
  | 'timeupdate'
  | 'durationchange'
  | 'volumechange'
  | 'ratechange';

export interface PlayerSnapshot {
  /** In seconds. */
  readonly currentTime: number;
  /** In seconds; 0 while it is unknown. */
  readonly duration: number;
  readonly paused: boolean;
  readonly ended: boolean;
  /** 0 to 1. */
  readonly volume: number;
  readonly muted: boolean;
  readonly playbackRate: number;
}
