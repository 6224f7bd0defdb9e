import { type MasterSubtitle, SUBTITLE_GROUP, subtitleNames } from './hls-playlist.ts';

/** Captions to add to a packaged stream. */
export interface AddedSubtitle {
  readonly label: string;
  /** BCP 47. */
  readonly language: string;
  /** Of the media playlist, relative to the master. */
  readonly uri: string;
  /** Enabled by default. */
  readonly isDefault: boolean;
  /** Whether they also describe sounds other than speech (RFC 8216 section 4.3.4.1, CHARACTERISTICS). */
  readonly describesSound: boolean;
}

const DESCRIBES_SOUND =
  'CHARACTERISTICS="public.accessibility.transcribes-spoken-dialog,public.accessibility.describes-music-and-sound",';

/** The master playlist with additional captions, with unique names. Pure. */
export function withSubtitles(master: string, added: readonly AddedSubtitle[]): string {
  if (added.length === 0) return master;
  const lines = master.split('\n');
  const present = lines.flatMap((line) => /^#EXT-X-MEDIA:TYPE=SUBTITLES,.*NAME="([^"]*)"/.exec(line)?.[1] ?? []);
  const names = subtitleNames([
    ...present.map((title) => ({ title, language: null })),
    ...added.map(({ label, language }) => ({ title: label, language })),
  ]).slice(present.length);
  const media = added.map((each, index) =>
    mediaLine(each, names[index] ?? { name: each.label, language: each.language }),
  );
  const first = lines.findIndex((line) => line.startsWith('#EXT-X-STREAM-INF:'));
  const offer = (line: string) =>
    line.startsWith('#EXT-X-STREAM-INF:') && !line.includes('SUBTITLES=')
      ? `${line},SUBTITLES="${SUBTITLE_GROUP}"`
      : line;
  return [...lines.slice(0, first), ...media, ...lines.slice(first)].map(offer).join('\n');
}

function mediaLine(
  { uri, isDefault, describesSound }: AddedSubtitle,
  { name, language }: Omit<MasterSubtitle, 'uri'>,
): string {
  const spoken = language === null ? '' : `LANGUAGE="${language}",`;
  const shown = isDefault ? 'DEFAULT=YES' : 'DEFAULT=NO';
  return `#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="${SUBTITLE_GROUP}",NAME="${name}",${spoken}${describesSound ? DESCRIBES_SOUND : ''}${shown},AUTOSELECT=YES,FORCED=NO,URI="${uri}"`;
}
