/** Adaptation sets of DASH manifests (ISO/IEC 23009-1 section 5.3.3). Pure. */

import { type Attributes, element, escaped, type Lines } from './dash-xml.ts';

interface FrameRate {
  readonly num: number;
  readonly den: number;
}

const numberOf = ({ num, den }: FrameRate) => num / den;
const textOf = ({ num, den }: FrameRate) => `${num}/${den}`;

/** What manifests say of an encoded track, beside its segments. */
export interface DashTrackFacts {
  /** Unique in the manifest, without blanks. */
  readonly id: string;
  /** Bits per second at the peak, of this track alone. */
  readonly bandwidthBps: number;
  /** RFC 6381. */
  readonly codecs: string;
}

export interface DashVideoFacts extends DashTrackFacts {
  readonly width: number;
  readonly height: number;
  /** Pictures per second, as a fraction of integers: 30000/1001 is not 29.97. */
  readonly frameRate: FrameRate;
  /** Of one that was enhanced; absent for others. */
  readonly name?: string;
  /** Of one with a name: whether players choose it by themselves like the others. Default no. */
  readonly isPreferred?: boolean;
}

export interface DashAudioFacts extends DashTrackFacts {
  readonly channels: number;
  readonly sampleRate: number;
  /** BCP 47; null if unknown. */
  readonly language: string | null;
  /** Display name; null for the only one. */
  readonly name: string | null;
  /** Played unless the viewer chooses another one. */
  readonly isDefault: boolean;
}

/** Lines about segments: those of a set, where all its tracks have the same, and those of each track. */
export interface SegmentLines<Track> {
  readonly ofSet: readonly Lines[];
  readonly ofTrack: (track: Track) => readonly Lines[];
}

/**
 * A set for each codec: players choose one that they decode, and may change to another at any segment. What only
 * viewers choose is a set of its own.
 */
export function videoSets<Track extends DashVideoFacts>(all: readonly Track[], segments: SegmentLines<Track>): Lines[] {
  const isApart = ({ name, isPreferred = false }: Track) => name !== undefined && !isPreferred;
  const named = (track: Track): Lines =>
    videoSet([track], segments, { id: null, about: [label(track.name ?? '')], purpose: 'alternate' });
  return [
    ...plainSets(
      all.filter((track) => !isApart(track)),
      segments,
    ),
    ...all.filter(isApart).map(named),
  ];
}

function plainSets<Track extends DashVideoFacts>(video: readonly Track[], segments: SegmentLines<Track>): Lines[] {
  const codecs = [...new Set(video.map(familyOf))];
  const purpose = 'main';
  if (codecs.length <= 1)
    return video.length === 0 ? [] : [videoSet(video, segments, { id: null, about: [], purpose })];
  const ids = codecs.map((_, index) => `${index + 1}`);
  return codecs.map((codec, index) => {
    const others = ids.filter((_, other) => other !== index).join(',');
    const tracks = video.filter((track) => familyOf(track) === codec);
    const about = [element('SupplementalProperty', { schemeIdUri: SWITCHING, value: others })];
    return videoSet(tracks, segments, { id: ids[index] ?? null, about, purpose });
  });
}

function familyOf({ codecs }: DashTrackFacts): string {
  return codecs.split('.')[0] ?? '';
}

/** Section 5.3.3.5: the sets that players may change to. */
const SWITCHING = 'urn:mpeg:dash:adaptation-set-switching:2016';

interface SetFacts {
  readonly id: string | null;
  readonly about: readonly Lines[];
  /** A set that only viewers choose has its label itself. */
  readonly purpose: 'main' | 'alternate';
}

function videoSet<Track extends DashVideoFacts>(
  tracks: readonly Track[],
  { ofSet, ofTrack }: SegmentLines<Track>,
  { id, about, purpose }: SetFacts,
): Lines {
  const most = (of: (track: Track) => number) => Math.max(...tracks.map(of));
  const fastest = tracks.reduce((best, each) =>
    numberOf(each.frameRate) > numberOf(best.frameRate) ? each : best,
  ).frameRate;
  const attributes = {
    id,
    contentType: 'video',
    mimeType: 'video/mp4',
    segmentAlignment: 'true',
    startWithSAP: '1',
    maxWidth: most(({ width }) => width),
    maxHeight: most(({ height }) => height),
    maxFrameRate: textOf(fastest),
  };
  const rising = [...tracks].sort((a, b) => a.bandwidthBps - b.bandwidthBps);
  const representations = rising.map((track) => {
    const { width, height, frameRate, name } = track;
    const labels = name === undefined || purpose === 'alternate' ? [] : [label(name)];
    const facts = { width, height, frameRate: textOf(frameRate), sar: '1:1' };
    return representation(track, facts, [...labels, ...ofTrack(track)]);
  });
  return element('AdaptationSet', attributes, [...about, role(purpose), ...ofSet, ...representations]);
}

/** A set for each track of sound. */
export function audioSets<Track extends DashAudioFacts>(
  audio: readonly Track[],
  segments: SegmentLines<Track>,
): Lines[] {
  const chosen = audio.filter(({ isDefault }) => isDefault);
  const stereo = chosen.filter(({ channels }) => channels <= 2);
  const first = stereo.length > 0 ? stereo : chosen;
  return audio.map((track) => audioSet(track, audio.length > 1 && first.includes(track), segments));
}

function audioSet<Track extends DashAudioFacts>(
  track: Track,
  isFirstChoice: boolean,
  { ofSet, ofTrack }: SegmentLines<Track>,
): Lines {
  const attributes = {
    contentType: 'audio',
    mimeType: 'audio/mp4',
    lang: track.language,
    segmentAlignment: 'true',
    startWithSAP: '1',
    // Otherwise players begin with the most channels.
    selectionPriority: isFirstChoice ? 2 : null,
  };
  const channels = element('AudioChannelConfiguration', channelConfiguration(track));
  return element('AdaptationSet', attributes, [
    channels,
    ...(track.name === null ? [] : [label(track.name)]),
    role(track.isDefault ? 'main' : 'alternate'),
    ...ofSet,
    representation(track, { audioSamplingRate: track.sampleRate }, ofTrack(track)),
  ]);
}

/**
 * Dolby's streams name their loudspeakers, as bits (ETSI TS 102 366 section I.1.2.1); others count channels. 7.1 with
 * surrounds at the sides and in the back is the configuration 12 (ISO/IEC 23091-3), which players would take for a
 * count in the scheme of the others.
 */
function channelConfiguration({ codecs, channels }: DashAudioFacts): Attributes {
  if (channels === 8) return { schemeIdUri: 'urn:mpeg:mpegB:cicp:ChannelConfiguration', value: 12 };
  return codecs === 'ac-3' || codecs === 'ec-3'
    ? { schemeIdUri: 'tag:dolby.com,2014:dash:audio_channel_configuration:2011', value: SPEAKERS_OF_51 }
    : { schemeIdUri: 'urn:mpeg:dash:23003:3:audio_channel_configuration:2011', value: channels };
}

/** Left, centre, right, left and right surround, and low frequencies. */
const SPEAKERS_OF_51 = 'F801';

function representation(
  { id, bandwidthBps, codecs }: DashTrackFacts,
  more: Attributes,
  children: readonly Lines[],
): Lines {
  return element('Representation', { id, bandwidth: bandwidthBps, codecs, ...more }, children);
}

export function role(value: string): Lines {
  return element('Role', { schemeIdUri: 'urn:mpeg:dash:role:2011', value });
}

export function label(name: string): Lines {
  return [`<Label>${escaped(name)}</Label>`];
}
