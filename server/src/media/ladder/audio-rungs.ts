import type { AudioFacts, MediaFacts } from '../inspect/media-facts.ts';

/** Audio of a ladder, shared by all sizes. */
export interface AudioRung {
  /** The track it is made from. */
  readonly source: AudioFacts;
  readonly channels: 1 | 2 | 6 | 8;
  readonly sampleRate: 48_000;
  readonly bitrateBps: number;
  /** AAC-LC, which all players have; or Dolby Digital (AC-3) or Dolby Digital Plus (E-AC-3), which receivers decode. */
  readonly codec: 'aac' | 'dolby';
  /** Whether the frames of the source are taken as they are, unless they have gaps; otherwise they are encoded. */
  readonly copies: boolean;
  /** Folder of its playlist and segments. */
  readonly folder: string;
}

/** The default audio of a video, and the others. */
export interface AudioLadder {
  /** Surround is mixed down to stereo, mono stays mono. */
  readonly audio: AudioRung | null;
  /** The other tracks in the same way, then those with 5.1 channels with all of them: as AAC, then as Dolby. */
  readonly otherAudio: readonly AudioRung[];
}

/** Plans the audio of a source. Pure. */
export function planAudio({ audio, otherAudio = [] }: Pick<MediaFacts, 'audio'> & Partial<MediaFacts>): AudioLadder {
  if (audio === null) return { audio: null, otherAudio: [] };
  const tracks = [audio, ...otherAudio].map((source, index) => ({
    ...{ source, sampleRate: 48_000 as const, codec: 'aac' as const, copies: false },
    folder: index === 0 ? 'audio' : `audio${index + 1}`,
  }));
  const mixed = tracks.map((track) => {
    const mono = track.source.channels === 1;
    return { ...track, channels: mono ? (1 as const) : (2 as const), bitrateBps: mono ? 80_000 : 128_000 };
  });
  const surround = tracks.filter(({ source }) => is51(source)).map(surroundOf);
  const dolby = surround.map((track) => ({ ...track, ...dolbyOf(track.source), folder: `${track.folder}-dolby` }));
  const [first = null, ...others] = [...mixed, ...surround, ...dolby];
  return { audio: first, otherAudio: others };
}

function surroundOf<Track extends Pick<AudioRung, 'folder'>>(track: Track) {
  return { ...track, channels: 6 as const, bitrateBps: 320_000, folder: `${track.folder}-5.1` };
}

/**
 * A track that was upmixed, as AAC with all its channels, and as Dolby in 5.1: encoders of E-AC-3 have no more. `audio`
 * is the same track in the ladder of its source. Pure.
 */
export function upmixRungs(audio: AudioRung): AudioRung[] {
  const five = surroundOf(audio);
  const seven = { ...audio, channels: 8 as const, bitrateBps: 448_000, folder: `${audio.folder}-7.1` };
  const dolby = { ...five, ...dolbyOf(audio.source), folder: `${five.folder}-dolby` };
  return [audio.source.channels === 8 ? seven : five, dolby];
}

/** All audio of a ladder, the default first. */
export function audioRungs({ audio, otherAudio }: AudioLadder): AudioRung[] {
  return audio === null ? [...otherAudio] : [audio, ...otherAudio];
}

/** Whether a rendition is of the track that is played unless the viewer chooses another one. */
export function isMainTrack({ audio }: Pick<MediaFacts, 'audio'>, { source }: Pick<AudioRung, 'source'>): boolean {
  return source.index === audio?.index;
}

/** Six channels without a layout are 5.1. */
function is51({ channels, channelLayout }: AudioFacts): boolean {
  return channels === 6 && [null, '5.1', '5.1(side)'].includes(channelLayout);
}

/** Of E-AC-3 that is encoded. */
const DOLBY_BPS = 384_000;
/** AC-3 has at most 640 kbit/s; E-AC-3 above this is for discs. */
const MOST_COPIED_BPS = 1_024_000;

function dolbyOf({ codec, sampleRate, bitrateBps }: AudioFacts): Pick<AudioRung, 'codec' | 'copies' | 'bitrateBps'> {
  const isDolby = ['ac3', 'eac3'].includes(codec) && sampleRate === 48_000;
  const copies = isDolby && bitrateBps !== null && bitrateBps <= MOST_COPIED_BPS;
  return { codec: 'dolby', copies, bitrateBps: copies ? bitrateBps : DOLBY_BPS };
}
