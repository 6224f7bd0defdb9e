/**
 * Playlists of HLS (RFC 8216) and manifests of MPEG-DASH (ISO/IEC 23009-1) for the same segments in fragmented MP4.
 * README.md has an example.
 */

export { type DashText, type DashTrack, dashManifest, withDashText } from './dash-manifest.ts';
export type { DashAudioFacts, DashVideoFacts } from './dash-sets.ts';
export {
  audioNames,
  averageBps,
  finishedPlaylist,
  type MasterAudio,
  type MasterSubtitle,
  type MasterVariant,
  masterPlaylist,
  parseMediaPlaylist,
  peakSegmentBps,
  type SizedSegment,
  singleSegmentPlaylist,
  subtitleNames,
} from './hls-playlist.ts';
export { iframePlaylist, isIframePlaylist, type MasterIframes } from './iframe-playlist.ts';
export { LiveManifest, type LiveManifestOptions, type LiveManifestSegment } from './live-manifest.ts';
export {
  type LivePart,
  LivePlaylist,
  type LivePlaylistOptions,
  type LivePosition,
  type LiveSegment,
} from './live-playlist.ts';
export { type AddedSubtitle, withSubtitles } from './master-subtitles.ts';
