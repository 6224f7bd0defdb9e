import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { PlayerController, type StartOptions } from './controller.ts';
import { INITIAL_STATE } from './player-state.ts';
import { reportPlayback } from './report-playback.ts';

/** What the page around an embedded player asks for. */
export interface PlayerStart extends StartOptions {
  /** Default: if the viewer has interacted with the page. */
  readonly autoplay?: boolean;
}

export interface PlayedSource {
  /** DID of the content, for playback events. */
  readonly contentId: string;
  readonly url: string;
  /** Start position in seconds. */
  readonly startAt: number;
  /** How it starts; must not change. */
  readonly start?: PlayerStart;
  /** One of several things on a page: playback is not reported, and keys are its own while it has the focus. */
  readonly isPreview?: boolean;
}

const subscribeNothing = () => () => undefined;

/** The controller of the player in `frame` and its state; a new one for each source. */
export function useController({ contentId, url, startAt, start, isPreview = false }: PlayedSource) {
  const frame = useRef<HTMLElement>(null);
  const video = useRef<HTMLVideoElement>(null);
  const [player, setPlayer] = useState<PlayerController | null>(null);
  useEffect(() => {
    if (!video.current || !frame.current) return;
    const controller = new PlayerController(video.current, frame.current, start);
    setPlayer(controller);
    const endReports = isPreview ? null : reportPlayback(video.current, controller, contentId);
    void controller.load(url, {
      play: start?.autoplay ?? navigator.userActivation?.hasBeenActive ?? false,
      startAt,
    });
    return () => {
      endReports?.();
      controller.destroy();
    };
  }, [url, contentId, startAt, start, isPreview]);
  const state = useSyncExternalStore(player?.subscribe ?? subscribeNothing, player?.state ?? (() => INITIAL_STATE));
  return { frame, video, player, state };
}
