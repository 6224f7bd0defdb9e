/** DASH manifests as text (ISO/IEC 23009-1, profile isoff-live). Pure. */

import {
  audioSets,
  type DashAudioFacts,
  type DashTrackFacts,
  type DashVideoFacts,
  label,
  role,
  videoSets,
} from './dash-sets.ts';
import { element, escaped, type Lines, spelled, XML_HEAD } from './dash-xml.ts';
import { UNDETERMINED } from './hls-playlist.ts';
import { SegmentRuns } from './segment-runs.ts';

/** The segments of a track, which follow each other from 0 without gaps. */
export interface SegmentTimeline {
  /** Units per second. */
  readonly timescale: number;
  readonly durations: readonly number[];
}

/** One encoded track and its segments. */
export interface DashTrack extends DashTrackFacts {
  /** Address of the initialisation segment, relative to the manifest. */
  readonly initUri: string;
  /** Address of a segment, with `$Number$` or `$Number%05d$` (section 5.3.9.4.4). */
  readonly mediaUri: string;
  /** Number of the first segment. */
  readonly firstNumber: number;
  readonly timeline: SegmentTimeline;
}

export type DashVideo = DashTrack & DashVideoFacts;
export type DashAudio = DashTrack & DashAudioFacts;

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
    ...MPD_ATTRIBUTES,
    type: 'static',
    mediaPresentationDuration: spelled(durationSeconds),
    minBufferTime: spelled(Math.max(...longest)),
  };
  const segments = { ofSet: [], ofTrack: (track: DashTrack) => [templateOf(track)] };
  const sets = [
    ...videoSets(video, segments),
    ...audioSets(audio, segments),
    ...text.map((track) => textSet(track, durationSeconds)),
  ];
  const period = element('Period', { id: '0', start: 'PT0S' }, sets);
  return `${XML_HEAD}${element('MPD', attributes, [period]).join('\n')}\n`;
}

/** Of every manifest. */
export const MPD_ATTRIBUTES = {
  xmlns: 'urn:mpeg:dash:schema:mpd:2011',
  profiles: 'urn:mpeg:dash:profile:isoff-live:2011',
};

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

function templateOf({ initUri, mediaUri, firstNumber, timeline }: DashTrack): Lines {
  const runs = new SegmentRuns();
  for (const duration of timeline.durations) runs.add({ start: runs.end, duration });
  return element(
    'SegmentTemplate',
    { timescale: timeline.timescale, initialization: initUri, media: mediaUri, startNumber: firstNumber },
    [runs.lines()],
  );
}
