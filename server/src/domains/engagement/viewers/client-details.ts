import Bowser from 'bowser';
import { isbot } from 'isbot';
import { RecentMap } from './recent-map.ts';

/** Client details from the headers of a request. */
export interface ClientFacts {
  /** DESKTOP, MOBILE, TABLET, TV or OTHER. */
  readonly device: string;
  /** Such as `Windows` or `Android`; otherwise `Unknown`. */
  readonly os: string;
  /** Such as `Firefox`; otherwise `Unknown`. */
  readonly browser: string;
  /** Whether it identifies as a robot. */
  readonly bot: boolean;
}

export const DEVICES = ['DESKTOP', 'MOBILE', 'TABLET', 'TV', 'OTHER'] as const;
const UNKNOWN = 'Unknown';
const MAX_KEPT = 5_000;
/** Longer ones are ignored: real ones have some hundred characters. */
const MAX_LENGTH = 512;
const kept = new RecentMap<string, ClientFacts>(MAX_KEPT);

/** Parses a User-Agent header; results are cached. */
export function clientFactsOf(userAgent: string): ClientFacts {
  const text = userAgent.slice(0, MAX_LENGTH);
  let facts = kept.get(text);
  if (!facts) {
    facts = read(text);
    kept.set(text, facts);
  }
  return facts;
}

function read(userAgent: string): ClientFacts {
  if (userAgent === '') return { device: 'OTHER', os: UNKNOWN, browser: UNKNOWN, bot: false };
  const { browser, os, platform } = Bowser.parse(userAgent);
  const device = DEVICES.find((name) => name === platform.type?.toUpperCase()) ?? 'OTHER';
  return { device, os: label(os.name), browser: label(browser.name), bot: isbot(userAgent) };
}

/**
 * Names come from the library's tables, but unknown browsers are named by their header: only plain short names are
 * kept.
 */
function label(name: string | undefined): string {
  return name !== undefined && /^[\w .+-]{1,40}$/.test(name) ? name : UNKNOWN;
}
