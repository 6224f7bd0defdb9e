/** HLS playlists as text (RFC 8216). Pure. */

import { iframesLine, type MasterIframes } from './iframe-playlist.ts';

export interface MediaSegment {
  readonly uri: string;
  readonly durationSeconds: number;
}

export interface MediaPlaylist {
  readonly targetDurationSeconds: number;
  /** EXT-X-MAP (section 4.3.2.5). */
  readonly initUri: string | null;
  readonly segments: readonly MediaSegment[];
  /** Whether EXT-X-ENDLIST marks the end (section 4.3.3.4). */
  readonly ended: boolean;
}

/**
 * Reads a media playlist.
 * @throws Error with the problem when it is invalid.
 */
export function parseMediaPlaylist(text: string): MediaPlaylist {
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  if (lines[0] !== '#EXTM3U') throw new Error('A playlist must start with #EXTM3U (RFC 8216 section 4.3.1.1).');
  let targetDurationSeconds: number | null = null;
  let initUri: string | null = null;
  let ended = false;
  let pending: number | null = null;
  const segments: MediaSegment[] = [];
  for (const line of lines.slice(1)) {
    if (line.startsWith('#EXT-X-TARGETDURATION:')) targetDurationSeconds = Number(line.slice(22));
    else if (line.startsWith('#EXT-X-MAP:')) initUri = /URI="([^"]+)"/.exec(line)?.[1] ?? null;
    else if (line.startsWith('#EXTINF:')) pending = Number.parseFloat(line.slice(8));
    else if (line === '#EXT-X-ENDLIST') ended = true;
    else if (line !== '' && !line.startsWith('#')) {
      if (pending === null || !Number.isFinite(pending))
        throw new Error('A segment needs its #EXTINF (RFC 8216 section 4.3.2.1).');
      segments.push({ uri: line, durationSeconds: pending });
      pending = null;
    }
  }
  if (targetDurationSeconds === null || !Number.isFinite(targetDurationSeconds)) {
    throw new Error('A media playlist needs #EXT-X-TARGETDURATION (RFC 8216 section 4.3.3.1).');
  }
  return { targetDurationSeconds, initUri, segments, ended };
}

/** A segment with its size, from which bit rates are computed. */
export interface SizedSegment {
  readonly durationSeconds: number;
  readonly sizeBytes: number;
}

/**
 * Largest bit rate of any contiguous run of segments whose duration is between half and one and a half target durations
 * (RFC 8216 section 4.1), in bits per second. A short last segment is therefore combined with the previous one.
 */
export function peakSegmentBps(segments: readonly SizedSegment[], targetDurationSeconds: number): number {
  let peak = 0;
  for (let first = 0; first < segments.length; first++) {
    let [duration, bytes] = [0, 0];
    for (let last = first; last < segments.length; last++) {
      const segment = segments[last];
      if (segment === undefined) break;
      duration += segment.durationSeconds;
      bytes += segment.sizeBytes;
      if (duration > 1.5 * targetDurationSeconds) break;
      if (duration >= 0.5 * targetDurationSeconds) peak = Math.max(peak, (8 * bytes) / duration);
    }
  }
  // A video shorter than half a target duration is one such run by itself.
  return Math.ceil(peak > 0 ? peak : averageBps(segments));
}

/** Average bit rate over all segments (RFC 8216 section 4.1), in bits per second; 0 for none. */
export function averageBps(segments: readonly SizedSegment[]): number {
  const duration = segments.reduce((sum, segment) => sum + segment.durationSeconds, 0);
  const bytes = segments.reduce((sum, segment) => sum + segment.sizeBytes, 0);
  return duration > 0 ? Math.ceil((8 * bytes) / duration) : 0;
}

export interface MasterVariant {
  /** Bits per second: peak and average, each including the audio of the group. */
  readonly bandwidthBps: number;
  readonly averageBandwidthBps: number;
  /** RFC 6381 strings of the variant, audio last. */
  readonly codecs: readonly string[];
  /** Absent for audio only. */
  readonly video: { readonly width: number; readonly height: number; readonly framesPerSecond: number } | null;
  readonly uri: string;
  /** For menus of players, where its size is not enough. */
  readonly name?: string;
  /** Of one that was upscaled: whether players are asked to prefer it, or the others. Absent: it was not upscaled. */
  readonly enhanced?: 'PREFERRED' | 'AVOIDED';
  /** The group of its audio; null if it is in the variant itself, or there is none. */
  readonly audioGroup: string | null;
}

/** Metadata of a track in its source. */
interface SourceTrack {
  readonly title: string | null;
  readonly language: string | null;
  readonly isForced?: boolean;
}

/** A track that viewers can choose. */
interface MasterTrack {
  /** Display name; unique within a group (RFC 8216 section 4.3.4.1.1). */
  readonly name: string;
  /** BCP 47; null if unknown. */
  readonly language: string | null;
  readonly uri: string;
}

export interface MasterAudio extends MasterTrack {
  readonly group: string;
  readonly channels: number;
  /** Played unless the viewer chooses another one; one in each group. */
  readonly isDefault: boolean;
}

/** How captions are offered. */
export interface SubtitleFlags {
  /** Shown unless the viewer chooses otherwise. */
  readonly isDefault: boolean;
  readonly isForced: boolean;
  /** Whether they also describe sounds other than speech. */
  readonly describesSound: boolean;
}

export interface MasterSubtitle extends MasterTrack, SubtitleFlags {}

export const SUBTITLE_GROUP = 'subs';
/** BCP 47. Players choose subtitles by language, and some leave out those without one. */
export const UNDETERMINED = 'und';
const MAX_NAME_CHARS = 80;

/**
 * Names and languages of captions from the source's metadata: the title restricted to quoted-string characters (section
 * 4.2), otherwise the language's own name, otherwise a number; duplicates are numbered.
 */
export function subtitleNames(tracks: readonly SourceTrack[]): Omit<MasterTrack, 'uri'>[] {
  return trackNames(tracks, (number) => `Subtitles ${number}`);
}

function trackNames(tracks: readonly SourceTrack[], numbered: (number: number) => string): Omit<MasterTrack, 'uri'>[] {
  const taken = new Set<string>();
  return tracks.map((track, index) => {
    const { tag, autonym } = languageOf(track.language);
    const untitled = (autonym || numbered(index + 1)) + (track.isForced ? ' (forced)' : '');
    const base = plainName(track.title ?? '') || untitled;
    let name = base;
    for (let count = 2; taken.has(name); count++) name = `${base} (${count})`;
    taken.add(name);
    return { name, language: tag };
  });
}

/** Sources use both kinds of ISO 639-2 codes (`fre`, `fra`), or arbitrary words; only valid languages are kept. */
function languageOf(code: string | null): { tag: string | null; autonym: string } {
  try {
    const [tag = ''] = Intl.getCanonicalLocales(code ?? '');
    const autonym = new Intl.DisplayNames([tag], { type: 'language', fallback: 'none' }).of(tag);
    return autonym === undefined ? { tag: null, autonym: '' } : { tag, autonym: plainName(autonym) };
  } catch {
    return { tag: null, autonym: '' };
  }
}

/** No quotes, no line ends, and no `{$`, which later versions of HLS read as the start of a variable. */
function plainName(text: string): string {
  const plain = text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replaceAll('"', "'")
    .replaceAll('{$', '{ $')
    .trim();
  return [...plain].slice(0, MAX_NAME_CHARS).join('').trim();
}

/** The same for audio tracks, whose first is the main one. */
export function audioNames(tracks: readonly SourceTrack[]): Omit<MasterTrack, 'uri'>[] {
  return trackNames(tracks, (number) => (number === 1 ? 'Main' : `Audio ${number}`));
}

/** A finished media playlist of one segment (section 4.3.3), for captions; fractional EXTINF needs version 3. */
export function singleSegmentPlaylist(uri: string, durationSeconds: number): string {
  return finishedPlaylist(3, null, [{ uri, durationSeconds }]);
}

/** A finished media playlist (section 4.3.3). EXT-X-MAP needs version 6. */
export function finishedPlaylist(version: 3 | 6, initUri: string | null, segments: readonly MediaSegment[]): string {
  const longest = Math.max(...segments.map(({ durationSeconds }) => durationSeconds));
  return [
    '#EXTM3U',
    `#EXT-X-VERSION:${version}`,
    `#EXT-X-TARGETDURATION:${Math.ceil(longest)}`,
    '#EXT-X-MEDIA-SEQUENCE:0',
    '#EXT-X-PLAYLIST-TYPE:VOD',
    ...(initUri === null ? [] : [`#EXT-X-MAP:URI="${initUri}"`]),
    ...segments.flatMap(({ uri, durationSeconds }) => [`#EXTINF:${durationSeconds.toFixed(6)},`, uri]),
    '#EXT-X-ENDLIST',
    '',
  ].join('\n');
}

/**
 * A master playlist (RFC 8216 section 4.3.4). BANDWIDTH is the true peak over the segments (section 4.3.4.2), because
 * players stall with less. The first variant is what many players start with: the largest of at most 480 lines in the
 * first codec with the first group of audio, then the rest from small to large.
 */
export function masterPlaylist(
  variants: readonly MasterVariant[],
  audio: readonly MasterAudio[],
  subtitles: readonly MasterSubtitle[] = [],
  iframes: readonly MasterIframes[] = [],
): string {
  const lines = ['#EXTM3U', '#EXT-X-VERSION:6', '#EXT-X-INDEPENDENT-SEGMENTS'];
  for (const [index, track] of audio.entries()) {
    const { group, name, language, channels, isDefault, uri } = track;
    // Players choose by language among these, which must differ in it.
    const isFirst = audio.findIndex((each) => each.group === group && each.language === language) === index;
    const choice = isDefault ? 'DEFAULT=YES,AUTOSELECT=YES' : `DEFAULT=NO,AUTOSELECT=${isFirst ? 'YES' : 'NO'}`;
    lines.push(
      `#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="${group}",NAME="${name}",${spokenIn(language)}${choice},CHANNELS="${channels}",URI="${uri}"`,
    );
  }
  lines.push(...subtitles.map(subtitleLine), ...iframes.map(iframesLine));
  const scores = scoresOf(variants);
  for (const variant of startingMid(variants)) {
    const attributes = [
      `BANDWIDTH=${variant.bandwidthBps}`,
      `AVERAGE-BANDWIDTH=${variant.averageBandwidthBps}`,
      `CODECS="${variant.codecs.join(',')}"`,
    ];
    if (variant.video !== null) {
      const { width, height, framesPerSecond } = variant.video;
      attributes.push(`RESOLUTION=${width}x${height}`, `FRAME-RATE=${framesPerSecond.toFixed(3)}`, 'VIDEO-RANGE=SDR');
    }
    // Not in RFC 8216, which has players ignore what they do not know; hls.js and others show it.
    if (variant.name !== undefined) attributes.push(`NAME="${variant.name}"`);
    const score = scores?.get(variant);
    if (score !== undefined) attributes.push(`SCORE=${score}`);
    if (variant.audioGroup !== null) attributes.push(`AUDIO="${variant.audioGroup}"`);
    if (subtitles.length > 0) attributes.push(`SUBTITLES="${SUBTITLE_GROUP}"`);
    attributes.push(NO_CLOSED_CAPTIONS);
    lines.push(`#EXT-X-STREAM-INF:${attributes.join(',')}`, variant.uri);
  }
  return `${lines.join('\n')}\n`;
}

/**
 * No picture has captions within it (RFC 8216 section 4.3.4.2): they are not encoded, and not copied. Without it,
 * players offer some that are not there.
 */
export const NO_CLOSED_CAPTIONS = 'CLOSED-CAPTIONS=NONE';

const DESCRIBES_SOUND =
  'CHARACTERISTICS="public.accessibility.transcribes-spoken-dialog,public.accessibility.describes-music-and-sound",';

/** The line of captions in a master playlist (section 4.3.4.1). */
export function subtitleLine({ name, language, uri, isDefault, isForced, describesSound }: MasterSubtitle): string {
  const flags = `DEFAULT=${isDefault ? 'YES' : 'NO'},AUTOSELECT=YES,FORCED=${isForced ? 'YES' : 'NO'}`;
  const about = `${spokenIn(language ?? UNDETERMINED)}${describesSound ? DESCRIBES_SOUND : ''}${flags}`;
  return `#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="${SUBTITLE_GROUP}",NAME="${name}",${about},URI="${uri}"`;
}

function spokenIn(language: string | null): string {
  return language === null ? '' : `LANGUAGE="${language}",`;
}

/**
 * Where there is an enhanced variant, how much players are to prefer each (RFC 8216bis section 4.4.6.2): the others by
 * their bit rate, as they would without, and it least or most of all. Null where there is none.
 */
function scoresOf(variants: readonly MasterVariant[]): Map<MasterVariant, number> | null {
  if (!variants.some(({ enhanced }) => enhanced)) return null;
  const place = ({ enhanced }: MasterVariant) => (enhanced === undefined ? 1 : enhanced === 'PREFERRED' ? 2 : 0);
  const rising = [...variants].sort((a, b) => place(a) - place(b) || a.bandwidthBps - b.bandwidthBps);
  return new Map(rising.map((variant, index) => [variant, index + 1]));
}

function startingMid(variants: readonly MasterVariant[]): MasterVariant[] {
  const rising = [...variants].sort((a, b) => a.bandwidthBps - b.bandwidthBps);
  const shortSide = (variant: MasterVariant) => Math.min(variant.video?.width ?? 0, variant.video?.height ?? 0);
  const plain = rising.filter(
    (variant) =>
      !variant.enhanced &&
      variant.audioGroup === variants[0]?.audioGroup &&
      familyOf(variant) === familyOf(variants[0]),
  );
  const first = plain.findLast((variant) => shortSide(variant) <= 480) ?? plain[0];
  return first === undefined ? [] : [first, ...rising.filter((variant) => variant !== first)];
}

/** How players name a codec in which they stay: `avc1`. */
function familyOf(variant: MasterVariant | undefined): string | undefined {
  return variant?.codecs[0]?.split('.')[0];
}
