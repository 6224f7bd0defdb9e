import { type AudioLadder, type AudioRung, audioRungs } from '../../encode/audio-rungs.ts';
import { audioNames, type MasterAudio } from './hls-playlist.ts';

/** An encoded audio track as viewers choose it. */
export interface NamedAudio extends AudioRung {
  readonly name: string;
  /** BCP 47; null if unknown. */
  readonly language: string | null;
  readonly isDefault: boolean;
}

/** The tracks of a ladder, the default first. 5.1 has the name of its track. */
export function namedAudio(ladder: AudioLadder): NamedAudio[] {
  const rungs = audioRungs(ladder);
  const sources = [...new Set(rungs.map(({ source }) => source))];
  const names = audioNames(sources);
  return rungs.map((rung) => {
    const { name, language } = names[sources.indexOf(rung.source)] ?? { name: rung.folder, language: null };
    return { ...rung, name, language, isDefault: rung.source === ladder.audio?.source };
  });
}

/** Tracks among which viewers choose while the picture stays the same (RFC 8216 section 4.3.4.1.1). */
export interface AudioGroup {
  readonly id: MasterAudio['group'];
  readonly tracks: readonly NamedAudio[];
}

/**
 * The tracks in stereo or mono, and if there is 5.1 the same tracks with it, as AAC and as Dolby: players choose among
 * groups whose codecs they have. Groups have the same names, so that a choice holds in all of them; one in stereo comes
 * first.
 */
export function audioGroups(tracks: readonly NamedAudio[]): AudioGroup[] {
  const mixed = tracks.filter(({ channels }) => channels <= 2);
  const surround = (codec: NamedAudio['codec']) => {
    const found = new Map(tracks.filter((each) => each.channels > 2 && each.codec === codec).map((t) => [t.source, t]));
    return found.size === 0 ? [] : mixed.map((track) => found.get(track.source) ?? track);
  };
  const all = [
    { id: 'audio', tracks: mixed },
    { id: 'surround', tracks: surround('aac') },
    { id: 'dolby', tracks: surround('dolby') },
  ];
  return all.filter((group) => group.tracks.length > 0);
}
