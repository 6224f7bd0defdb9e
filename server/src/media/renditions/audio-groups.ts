import { audioNames } from '@reelgraph/manifests';
import { type AudioLadder, type AudioRung, audioRungs } from '../ladder/audio-rungs.ts';
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
  readonly id: 'audio' | 'surround' | 'dolby' | 'upmix' | 'upmix-dolby';
  readonly tracks: readonly AudioRendition[];
}

/**
 * The tracks in stereo or mono, and if there is 5.1 the same tracks with it, as AAC and as Dolby: players choose among
 * groups whose codecs they have. Groups have the same names, so that a choice holds in all of them; one in stereo comes
 * first. A track that was upmixed is a choice of its own beside the original. In the groups without it, its name stands
 * for the original: that is its downmix. The name of 7.1 stands for its 5.1 in the group that has that. The default
 * comes first, also for players that choose by language.
 */
export function audioGroups(renditions: readonly AudioRendition[]): AudioGroup[] {
  const upmixes = namedAlike(renditions.filter(({ upmix }) => upmix));
  const original = renditions.filter(({ upmix }) => !upmix);
  const mixed = original.filter(({ channels }) => channels <= 2);
  const surround = (dolby: boolean) => {
    const found = new Map(
      original.filter((each) => each.channels > 2 && isDolby(each) === dolby).map((each) => [each.track, each]),
    );
    return found.size === 0 ? [] : mixed.map((each) => found.get(each.track) ?? each);
  };
  const downmixes = [...new Map(upmixes.map((each) => [each.name, each])).values()].flatMap((upmix) =>
    mixed
      .filter(({ track }) => track === upmix.track)
      .map((each) => ({ ...each, name: upmix.name, isDefault: upmix.isDefault })),
  );
  const upmixed = (dolby: boolean) => {
    const found = upmixes.filter((each) => isDolby(each) === dolby);
    return found.length === 0 ? [] : [...mixed, ...found];
  };
  const withDownmixes = (tracks: readonly AudioRendition[]) => (tracks.length === 0 ? [] : [...tracks, ...downmixes]);
  const all: AudioGroup[] = [
    { id: 'audio', tracks: withDownmixes(mixed) },
    { id: 'surround', tracks: withDownmixes(surround(false)) },
    { id: 'dolby', tracks: withDownmixes(surround(true)) },
    { id: 'upmix', tracks: upmixed(false) },
    { id: 'upmix-dolby', tracks: upmixed(true) },
  ];
  return all.filter(({ tracks }) => tracks.length > 0).map(({ id, tracks }) => ({ id, tracks: defaultFirst(tracks) }));
}

/** The renditions of a track with the name of that with the most channels. */
function namedAlike(upmixes: readonly AudioRendition[]): AudioRendition[] {
  const most = [...upmixes].sort((a, b) => b.channels - a.channels);
  return upmixes.map((each) => ({ ...each, name: most.find(({ track }) => track === each.track)?.name ?? each.name }));
}

function defaultFirst(tracks: readonly AudioRendition[]): AudioRendition[] {
  return [...tracks].sort((a, b) => Number(b.isDefault) - Number(a.isDefault));
}

function isDolby({ codecs }: AudioRendition): boolean {
  return codecs === 'ac-3' || codecs === 'ec-3';
}
