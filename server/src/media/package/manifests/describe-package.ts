import { audioRungs } from '../../encode/audio-rungs.ts';
import {
  type EncodedRendition,
  IFRAMES_NAME,
  INIT_NAME,
  PackageError,
  PLAYLIST_NAME,
  SEGMENT_PATTERN,
} from '../../encode/encoded.ts';
import type { Ladder, VideoRung } from '../../encode/ladder.ts';
import { formatFraction, toNumber } from '../../inspect/fraction.ts';
import { type AudioGroup, audioGroups, namedAudio } from './audio-groups.ts';
import type { DashPresentation, DashText, DashTrack } from './dash-manifest.ts';
import { averageBps, type MasterAudio, type MasterVariant, peakSegmentBps, type SizedSegment } from './hls-playlist.ts';
import type { MasterIframes } from './iframe-playlist.ts';

/** A quality that viewers can choose. */
export interface PackagedRendition {
  /** `1080p`; `audio` for an audio file. */
  readonly label: string;
  /** 0 x 0 for an audio file. */
  readonly width: number;
  readonly height: number;
  /** Peak and average including the shared audio, as in the master playlist. */
  readonly bandwidthBps: number;
  readonly averageBandwidthBps: number;
  /** RFC 6381, comma-separated. */
  readonly codecs: string;
  /** `30000/1001`; null for an audio file. */
  readonly frameRate: string | null;
  /** Media playlist, relative to the package. */
  readonly path: string;
}

/** A package as its master playlist and the API describe it, with measured bit rates. */
export interface DescribedPackage {
  readonly variants: readonly MasterVariant[];
  readonly audio: readonly MasterAudio[];
  /** The keyframes of each size. */
  readonly iframes: readonly MasterIframes[];
  /** With the first group of audio. */
  readonly renditions: readonly PackagedRendition[];
}

/** Each rung as a variant of the master playlist, once with each group of audio, and as a rendition for the API. */
export function describePackage(ladder: Ladder, renditions: readonly EncodedRendition[]): DescribedPackage {
  const groups = audioGroups(namedAudio(ladder)).map((group) => measuredGroup(group, renditions));
  // An audio file with one track is a variant without groups.
  const offered = ladder.video.length > 0 || audioRungs(ladder).length > 1;
  const withGroup = (group: MeasuredGroup | null): Described[] => {
    if (ladder.video.length > 0)
      return ladder.video.map((rung) => describeRung(rung, measured(renditions, rung.folder), group));
    return group === null ? [] : group.tracks.slice(0, 1).map(({ folder }) => describeSound(folder, group, offered));
  };
  const [first = withGroup(null), ...others] = groups.map(withGroup);
  return {
    variants: [first, ...others].flat().map(({ variant }) => variant),
    audio: offered ? groups.flatMap(masterAudio) : [],
    iframes: ladder.video.flatMap((rung) => describeIframes(rung, measured(renditions, rung.folder))),
    renditions: first.map(({ rendition }) => rendition),
  };
}

function masterAudio({ id, tracks }: AudioGroup): MasterAudio[] {
  return tracks.map(({ name, language, channels, isDefault, folder }) => ({
    ...{ group: id, name, language, channels, isDefault },
    uri: `${folder}/${PLAYLIST_NAME}`,
  }));
}

/** Each rung as a track of the DASH manifest; bit rates are those of the track alone. */
export function describeDash(
  ladder: Ladder,
  renditions: readonly EncodedRendition[],
  text: readonly DashText[],
): DashPresentation {
  const track = (folder: string): DashTrack => {
    const { peakBps, codecs, timescale, durations } = measured(renditions, folder);
    return {
      id: folder,
      bandwidthBps: peakBps,
      codecs,
      initUri: `${folder}/${INIT_NAME}`,
      mediaUri: `${folder}/${SEGMENT_PATTERN.replace('%05d', '$Number%05d$')}`,
      firstNumber: 0,
      timeline: { timescale, durations },
    };
  };
  const video = ladder.video.map(({ folder, width, height, frameRate }) => ({
    ...track(folder),
    ...{ width, height, frameRate },
  }));
  const tracks = namedAudio(ladder);
  const audio = tracks.map(({ folder, channels, sampleRate, language, name, isDefault }) => ({
    ...track(folder),
    ...{ channels, sampleRate, language, isDefault },
    name: tracks.length > 1 ? name : null,
  }));
  return { video, audio, text };
}

interface Measured {
  readonly folder: string;
  readonly peakBps: number;
  readonly averageBps: number;
}

/** Bit rates are those of the largest track. */
type MeasuredGroup = AudioGroup & Pick<Measured, 'peakBps' | 'averageBps'> & { readonly codecs: readonly string[] };

function measuredGroup(group: AudioGroup, renditions: readonly EncodedRendition[]): MeasuredGroup {
  const tracks = group.tracks.map(({ folder }) => measured(renditions, folder));
  const most = (of: (track: Measured) => number) => Math.max(...tracks.map(of));
  const codecs = [...new Set(tracks.map((track) => track.codecs))];
  const averageBandwidth = most(({ averageBps: average }) => average);
  return { ...group, codecs, peakBps: most(({ peakBps }) => peakBps), averageBps: averageBandwidth };
}

function measured(renditions: readonly EncodedRendition[], folder: string): EncodedRendition & Measured {
  const found = renditions.find((rendition) => rendition.folder === folder);
  if (found === undefined) throw new PackageError(`No rendition in ${folder}.`);
  return { ...found, ...bitRates(found.segments) };
}

function bitRates(segments: readonly SizedSegment[]): Pick<Measured, 'peakBps' | 'averageBps'> {
  const target = Math.ceil(Math.max(...segments.map(({ durationSeconds }) => durationSeconds)));
  return { peakBps: peakSegmentBps(segments, target), averageBps: averageBps(segments) };
}

function describeIframes({ folder, width, height }: VideoRung, rendition: EncodedRendition): MasterIframes[] {
  if (rendition.keyframes === null) return [];
  const { peakBps, averageBps: averageBandwidthBps } = bitRates(rendition.keyframes);
  const uri = `${folder}/${IFRAMES_NAME}`;
  return [{ bandwidthBps: peakBps, averageBandwidthBps, codecs: rendition.codecs, width, height, uri }];
}

interface Described {
  readonly variant: MasterVariant;
  readonly rendition: PackagedRendition;
}

function describeRung(rung: VideoRung, video: Measured & { codecs: string }, sound: MeasuredGroup | null): Described {
  const codecs = [video.codecs, ...(sound?.codecs ?? [])];
  const bandwidthBps = video.peakBps + (sound?.peakBps ?? 0);
  const averageBandwidthBps = video.averageBps + (sound?.averageBps ?? 0);
  const { label, width, height } = rung;
  const path = `${rung.folder}/${PLAYLIST_NAME}`;
  return {
    variant: {
      ...{ bandwidthBps, averageBandwidthBps, codecs },
      video: { width, height, framesPerSecond: toNumber(rung.frameRate) },
      uri: path,
      audioGroup: sound?.id ?? null,
    },
    rendition: {
      ...{ label, width, height, bandwidthBps, averageBandwidthBps, path },
      codecs: codecs.join(','),
      frameRate: formatFraction(rung.frameRate),
    },
  };
}

function describeSound(folder: string, group: MeasuredGroup, offered: boolean): Described {
  const path = `${folder}/${PLAYLIST_NAME}`;
  const bitRates = { bandwidthBps: group.peakBps, averageBandwidthBps: group.averageBps };
  return {
    variant: { ...bitRates, codecs: group.codecs, video: null, uri: path, audioGroup: offered ? group.id : null },
    rendition: {
      label: 'audio',
      width: 0,
      height: 0,
      ...bitRates,
      codecs: group.codecs.join(','),
      frameRate: null,
      path,
    },
  };
}
