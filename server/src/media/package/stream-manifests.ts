import {
  type DashAudioFacts,
  type DashText,
  type DashTrack,
  type DashVideoFacts,
  dashManifest,
  type MasterAudio,
  type MasterIframes,
  type MasterSubtitle,
  type MasterVariant,
  masterPlaylist,
} from '@reelgraph/manifests';
import { IFRAMES_NAME, INIT_NAME, PLAYLIST_NAME, SEGMENT_PATTERN } from '../encode/encoded.ts';
import { formatFraction, toNumber } from '../inspect/fraction.ts';
import { type AudioGroup, audioGroups } from '../renditions/audio-groups.ts';
import {
  type AudioRendition,
  isAudio,
  isVideo,
  type Rendition,
  type RenditionOrigin,
  type VideoRendition,
} from '../renditions/rendition.ts';

/** A quality that viewers can choose. */
export interface Quality {
  /** `1080p`; `audio` for an audio file. */
  readonly label: string;
  /** 0 x 0 for an audio file. */
  readonly width: number;
  readonly height: number;
  /** Peak and average including the audio of the first group, as in the master playlist. */
  readonly bandwidthBps: number;
  readonly averageBandwidthBps: number;
  /** RFC 6381, comma-separated. */
  readonly codecs: string;
  /** `30000/1001`; null for an audio file. */
  readonly frameRate: string | null;
  /** Media playlist, relative to the manifests. */
  readonly path: string;
}

/** The HLS master playlist of renditions: each picture once with each group of audio. Pure. */
export function hlsMaster(renditions: readonly Rendition[], subtitles: readonly MasterSubtitle[] = []): string {
  const groups = measuredGroups(renditions);
  const audio = hasGroups(renditions) ? groups.flatMap(masterAudio) : [];
  const variants = groups.length === 0 ? variantsWith(renditions, null) : groups.flatMap(variantsOf(renditions));
  return masterPlaylist(variants, audio, subtitles, renditions.filter(isVideo).flatMap(masterIframes));
}

/** The qualities of renditions with the first group of audio, in their order. Pure. */
export function qualitiesOf(renditions: readonly Rendition[]): Quality[] {
  const video = renditions.filter(isVideo);
  return variantsWith(renditions, measuredGroups(renditions)[0] ?? null).map((variant, index) => {
    const { uri: path, codecs, bandwidthBps, averageBandwidthBps } = variant;
    const { label = 'audio', width = 0, height = 0, frameRate = null } = video[index] ?? {};
    return {
      ...{ label, width, height, bandwidthBps, averageBandwidthBps, path },
      codecs: codecs.join(','),
      frameRate: frameRate && formatFraction(frameRate),
    };
  });
}

/** The DASH manifest of renditions; bit rates are those of each one alone. Pure. */
export function dashOf(renditions: readonly Rendition[], text: readonly DashText[] = []): string {
  const idOf = ({ folder }: Rendition): string => folder.replaceAll('/', '.');
  const tracks = renditions.filter(isAudio);
  return dashManifest({
    video: renditions.filter(isVideo).map((each) => ({ ...dashVideo(each, idOf(each)), ...dashSegments(each) })),
    audio: tracks.map((each) => ({ ...dashAudio(each, idOf(each), tracks.length > 1), ...dashSegments(each) })),
    text,
  });
}

/** What DASH manifests say of a picture, beside its segments. Pure. */
export function dashVideo(rendition: VideoRendition, id: string): DashVideoFacts {
  const { peakBps: bandwidthBps, codecs, width, height, frameRate, enhanced, isPreferred = false, label } = rendition;
  const named = enhanced ? { name: label, isPreferred } : {};
  return { id, bandwidthBps, codecs, width, height, frameRate, ...named };
}

/** The same of sound; with its name where there are others. Pure. */
export function dashAudio(rendition: AudioRendition, id: string, isNamed: boolean): DashAudioFacts {
  const { peakBps: bandwidthBps, codecs, channels, sampleRate, language, isDefault, name } = rendition;
  return { id, bandwidthBps, codecs, channels, sampleRate, language, isDefault, name: isNamed ? name : null };
}

type DashSegments = Pick<DashTrack, 'initUri' | 'mediaUri' | 'firstNumber' | 'timeline'>;

function dashSegments({ folder, origin, timescale, durations }: Rendition): DashSegments {
  const { media, firstNumber } = SEGMENTS[origin];
  return {
    firstNumber,
    initUri: `${folder}/${INIT_NAME}`,
    mediaUri: `${folder}/${media}`,
    timeline: { timescale, durations },
  };
}

/** The names of stored segments, as DASH writes them. */
export const DASH_SEGMENT_PATTERN = SEGMENT_PATTERN.replace('%05d', '$Number%05d$');
const STORED = { media: DASH_SEGMENT_PATTERN, firstNumber: 0 };
/** The names of segments. */
const SEGMENTS: Readonly<Record<RenditionOrigin, { readonly media: string; readonly firstNumber: number }>> = {
  ENCODE: STORED,
  ON_DEMAND: STORED,
  LIVE: STORED,
  COPY: { media: '$Number$.m4s', firstNumber: 1 },
};

/** Bit rates are those of the largest track. */
interface MeasuredGroup extends AudioGroup {
  readonly codecs: readonly string[];
  readonly peakBps: number;
  readonly averageBps: number;
}

function measuredGroups(renditions: readonly Rendition[]): MeasuredGroup[] {
  return audioGroups(renditions.filter(isAudio)).map((group) => ({
    ...group,
    codecs: [...new Set(group.tracks.map(({ codecs }) => codecs))],
    peakBps: Math.max(...group.tracks.map(({ peakBps }) => peakBps)),
    averageBps: Math.max(...group.tracks.map(({ averageBps }) => averageBps)),
  }));
}

/** An audio file with one track is a variant without groups. */
function hasGroups(renditions: readonly Rendition[]): boolean {
  return renditions.some(isVideo) || renditions.filter(isAudio).length > 1;
}

function variantsOf(renditions: readonly Rendition[]): (group: MeasuredGroup) => MasterVariant[] {
  return (group) => variantsWith(renditions, group);
}

/** Each picture with the audio of a group; the first track of the group for an audio file. */
function variantsWith(renditions: readonly Rendition[], group: MeasuredGroup | null): MasterVariant[] {
  const video = renditions.filter(isVideo);
  const audioGroup = group !== null && hasGroups(renditions) ? group.id : null;
  const { codecs = [], peakBps = 0, averageBps = 0 } = group ?? {};
  if (video.length > 0)
    return video.map((rendition) => ({
      bandwidthBps: rendition.peakBps + peakBps,
      averageBandwidthBps: rendition.averageBps + averageBps,
      codecs: [rendition.codecs, ...codecs],
      video: pictureOf(rendition),
      uri: `${rendition.folder}/${PLAYLIST_NAME}`,
      // That of the uploaded file has the size of an encoded one.
      ...(rendition.origin === 'COPY' || rendition.enhanced ? { name: rendition.label } : {}),
      ...(rendition.enhanced
        ? { enhanced: rendition.isPreferred ? ('PREFERRED' as const) : ('AVOIDED' as const) }
        : {}),
      audioGroup,
    }));
  const rates = { bandwidthBps: peakBps, averageBandwidthBps: averageBps };
  return (group?.tracks ?? []).slice(0, 1).map(({ folder }) => ({
    ...{ ...rates, codecs, video: null, audioGroup },
    uri: `${folder}/${PLAYLIST_NAME}`,
  }));
}

function pictureOf({ width, height, frameRate }: VideoRendition): NonNullable<MasterVariant['video']> {
  return { width, height, framesPerSecond: toNumber(frameRate) };
}

function masterAudio({ id, tracks }: AudioGroup): MasterAudio[] {
  return tracks.map(({ name, language, channels, isDefault, folder }) => ({
    ...{ group: id, name, language, channels, isDefault },
    uri: `${folder}/${PLAYLIST_NAME}`,
  }));
}

function masterIframes({ folder, codecs, width, height, iframes }: VideoRendition): MasterIframes[] {
  if (iframes === null) return [];
  const { peakBps: bandwidthBps, averageBps: averageBandwidthBps } = iframes;
  return [{ bandwidthBps, averageBandwidthBps, codecs, width, height, uri: `${folder}/${IFRAMES_NAME}` }];
}
