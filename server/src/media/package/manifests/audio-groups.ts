import { type AudioLadder, type AudioRung, audioRungs } from '../../encode/audio-rungs.ts';
import { audioNames } from './hls-playlist.ts';
import type { AudioRendition } from './rendition.ts';

/** An encoded audio track as viewers choose it. */
export type NamedAudio = AudioRung & Pick<AudioRendition, 'track' | 'name' | 'language' | 'isDefault'>;

/** The tracks of a ladder, the default first. 5.1 has the name of its track. */
export function namedAudio(ladder: AudioLadder): NamedAudio[] {
  const rungs = audioRungs(ladder);
  const sources = [...new Set(rungs.map(({ source }) => source))];
  const names = audioNames(sources);
  return rungs.map((rung) => {
    const track = sources.indexOf(rung.source);
    const { name, language } = names[track] ?? { name: rung.folder, language: null };
    return { ...rung, track, name, language, isDefault: rung.source === ladder.audio?.source };
  });
}

/** Tracks among which viewers choose while the picture stays the same (RFC 8216 section 4.3.4.1.1). */
export interface AudioGroup {
  readonly id: 'audio' | 'surround' | 'dolby';
  readonly tracks: readonly AudioRendition[];
}

/**
 * The tracks in stereo or mono, and if there is 5.1 the same tracks with it, as AAC and as Dolby: players choose among
 * groups whose codecs they have. Groups have the same names, so that a choice holds in all of them; one in stereo comes
 * first.
 */
export function audioGroups(renditions: readonly AudioRendition[]): AudioGroup[] {
  const mixed = renditions.filter(({ channels }) => channels <= 2);
  const surround = (dolby: boolean) => {
    const found = new Map(
      renditions.filter((each) => each.channels > 2 && isDolby(each) === dolby).map((each) => [each.track, each]),
    );
    return found.size === 0 ? [] : mixed.map((each) => found.get(each.track) ?? each);
  };
  const all = [
    { id: 'audio' as const, tracks: mixed },
    { id: 'surround' as const, tracks: surround(false) },
    { id: 'dolby' as const, tracks: surround(true) },
  ];
  return all.filter((group) => group.tracks.length > 0);
}

function isDolby({ codecs }: AudioRendition): boolean {
  return codecs === 'ac-3' || codecs === 'ec-3';
}
