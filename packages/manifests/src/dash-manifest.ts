/** DASH manifests as text (ISO/IEC 23009-1, profile isoff-live). Pure. */

import { UNDETERMINED } from './hls-playlist.ts';

interface FrameRate {
  readonly num: number;
  readonly den: number;
}

const numberOf = ({ num, den }: FrameRate) => num / den;
const textOf = ({ num, den }: FrameRate) => `${num}/${den}`;

/** The segments of a track, which follow each other from 0 without gaps. */
export interface SegmentTimeline {
  /** Units per second. */
  readonly timescale: number;
  readonly durations: readonly number[];
}

/** One encoded track and its segments. */
export interface DashTrack {
  /** Unique in the manifest, without blanks. */
  readonly id: string;
  /** Bits per second at the peak, of this track alone. */
  readonly bandwidthBps: number;
  /** RFC 6381. */
  readonly codecs: string;
  /** Address of the initialisation segment, relative to the manifest. */
  readonly initUri: string;
  /** Address of a segment, with `$Number$` or `$Number%05d$` (section 5.3.9.4.4). */
  readonly mediaUri: string;
  /** Number of the first segment. */
  readonly firstNumber: number;
  readonly timeline: SegmentTimeline;
}

export interface DashVideo extends DashTrack {
  readonly width: number;
  readonly height: number;
  /** Pictures per second, as a fraction of integers: 30000/1001 is not 29.97. */
  readonly frameRate: FrameRate;
  /** Of one that was enhanced; absent for others. */
  readonly name?: string;
  /** Of one with a name: whether players choose it by themselves like the others. Default no. */
  readonly isPreferred?: boolean;
}

export interface DashAudio extends DashTrack {
  readonly channels: number;
  readonly sampleRate: number;
  /** BCP 47; null if unknown. */
  readonly language: string | null;
  /** Display name; null for the only one. */
  readonly name: string | null;
  /** Played unless the viewer chooses another one. */
  readonly isDefault: boolean;
}

/** A WebVTT file. */
export interface DashText {
  readonly id: string;
  readonly uri: string;
  readonly sizeBytes: number;
  readonly language: string | null;
  readonly name: string;
  readonly isDefault: boolean;
  readonly isForced: boolean;
  /** Whether it also describes sounds other than speech. */
  readonly describesSound: boolean;
}

/** What a manifest offers. */
export interface DashPresentation {
  /** Sizes and codecs of one picture, whose segments start at the same times. */
  readonly video: readonly DashVideo[];
  readonly audio: readonly DashAudio[];
  readonly text: readonly DashText[];
}

/** The manifest of a finished video: one period, and an address relative to the manifest for every file. */
export function dashManifest({ video, audio, text }: DashPresentation): string {
  const timelines = [...video, ...audio].map(({ timeline }) => timeline);
  const durationSeconds = Math.max(...timelines.map(timelineSeconds));
  // With this much in its buffer a player does not stall: no segment takes longer than it lasts at its bandwidth
  // (section 5.3.1.2).
  const longest = timelines.flatMap(({ durations, timescale }) => Math.max(...durations) / timescale);
  const attributes = {
    xmlns: 'urn:mpeg:dash:schema:mpd:2011',
    profiles: 'urn:mpeg:dash:profile:isoff-live:2011',
    type: 'static',
    mediaPresentationDuration: spelled(durationSeconds),
    minBufferTime: spelled(Math.max(...longest)),
  };
  const sets = [...videoSets(video), ...audioSets(audio), ...text.map((track) => textSet(track, durationSeconds))];
  const period = element('Period', { id: '0', start: 'PT0S' }, sets);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element('MPD', attributes, [period]).join('\n')}\n`;
}

const PERIOD_END = '  </Period>';

const TEXT_SET = /<AdaptationSet contentType="text"[\s\S]*?<\/AdaptationSet>/g;
const FORCED_ROLE = 'value="forced-subtitle"';
const MAIN_ROLE = /(?<! ) *<Role [^>]*value="main"\/>\n/;

/**
 * A manifest of `dashManifest` with additional captions; a default among them replaces that of the file, forced ones
 * those of the file in their language. Pure.
 */
export function withDashText(manifest: string, added: readonly DashText[]): string {
  const seconds = Number(/mediaPresentationDuration="PT([\d.]+)S"/.exec(manifest)?.[1]);
  const sets = added.flatMap((track) => textSet(track, seconds).map((line) => `    ${line}\n`));
  const replaced = added.some(({ isDefault }) => isDefault);
  const forced = added.filter(({ isForced }) => isForced).map(({ language }) => ` lang="${language}"`);
  const present = manifest.replace(TEXT_SET, (set) => {
    const choice = replaced ? set.replace(MAIN_ROLE, '') : set;
    return forced.some((language) => set.includes(language)) ? choice.replace(FORCED_ROLE, 'value="subtitle"') : choice;
  });
  return present.replace(PERIOD_END, () => sets.join('') + PERIOD_END);
}

function timelineSeconds({ durations, timescale }: SegmentTimeline): number {
  return durations.reduce((sum, duration) => sum + duration, 0) / timescale;
}

type Lines = readonly string[];

/**
 * A set for each codec: players choose one that they decode, and may change to another at any segment. What only
 * viewers choose is a set of its own.
 */
function videoSets(all: readonly DashVideo[]): Lines[] {
  const isApart = ({ name, isPreferred = false }: DashVideo) => name !== undefined && !isPreferred;
  return [...plainSets(all.filter((track) => !isApart(track))), ...all.filter(isApart).map(namedSet)];
}

function namedSet(track: DashVideo): Lines {
  const { name = '', ...unnamed } = track;
  return videoSet([unnamed], null, [label(name)], 'alternate');
}

function plainSets(video: readonly DashVideo[]): Lines[] {
  const codecs = [...new Set(video.map(familyOf))];
  if (codecs.length <= 1) return video.length === 0 ? [] : [videoSet(video, null, [])];
  const ids = codecs.map((_, index) => `${index + 1}`);
  return codecs.map((codec, index) => {
    const others = ids.filter((_, other) => other !== index).join(',');
    const tracks = video.filter((track) => familyOf(track) === codec);
    return videoSet(tracks, ids[index] ?? null, [
      element('SupplementalProperty', { schemeIdUri: SWITCHING, value: others }),
    ]);
  });
}

function familyOf({ codecs }: Pick<DashTrack, 'codecs'>): string {
  return codecs.split('.')[0] ?? '';
}

/** Section 5.3.3.5: the sets that players may change to. */
const SWITCHING = 'urn:mpeg:dash:adaptation-set-switching:2016';

function videoSet(
  tracks: readonly DashVideo[],
  id: string | null,
  properties: readonly Lines[],
  purpose: 'main' | 'alternate' = 'main',
): Lines {
  const most = (of: (track: DashVideo) => number) => Math.max(...tracks.map(of));
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
  const representations = rising.map((track) =>
    representation(
      track,
      { width: track.width, height: track.height, frameRate: textOf(track.frameRate), sar: '1:1' },
      track.name === undefined ? [] : [label(track.name)],
    ),
  );
  return element('AdaptationSet', attributes, [...properties, role(purpose), ...representations]);
}

function audioSets(audio: readonly DashAudio[]): Lines[] {
  const chosen = audio.filter(({ isDefault }) => isDefault);
  const stereo = chosen.filter(({ channels }) => channels <= 2);
  const first = stereo.length > 0 ? stereo : chosen;
  return audio.map((track) => audioSet(track, audio.length > 1 && first.includes(track)));
}

function audioSet(track: DashAudio, isFirstChoice: boolean): Lines {
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
    representation(track, { audioSamplingRate: track.sampleRate }),
  ]);
}

/**
 * Dolby's streams name their loudspeakers, as bits (ETSI TS 102 366 section I.1.2.1); others count channels. 7.1 with
 * surrounds at the sides and in the back is the configuration 12 (ISO/IEC 23091-3), which players would take for a
 * count in the scheme of the others.
 */
function channelConfiguration({ codecs, channels }: DashAudio): Attributes {
  if (channels === 8) return { schemeIdUri: 'urn:mpeg:mpegB:cicp:ChannelConfiguration', value: 12 };
  return codecs === 'ac-3' || codecs === 'ec-3'
    ? { schemeIdUri: 'tag:dolby.com,2014:dash:audio_channel_configuration:2011', value: SPEAKERS_OF_51 }
    : { schemeIdUri: 'urn:mpeg:dash:23003:3:audio_channel_configuration:2011', value: channels };
}

/** Left, centre, right, left and right surround, and low frequencies. */
const SPEAKERS_OF_51 = 'F801';

function textSet(track: DashText, durationSeconds: number): Lines {
  const bandwidth = Math.max(1, Math.ceil((8 * track.sizeBytes) / durationSeconds));
  const file = [`<BaseURL>${escaped(track.uri)}</BaseURL>`];
  return element('AdaptationSet', { contentType: 'text', mimeType: 'text/vtt', lang: track.language ?? UNDETERMINED }, [
    label(track.name),
    role(track.isForced ? 'forced-subtitle' : track.describesSound ? 'caption' : 'subtitle'),
    ...(track.isDefault ? [role('main')] : []),
    element('Representation', { id: track.id, bandwidth }, [file]),
  ]);
}

function representation(track: DashTrack, more: Attributes, labels: readonly Lines[] = []): Lines {
  const { id, bandwidthBps, codecs, initUri, mediaUri, firstNumber, timeline } = track;
  const template = element(
    'SegmentTemplate',
    { timescale: timeline.timescale, initialization: initUri, media: mediaUri, startNumber: firstNumber },
    [element('SegmentTimeline', {}, runsOf(timeline.durations))],
  );
  return element('Representation', { id, bandwidth: bandwidthBps, codecs, ...more }, [...labels, template]);
}

/** Runs of equal durations, each one line (section 5.3.9.6). */
function runsOf(durations: readonly number[]): Lines[] {
  const runs: { duration: number; repeats: number }[] = [];
  for (const duration of durations) {
    const last = runs.at(-1);
    if (last?.duration === duration) last.repeats += 1;
    else runs.push({ duration, repeats: 0 });
  }
  return runs.map(({ duration, repeats }, index) =>
    element('S', { t: index === 0 ? 0 : null, d: duration, r: repeats === 0 ? null : repeats }),
  );
}

function role(value: string): Lines {
  return element('Role', { schemeIdUri: 'urn:mpeg:dash:role:2011', value });
}

function label(name: string): Lines {
  return [`<Label>${escaped(name)}</Label>`];
}

type Attributes = Readonly<Record<string, string | number | null>>;

/** Lines of an element; attributes that are null are omitted. */
function element(name: string, attributes: Attributes, children: readonly Lines[] = []): Lines {
  const present = Object.entries(attributes).filter(([, value]) => value !== null);
  const head = [name, ...present.map(([key, value]) => `${key}="${escaped(`${value}`)}"`)].join(' ');
  if (children.length === 0) return [`<${head}/>`];
  return [`<${head}>`, ...children.flat().map((line) => `  ${line}`), `</${name}>`];
}

/** Text for XML 1.0, which forbids control characters even as references. */
function escaped(text: string): string {
  return text
    .toWellFormed()
    .replace(/[^\P{Cc}\t\n\r]|[\uFFFE\uFFFF]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/** A duration of XML Schema, rounded up to the microsecond. */
function spelled(seconds: number): string {
  return `PT${Math.ceil(Math.round(seconds * 1e9) / 1e3) / 1e6}S`;
}
