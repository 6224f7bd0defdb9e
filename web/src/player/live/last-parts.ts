import type HlsPlayer from 'hls.js';
import type { LevelPTSUpdatedData, MediaFragment, Part } from 'hls.js';

/**
 * Has hls.js load the last part of each segment. It takes a segment as complete when less than 0.2 s of it is missing
 * in the buffer. A last part that is shorter, and was listed while the one before it was loaded, would never be loaded,
 * and nothing after it.
 */
export function loadLastParts(
  hls: HlsPlayer,
  { LEVEL_PTS_UPDATED }: Pick<typeof HlsPlayer.Events, 'LEVEL_PTS_UPDATED'>,
): void {
  hls.on(LEVEL_PTS_UPDATED, (_, parsed) => markPartial(parsed));
}

/** What was parsed of a segment, or of a part of it. */
export interface Parsed extends Pick<LevelPTSUpdatedData, 'type'> {
  readonly frag: Pick<MediaFragment, 'elementaryStreams'> & { readonly sn: LevelPTSUpdatedData['frag']['sn'] };
  readonly part: Pick<Part, 'index'> | null;
  readonly details: {
    readonly partList: readonly { readonly index: number; readonly fragment: { readonly sn: number } }[] | null;
  };
}

/** Notes at a segment of which a part was parsed whether other parts follow. */
export function markPartial({ frag, part, type, details }: Parsed): void {
  const stream = Object.entries(frag.elementaryStreams).find(([name]) => name === type)?.[1];
  if (!part || !stream) return;
  const follows = ({ index, fragment }: { index: number; fragment: { sn: number } }): boolean =>
    fragment.sn === frag.sn && index > part.index;
  stream.partial = details.partList?.some(follows) ?? false;
}
