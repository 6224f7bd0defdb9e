import { type RefObject, useEffect, useRef } from 'react';
import { type Part, skipTo } from './trim-parts.ts';

/** While it plays, skips the parts of a video that are removed; it ends where nothing follows. */
export function usePreview(
  video: RefObject<HTMLVideoElement | null>,
  removed: readonly Part[],
  durationMs: number,
): void {
  const latest = useRef(removed);
  useEffect(() => {
    latest.current = removed;
  });
  useEffect(() => {
    const element = video.current;
    if (!element) return;
    let frame = 0;
    const watch = (): void => {
      if (element.paused) return;
      const toMs = skipTo(latest.current, element.currentTime * 1000);
      if (toMs !== null && !element.seeking) {
        if (toMs >= durationMs) element.pause();
        else element.currentTime = toMs / 1000;
      }
      frame = requestAnimationFrame(watch);
    };
    element.addEventListener('play', watch);
    return () => {
      cancelAnimationFrame(frame);
      element.removeEventListener('play', watch);
    };
  }, [video, durationMs]);
}
