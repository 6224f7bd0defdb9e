/** I-frame playlists for trick play (RFC 8216 sections 4.3.3.6 and 4.3.4.3). Pure. */

/** The keyframe with which a segment begins. */
export interface SegmentKeyframe {
  /** Of the segment. */
  readonly uri: string;
  /** Until the next keyframe. */
  readonly durationSeconds: number;
  /** From the start of the segment to the end of the keyframe. */
  readonly sizeBytes: number;
}

/** The keyframes of a rendition, as a range of bytes of each segment. Nothing but the text is stored. */
export function iframePlaylist(initUri: string, keyframes: readonly SegmentKeyframe[]): string {
  const longest = Math.max(...keyframes.map(({ durationSeconds }) => durationSeconds));
  return [
    '#EXTM3U',
    '#EXT-X-VERSION:6',
    `#EXT-X-TARGETDURATION:${Math.ceil(longest)}`,
    '#EXT-X-MEDIA-SEQUENCE:0',
    '#EXT-X-PLAYLIST-TYPE:VOD',
    IFRAMES_ONLY,
    `#EXT-X-MAP:URI="${initUri}"`,
    ...keyframes.flatMap(({ uri, durationSeconds, sizeBytes }) => [
      `#EXTINF:${durationSeconds.toFixed(6)},`,
      `#EXT-X-BYTERANGE:${sizeBytes}@0`,
      uri,
    ]),
    '#EXT-X-ENDLIST',
    '',
  ].join('\n');
}

const IFRAMES_ONLY = '#EXT-X-I-FRAMES-ONLY';

/** Whether a playlist has ranges of segments instead of whole ones. */
export function isIframePlaylist(text: string): boolean {
  return text.split('\n').includes(IFRAMES_ONLY);
}

/** The keyframes of a rendition as a master playlist lists them. */
export interface MasterIframes {
  /** Bits per second of the keyframes alone: peak and average. */
  readonly bandwidthBps: number;
  readonly averageBandwidthBps: number;
  /** RFC 6381, of the picture. */
  readonly codecs: string;
  readonly width: number;
  readonly height: number;
  readonly uri: string;
}

/** The line of an I-frame playlist in a master playlist. */
export function iframesLine(iframes: MasterIframes): string {
  const { bandwidthBps, averageBandwidthBps, codecs, width, height, uri } = iframes;
  const attributes = [
    `BANDWIDTH=${bandwidthBps}`,
    `AVERAGE-BANDWIDTH=${averageBandwidthBps}`,
    `CODECS="${codecs}"`,
    `RESOLUTION=${width}x${height}`,
    'VIDEO-RANGE=SDR',
    `URI="${uri}"`,
  ];
  return `#EXT-X-I-FRAME-STREAM-INF:${attributes.join(',')}`;
}
