import { type RefObject, useEffect, useRef, useState } from 'react';
import { PlayerController } from '../../../player/controller.ts';
import { cueAt, type EditedCue } from './cues.ts';

/** The elements and the playback of a video that is edited. */
export interface EditorVideo {
  readonly frame: RefObject<HTMLDivElement | null>;
  readonly video: RefObject<HTMLVideoElement | null>;
  readonly isPlaying: boolean;
  readonly toggle: () => void;
  readonly seek: (ms: number) => void;
  /** Its position now, in milliseconds. */
  readonly timeMs: () => number;
}

/** The video of an editor. Its playback is not reported: it is no view. */
export function useEditorVideo(url: string | null): EditorVideo {
  const frame = useRef<HTMLDivElement>(null);
  const video = useRef<HTMLVideoElement>(null);
  const [isPlaying, setPlaying] = useState(false);
  useEffect(() => {
    const element = video.current;
    if (!element || !frame.current || url === null) return;
    const player = new PlayerController(element, frame.current);
    void player.load(url);
    const closing = new AbortController();
    const update = (): void => setPlaying(!element.paused);
    for (const event of ['play', 'pause', 'ended']) element.addEventListener(event, update, { signal: closing.signal });
    return () => {
      closing.abort();
      player.destroy();
    };
  }, [url]);
  return {
    frame,
    video,
    isPlaying,
    toggle: () => {
      const element = video.current;
      if (element?.paused) void element.play().catch(() => undefined);
      else element?.pause();
    },
    seek: (ms) => {
      if (video.current) video.current.currentTime = Math.max(0, ms / 1000);
    },
    timeMs: () => (video.current?.currentTime ?? 0) * 1000,
  };
}

/** The position of a video in milliseconds, at every frame while it plays. */
export function useVideoTime(video: RefObject<HTMLVideoElement | null>): number {
  const [ms, setMs] = useState(0);
  useOnTime(video, setMs);
  return ms;
}

/** The cue that is shown, or null; changes with the cue only. */
export function useShownCue(video: RefObject<HTMLVideoElement | null>, cues: readonly EditedCue[]): EditedCue | null {
  const [id, setId] = useState<number | null>(null);
  useOnTime(video, (ms) => setId(cueAt(cues, ms)?.id ?? null));
  return cues.find((cue) => cue.id === id) ?? null;
}

/** Calls back with the position of a video, at every frame while it plays. */
function useOnTime(video: RefObject<HTMLVideoElement | null>, onTime: (ms: number) => void): void {
  const latest = useRef(onTime);
  useEffect(() => {
    latest.current = onTime;
  });
  useEffect(() => {
    const element = video.current;
    if (!element) return;
    let frame = 0;
    const read = (): void => {
      latest.current(element.currentTime * 1000);
      frame = element.paused ? 0 : requestAnimationFrame(read);
    };
    const restart = (): void => {
      cancelAnimationFrame(frame);
      read();
    };
    const closing = new AbortController();
    for (const event of ['play', 'seeking', 'seeked', 'timeupdate', 'pause'])
      element.addEventListener(event, restart, { signal: closing.signal });
    return () => {
      cancelAnimationFrame(frame);
      closing.abort();
    };
  }, [video]);
}
