import { isAudio, isVideo, type Rendition } from './rendition.ts';

/**
 * The same renditions where players are to choose what was enhanced by themselves: sizes that were upscaled like the
 * others, and an upmix instead of its track. Pure.
 */
export function preferEnhanced(renditions: readonly Rendition[]): Rendition[] {
  const upmixed = new Set(renditions.filter(isAudio).flatMap(({ track, upmix }) => (upmix ? [track] : [])));
  return renditions.map((rendition): Rendition => {
    if (isVideo(rendition)) return rendition.enhanced ? { ...rendition, isPreferred: true } : rendition;
    if (!upmixed.has(rendition.track)) return rendition;
    // Only the track that is played by default is upmixed.
    return { ...rendition, isDefault: rendition.upmix ?? false };
  });
}
