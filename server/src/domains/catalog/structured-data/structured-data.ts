import type { ContentKind } from '../../../kernel/content-kinds.ts';

/** A public series or season that contains a content. */
export interface DescribedParent {
  readonly kind: ContentKind;
  readonly title: string;
  readonly number: number | null;
  /** Absolute address of its page. */
  readonly url: string;
}

/** Facts for the structured data of a content. Addresses are absolute. */
export interface DescribedContent {
  readonly kind: ContentKind;
  readonly title: string;
  readonly summary: string;
  readonly keywords: readonly string[];
  readonly url: string;
  /** ISO 8601. */
  readonly publishedAt: string;
  readonly durationMs: number | null;
  readonly chapters: readonly { readonly startMs: number; readonly endMs: number | null; readonly title: string }[];
  readonly thumbnailUrl: string | null;
  readonly contentUrl: string | null;
  /** Embed page; null for containers. */
  readonly embedUrl: string | null;
  /** When it is or was broadcast, in ISO 8601; null for what is uploaded. */
  readonly broadcast: { readonly startsAt: string; readonly endedAt: string | null } | null;
  readonly genres: readonly string[];
  readonly language: string | null;
  /** Minimum age of its rating; null when it has none. */
  readonly minimumAge: number | null;
  readonly number: number | null;
  readonly channel: { readonly name: string; readonly url: string };
  /** Nearest parent first. */
  readonly parents: readonly DescribedParent[];
}

/** An object of schema.org. */
export interface StructuredData {
  readonly '@context': 'https://schema.org';
  readonly '@type': 'VideoObject' | 'TVSeries' | 'TVSeason' | 'TVEpisode';
  readonly [property: string]: unknown;
}

/** From this minimum age on, a rating is not family friendly. */
const ADULT = 17;

/**
 * A content in the vocabulary of schema.org, with what Google's video results require: name, thumbnailUrl and
 * uploadDate.
 */
export function structuredData(content: DescribedContent): StructuredData {
  const { kind, number, parents } = content;
  const context = { '@context': 'https://schema.org' } as const;
  switch (kind) {
    case 'SERIES':
    case 'MINISERIES':
      return { ...context, '@type': 'TVSeries', ...common(content), ...dated(content) };
    case 'SEASON':
      return {
        ...context,
        '@type': 'TVSeason',
        ...common(content),
        ...dated(content),
        ...numbered('seasonNumber', number),
        ...partOf(parents),
      };
    case 'EPISODE':
      return {
        ...context,
        '@type': 'TVEpisode',
        ...common(content),
        ...dated(content),
        ...numbered('episodeNumber', number),
        ...partOf(parents),
        video: { '@type': 'VideoObject', ...common(content), ...video(content) },
      };
    default:
      return { ...context, '@type': 'VideoObject', ...common(content), ...video(content) };
  }
}

function common({
  title,
  summary,
  keywords,
  url,
  thumbnailUrl,
  genres,
  language,
  minimumAge,
  channel,
}: DescribedContent) {
  return {
    name: title,
    description: summary || title,
    url,
    publisher: { '@type': 'Organization' as const, name: channel.name, url: channel.url },
    ...(thumbnailUrl === null ? {} : { image: thumbnailUrl, thumbnailUrl }),
    ...(keywords.length === 0 ? {} : { keywords: [...keywords] }),
    ...(genres.length === 0 ? {} : { genre: [...genres] }),
    ...(language === null ? {} : { inLanguage: language }),
    ...(minimumAge === null ? {} : { isFamilyFriendly: minimumAge < ADULT }),
  };
}

function dated({ publishedAt }: DescribedContent) {
  return { datePublished: publishedAt };
}

function video({ publishedAt, durationMs, contentUrl, embedUrl, chapters, url, title, broadcast }: DescribedContent) {
  return {
    uploadDate: publishedAt,
    ...(broadcast === null ? {} : { publication: event(title, broadcast) }),
    ...(durationMs === null ? {} : { duration: isoDuration(durationMs) }),
    ...(contentUrl === null ? {} : { contentUrl, ...(embedUrl === null ? {} : { embedUrl }) }),
    ...(chapters.length === 0 ? {} : { hasPart: clips(chapters, url) }),
  };
}

/** A broadcast, which Google marks as live between its times. */
function event(name: string, { startsAt, endedAt }: NonNullable<DescribedContent['broadcast']>) {
  const end = endedAt === null ? {} : { endDate: endedAt };
  return { '@type': 'BroadcastEvent' as const, name, isLiveBroadcast: true, startDate: startsAt, ...end };
}

/** The chapters as key moments of Google's video results: with an address each, in whole seconds. */
function clips(chapters: DescribedContent['chapters'], url: string) {
  return chapters.map(({ startMs, endMs, title }) => {
    const startOffset = Math.floor(startMs / 1_000);
    const end = endMs === null ? {} : { endOffset: Math.ceil(endMs / 1_000) };
    return { '@type': 'Clip' as const, name: title, startOffset, ...end, url: `${url}?t=${startOffset}` };
  });
}

function numbered<Name extends string>(name: Name, number: number | null): Partial<Record<Name, number>> {
  return number === null ? {} : ({ [name]: number } as Record<Name, number>); // a computed key widens to string
}

function partOf(parents: readonly DescribedParent[]) {
  const season = parents.find(({ kind }) => kind === 'SEASON');
  const series = parents.find(({ kind }) => kind !== 'SEASON');
  return {
    ...(season
      ? {
          partOfSeason: {
            '@type': 'TVSeason' as const,
            name: season.title,
            url: season.url,
            ...numbered('seasonNumber', season.number),
          },
        }
      : {}),
    ...(series ? { partOfSeries: { '@type': 'TVSeries' as const, name: series.title, url: series.url } } : {}),
  };
}

/** ISO 8601 duration in hours, minutes and seconds: `PT1H2M3S`. Rounded to seconds, at least one. */
export function isoDuration(durationMs: number): string {
  const seconds = Math.max(1, Math.round(durationMs / 1_000));
  const parts = [
    [Math.floor(seconds / 3_600), 'H'],
    [Math.floor(seconds / 60) % 60, 'M'],
    [seconds % 60, 'S'],
  ] as const;
  return `PT${parts.map(([value, unit]) => (value > 0 ? `${value}${unit}` : '')).join('')}`;
}
