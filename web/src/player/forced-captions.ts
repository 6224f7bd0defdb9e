/**
 * The forced captions for audio in a language: those in the same one, whatever the region. Of audio whose language is
 * unknown, the first.
 */
export function forcedFor<Track extends { readonly language: string }>(
  audioLanguage: string,
  tracks: readonly Track[],
): Track | null {
  if (audioLanguage === '') return tracks[0] ?? null;
  return (
    tracks.find(({ language }) => language === audioLanguage) ??
    tracks.find(({ language }) => primaryOf(language) === primaryOf(audioLanguage)) ??
    null
  );
}

function primaryOf(language: string): string | undefined {
  return language.split('-')[0]?.toLowerCase();
}
