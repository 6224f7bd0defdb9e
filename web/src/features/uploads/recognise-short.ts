/** A portrait video of at most this length is a short. */
const LONGEST_SHORT_SECONDS = 180;
/** Files that the browser cannot open say nothing. */
const PATIENCE_MS = 3_000;

export interface PictureFacts {
  readonly width: number;
  readonly height: number;
  /** Infinity where the file does not say. */
  readonly durationSeconds: number;
}

/** Whether a video with these facts is a short. */
export function isShort({ width, height, durationSeconds }: PictureFacts): boolean {
  return width > 0 && height > width && durationSeconds <= LONGEST_SHORT_SECONDS;
}

/** Whether the file is a short, as far as this browser can read it. */
export async function looksLikeShort(file: File): Promise<boolean> {
  const facts = await pictureFacts(file);
  return facts !== null && isShort(facts);
}

function pictureFacts(file: File): Promise<PictureFacts | null> {
  const { promise, resolve } = Promise.withResolvers<PictureFacts | null>();
  const video = document.createElement('video');
  const address = URL.createObjectURL(file);
  const timer = setTimeout(resolve, PATIENCE_MS, null);
  video.preload = 'metadata';
  video.muted = true;
  video.onloadedmetadata = () =>
    resolve({ width: video.videoWidth, height: video.videoHeight, durationSeconds: video.duration });
  video.onerror = () => resolve(null);
  video.src = address;
  return promise.finally(() => {
    clearTimeout(timer);
    video.removeAttribute('src');
    URL.revokeObjectURL(address);
  });
}
