import type { DeprecationNotice } from '../../gql/requests.ts';
import { type ApiVersions, firstDayOf } from '../../kernel/api-versions.ts';
import { VERSION_HEADER } from './version-choice.ts';

/** Alternating names and values of a response's headers. */
type HeaderList = readonly string[];

/** Days as `YYYY-MM-DD`. */
interface Announcement {
  readonly since: string;
  readonly removal: string;
  readonly page: string;
}

/** Headers that say which version answered, and whether it or what was used of it will disappear. */
export class VersionHeaders {
  readonly #versions: ApiVersions;
  readonly #baseUrl: string;
  readonly #kept = new Map<string, HeaderList>();

  constructor(versions: ApiVersions, baseUrl: string) {
    this.#versions = versions;
    this.#baseUrl = baseUrl;
  }

  /** For an operation without deprecated elements. */
  of(version: string): HeaderList {
    const known = this.#kept.get(version);
    if (known) return known;
    const superseded = this.#superseded(version);
    const headers = [VERSION_HEADER, version, ...(superseded ? this.#headersOf([superseded]) : [])];
    this.#kept.set(version, headers);
    return headers;
  }

  /** For an operation with deprecated elements: those without dates are in its body only. */
  with(version: string, notices: readonly DeprecationNotice[]): HeaderList {
    const page = '/docs/deprecations';
    const elements = notices.flatMap(({ since, removal }): Announcement[] =>
      since === null || removal === null ? [] : [{ since, removal, page }],
    );
    if (elements.length === 0) return this.of(version);
    const superseded = this.#superseded(version);
    return [VERSION_HEADER, version, ...this.#headersOf(superseded ? [...elements, superseded] : elements)];
  }

  /** A version is deprecated from the publication of the next one, and answered until its support ends. */
  #superseded(version: string): Announcement | null {
    const removal = this.#versions.supportedUntil(version);
    const next = this.#versions.all.find(({ name, publishedOn }) => name > version && publishedOn !== null);
    if (removal === null || !next) return null;
    return { since: next.publishedOn ?? firstDayOf(next.name), removal, page: '/docs/versions' };
  }

  /** RFC 9745 and RFC 8594: the earliest of each. */
  #headersOf(announced: readonly Announcement[]): string[] {
    const earliest = (days: readonly string[]) => Math.min(...days.map((day) => Date.parse(`${day}T00:00:00Z`)));
    const since = earliest(announced.map((each) => each.since));
    const removal = earliest(announced.map((each) => each.removal));
    const pages = new Set(announced.map(({ page }) => page));
    const links = Array.from(pages, (page) => `<${this.#baseUrl}${page}>; rel="deprecation"; type="text/html"`);
    return [
      ...['deprecation', `@${since / 1000}`],
      ...['sunset', new Date(removal).toUTCString()],
      ...['link', links.join(', ')],
    ];
  }
}
