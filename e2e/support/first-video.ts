/** How the first video of a page plays. */
export interface FirstVideo {
  /** Unix milliseconds; null before a picture was shown. */
  readonly firstFrameAtMs: number | null;
  /** How often a source was loaded into it. */
  readonly loads: number;
  /** Its position in seconds. */
  readonly time: number;
  readonly hasEnded: boolean;
}

/** A script for a page, in which `firstVideo()` then tells that. */
export const FIRST_VIDEO = `
  let [video, firstFrameAtMs, loads] = [null, null, 0];
  const look = () => {
    if (video) return;
    video = document.querySelector('video');
    video?.addEventListener('loadstart', () => { loads += 1; });
    video?.requestVideoFrameCallback(() => { firstFrameAtMs = Date.now(); });
  };
  new MutationObserver(look).observe(document, { childList: true, subtree: true });
  globalThis.firstVideo = () => ({
    firstFrameAtMs, loads, time: video?.currentTime ?? 0, hasEnded: video?.ended ?? false,
  });
`;
