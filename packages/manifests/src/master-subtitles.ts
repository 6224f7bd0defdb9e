import { NO_CLOSED_CAPTIONS, SUBTITLE_GROUP, subtitleLine, subtitleNames } from './hls-playlist.ts';

/** Captions to add to a packaged stream. */
export interface AddedSubtitle {
  readonly label: string;
  /** BCP 47. */
  readonly language: string;
  /** Of the media playlist, relative to the master. */
  readonly uri: string;
  /** Enabled by default. */
  readonly isDefault: boolean;
  readonly isForced: boolean;
  /** Whether they also describe sounds other than speech (RFC 8216 section 4.3.4.1, CHARACTERISTICS). */
  readonly describesSound: boolean;
}

/** The master playlist with additional captions, with unique names. Pure. */
export function withSubtitles(master: string, added: readonly AddedSubtitle[]): string {
  if (added.length === 0) return master;
  const lines = master.split('\n');
  const present = lines.flatMap((line) => /^#EXT-X-MEDIA:TYPE=SUBTITLES,.*NAME="([^"]*)"/.exec(line)?.[1] ?? []);
  const names = subtitleNames([
    ...present.map((title) => ({ title, language: null })),
    ...added.map(({ label, language }) => ({ title: label, language })),
  ]).slice(present.length);
  const media = added.map(({ label, language, ...flags }, index) =>
    subtitleLine({ ...flags, ...(names[index] ?? { name: label, language }) }),
  );
  // A group has one default, and one forced rendition in a language (RFC 8216 section 4.3.4.1.1): the creator's.
  const replaced = added.some(({ isDefault }) => isDefault);
  const forced = added.filter(({ isForced }) => isForced).map(({ language }) => `LANGUAGE="${language}"`);
  const demoted = (line: string) => {
    if (!line.startsWith('#EXT-X-MEDIA:TYPE=SUBTITLES,')) return line;
    const choice = replaced ? line.replace(/,DEFAULT=YES,/, ',DEFAULT=NO,') : line;
    return forced.some((language) => line.includes(language)) ? choice.replace(',FORCED=YES', ',FORCED=NO') : choice;
  };
  const first = lines.findIndex((line) => line.startsWith('#EXT-X-STREAM-INF:'));
  const attributes = [`SUBTITLES="${SUBTITLE_GROUP}"`, NO_CLOSED_CAPTIONS];
  const offer = (line: string) =>
    line.startsWith('#EXT-X-STREAM-INF:')
      ? [line, ...attributes.filter((each) => !line.includes(each.split('=')[0] ?? each))].join(',')
      : line;
  return [...lines.slice(0, first).map(demoted), ...media, ...lines.slice(first)].map(offer).join('\n');
}
