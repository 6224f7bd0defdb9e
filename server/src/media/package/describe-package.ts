import { formatFraction, toNumber } from '../inspect/fraction.ts';
import { avcCodecs } from '../inspect/mp4-boxes.ts';
import type { DashPresentation, DashText, DashTrack } from './dash-manifest.ts';
import { INIT_NAME, PLAYLIST_NAME, SEGMENT_PATTERN } from './hls-encode.ts';
import { averageBps, type MasterVariant, peakSegmentBps } from './hls-playlist.ts';
import type { Ladder, VideoRung } from './ladder.ts';
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

/** Each rung with its measured bit rates, as a line of the master playlist and as a rendition for the API. */
export function describePackage(
  ladder: Ladder,
  renditions: readonly RenditionOnDisk[],
): { variant: MasterVariant; rendition: PackagedRendition }[] {
  const onDisk = (folder: string) => measured(renditions, folder);
  const sound = ladder.audio === null ? null : { ...onDisk(ladder.audio.folder), codecs: ladder.audio.codecs };
  if (ladder.video.length === 0 && sound !== null) return [describeSound(sound)];
  return ladder.video.map((rung) => describeRung(rung, onDisk(rung.folder), sound));
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
  const audio = (ladder.audio === null ? [] : [ladder.audio]).map(({ folder, codecs, channels, sampleRate }) => ({
    ...track(folder, () => codecs),
    ...{ channels, sampleRate, language: null, name: null, isDefault: true },
  }));
  return { video, audio, text };
}

interface Measured {
  readonly folder: string;
  readonly peakBps: number;
  readonly averageBps: number;
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

function describeRung(
  rung: VideoRung,
  video: Measured & { init: Buffer },
  sound: (Measured & { codecs: string }) | null,
) {
  const codec = videoCodec(rung.folder, video.init);
  const codecs = sound === null ? [codec] : [codec, sound.codecs];
  const [bandwidthBps, averageBandwidthBps] = [
    video.peakBps + (sound?.peakBps ?? 0),
    video.averageBps + (sound?.averageBps ?? 0),
  ];
  const { label, width, height } = rung;
  const path = `${rung.folder}/${PLAYLIST_NAME}`;
  return {
    variant: {
      bandwidthBps,
      averageBandwidthBps,
      codecs,
      video: { width, height, framesPerSecond: toNumber(rung.frameRate) },
      uri: path,
    },
    rendition: {
      label,
      width,
      height,
      bandwidthBps,
      averageBandwidthBps,
      codecs: codecs.join(','),
      frameRate: formatFraction(rung.frameRate),
      path,
    },
  };
}

function describeSound(sound: Measured & { codecs: string }) {
  const path = `${sound.folder}/${PLAYLIST_NAME}`;
  const [bandwidthBps, averageBandwidthBps] = [sound.peakBps, sound.averageBps];
  return {
    variant: { bandwidthBps, averageBandwidthBps, codecs: [sound.codecs], video: null, uri: path },
    rendition: {
      label: 'audio',
      width: 0,
      height: 0,
      bandwidthBps,
      averageBandwidthBps,
      codecs: sound.codecs,
      frameRate: null,
      path,
    },
  };
}
