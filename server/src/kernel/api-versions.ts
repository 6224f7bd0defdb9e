/** A dated version of the API: its contract is docs/versions/<name>.graphql, its policy docs/versions/README.md. */
export interface ApiVersion {
  /** The month of its publication: `2027-01`. */
  readonly name: string;
  /** Day of its publication, `YYYY-MM-DD`; null as long as its contract may change. */
  readonly publishedOn: string | null;
  /** Day since which it is not answered any more. */
  readonly retiredOn: string | null;
}

/** Every dated version, in order; at most the last one is not published. */
const API_VERSIONS: readonly ApiVersion[] = [{ name: '2026-10', publishedOn: '2026-11-30', retiredOn: null }];

/** What clients write for the version with everything that is not stable yet. */
export const PREVIEW = 'preview';
/** How long a version is answered after the publication of the next one. */
export const SUPPORT_MONTHS = 12;

/** Versions of the API: which are answered, which is current, until when. */
export class ApiVersions {
  readonly all: readonly ApiVersion[];
  /** Answers requests that name no version: the latest published one; the preview until there is any. */
  readonly current: string;
  /** The latest one, whether published or not: the preview shows what it will be. The preview if there is none. */
  readonly latest: string;
  /** Dated versions that are answered, the latest first. */
  readonly supported: readonly string[];

  constructor(all: readonly ApiVersion[]) {
    const published = all.filter(({ publishedOn }) => publishedOn !== null);
    this.all = all;
    this.latest = all.at(-1)?.name ?? PREVIEW;
    this.current = published.at(-1)?.name ?? PREVIEW;
    this.supported = published
      .filter(({ retiredOn }) => retiredOn === null)
      .map(({ name }) => name)
      .reverse();
  }

  /** Whether requests may name it. */
  isSupported(name: string): boolean {
    return name === PREVIEW || this.supported.includes(name);
  }

  /** Null if it never existed, or is still answered. */
  retiredOn(name: string): string | null {
    return this.all.find((version) => version.name === name)?.retiredOn ?? null;
  }

  /** Day until which a version is answered at least; null while no later one is published. */
  supportedUntil(name: string): string | null {
    const next = this.all.find((version) => version.name > name && version.publishedOn !== null);
    return next?.publishedOn ? monthsAfter(next.publishedOn, SUPPORT_MONTHS) : null;
  }
}

/** The versions of the platform. */
export const apiVersions = new ApiVersions(API_VERSIONS);

/** The first day of a version's month, `YYYY-MM-DD`. */
export function firstDayOf(version: string): string {
  return `${version}-01`;
}

/** The same day `months` later, or the last one of that month. */
export function monthsAfter(day: string, months: number): string {
  const date = new Date(`${day}T00:00:00Z`);
  const wanted = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + months + 1, 0);
  date.setUTCDate(Math.min(wanted, date.getUTCDate()));
  return date.toISOString().slice(0, 10);
}
