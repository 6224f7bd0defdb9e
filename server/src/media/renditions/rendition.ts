import type { Fraction } from '../inspect/fraction.ts';

/** Pictures of one size, or one audio track, as manifests describe it. Plain data. */
export type Rendition = VideoRendition | AudioRendition;

/**
 * Where its segments come from: ENCODE, stored by the encoder; COPY, cut from the uploaded file on request; ON_DEMAND,
 * encoded on request; LIVE, of a broadcast.
 */
export type RenditionOrigin = 'ENCODE' | 'COPY' | 'ON_DEMAND' | 'LIVE';

interface RenditionFacts {
  /** With its playlists and segments, relative to the manifests. */
  readonly folder: string;
  readonly origin: RenditionOrigin;
  /** RFC 6381. */
  readonly codecs: string;
  /** Bits per second of this rendition alone, as RFC 8216 section 4.1 defines peak and average. */
  readonly peakBps: number;
  readonly averageBps: number;
  /** Units per second of `durations`. */
  readonly timescale: number;
  /** Of its segments, which follow each other from 0 without gaps. */
  readonly durations: readonly number[];
}

export interface VideoRendition extends RenditionFacts {
  readonly kind: 'VIDEO';
  /** `1080p`. */
  readonly label: string;
  readonly width: number;
  readonly height: number;
  readonly frameRate: Fraction;
  /** Bits per second of its keyframes alone; null without an I-frame playlist. */
  readonly iframes: { readonly peakBps: number; readonly averageBps: number } | null;
  /** Whether it was upscaled: viewers choose it, players do not by themselves unless it is preferred. Absent: no. */
  readonly enhanced?: true;
  /** Of one that was upscaled: whether players choose it by themselves. Absent: no. */
  readonly isPreferred?: true;
}

export interface AudioRendition extends RenditionFacts {
  readonly kind: 'AUDIO';
  /** The same for all renditions of one track of the source. */
  readonly track: number;
  /** Display name; unique among tracks. */
  readonly name: string;
  /** BCP 47; null if unknown. */
  readonly language: string | null;
  readonly channels: number;
  readonly sampleRate: number;
  /** Played unless the viewer chooses another track. */
  readonly isDefault: boolean;
  /** Whether it was upmixed from its track; absent: no. */
  readonly upmix?: true;
}

export function isVideo(rendition: Rendition): rendition is VideoRendition {
  return rendition.kind === 'VIDEO';
}

export function isAudio(rendition: Rendition): rendition is AudioRendition {
  return rendition.kind === 'AUDIO';
}

/** The renditions of a package whose manifests are outside of its folder. */
export function inFolder(folder: string, renditions: readonly Rendition[]): Rendition[] {
  return renditions.map((rendition) => ({ ...rendition, folder: `${folder}/${rendition.folder}` }));
}
