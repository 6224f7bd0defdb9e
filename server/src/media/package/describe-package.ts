import { formatFraction, toNumber } from '../inspect/fraction.ts';
import { avcCodecs } from '../inspect/mp4-boxes.ts';
import { type AudioGroup, audioGroups, namedAudio } from './audio-groups.ts';
import type { DashPresentation, DashText, DashTrack } from './dash-manifest.ts';
import { INIT_NAME, PLAYLIST_NAME, SEGMENT_PATTERN } from './hls-encode.ts';
import { averageBps, type MasterAudio, type MasterVariant, peakSegmentBps } from './hls-playlist.ts';
import { type AudioRung, audioRungs, type Ladder, type VideoRung } from './ladder.ts';
import type { Timeline } from './segment-times.ts';
import { PackageError, type RenditionOnDisk } from './verify-package.ts';

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
  /** With the first group of audio. */
  readonly renditions: readonly PackagedRendition[];
}

/** Each rung as a variant of the master playlist, once with each group of audio, and as a rendition for the API. */
export function describePackage(ladder: Ladder, onDisk: readonly RenditionOnDisk[]): DescribedPackage {
  const groups = audioGroups(namedAudio(ladder)).map((group) => measuredGroup(group, onDisk));
  // An audio file with one track is a variant without groups.
  const offered = ladder.video.length > 0 || audioRungs(ladder).length > 1;
  const withGroup = (group: MeasuredGroup | null): Described[] => {
    if (ladder.video.length > 0)
      return ladder.video.map((rung) => describeRung(rung, measured(onDisk, rung.folder), group));
    return group === null ? [] : group.tracks.slice(0, 1).map((track) => describeSound(track, group, offered));
  };
  const [first = withGroup(null), ...others] = groups.map(withGroup);
  return {
    variants: [first, ...others].flat().map(({ variant }) => variant),
    audio: offered ? groups.flatMap(masterAudio) : [],
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
  renditions: readonly (RenditionOnDisk & { readonly timeline: Timeline })[],
  text: readonly DashText[],
): DashPresentation {
  const track = (folder: string, codecs: (init: Buffer) => string): DashTrack => {
    const { peakBps, init, timeline } = measured(renditions, folder);
    return {
      id: folder,
      bandwidthBps: peakBps,
      codecs: codecs(init),
      initUri: `${folder}/${INIT_NAME}`,
      mediaUri: `${folder}/${SEGMENT_PATTERN.replace('%05d', '$Number%05d$')}`,
      firstNumber: 0,
      timeline,
    };
  };
  const video = ladder.video.map(({ folder, width, height, frameRate }) => ({
    ...track(folder, (init) => videoCodec(folder, init)),
    ...{ width, height, frameRate },
  }));
  const tracks = namedAudio(ladder);
  const audio = tracks.map(({ folder, codecs, channels, sampleRate, language, name, isDefault }) => ({
    ...track(folder, () => codecs),
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
type MeasuredGroup = AudioGroup & Pick<Measured, 'peakBps' | 'averageBps'>;

function measuredGroup(group: AudioGroup, onDisk: readonly RenditionOnDisk[]): MeasuredGroup {
  const tracks = group.tracks.map(({ folder }) => measured(onDisk, folder));
  const most = (of: (track: Measured) => number) => Math.max(...tracks.map(of));
  return { ...group, peakBps: most(({ peakBps }) => peakBps), averageBps: most(({ averageBps: average }) => average) };
}

function measured<Rendition extends RenditionOnDisk>(
  renditions: readonly Rendition[],
  folder: string,
): Rendition & Measured {
  const found = renditions.find((rendition) => rendition.folder === folder);
  if (found === undefined) throw new PackageError(`No rendition in ${folder}.`);
  const { segments, playlist } = found;
  const peakBps = peakSegmentBps(segments, playlist.targetDurationSeconds);
  return { ...found, peakBps, averageBps: averageBps(segments) };
}

function videoCodec(folder: string, init: Buffer): string {
  const codec = avcCodecs(init);
  if (codec === null) throw new PackageError(`The initialisation segment in ${folder} has no H.264 track.`);
  return codec;
}

interface Described {
  readonly variant: MasterVariant;
  readonly rendition: PackagedRendition;
}

function describeRung(rung: VideoRung, video: Measured & { init: Buffer }, sound: MeasuredGroup | null): Described {
  const codec = videoCodec(rung.folder, video.init);
  const codecs = [codec, ...new Set(sound?.tracks.map((track) => track.codecs))];
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

function describeSound({ folder, codecs }: AudioRung, group: MeasuredGroup, offered: boolean): Described {
  const path = `${folder}/${PLAYLIST_NAME}`;
  const bitRates = { bandwidthBps: group.peakBps, averageBandwidthBps: group.averageBps };
  return {
    variant: { ...bitRates, codecs: [codecs], video: null, uri: path, audioGroup: offered ? group.id : null },
    rendition: { label: 'audio', width: 0, height: 0, ...bitRates, codecs, frameRate: null, path },
  };
}
