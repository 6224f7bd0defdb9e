import { t } from '../../lib/i18n.ts';

/** Names that a user agent contains, and what people call them: the first match counts. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];

/** `Firefox on Windows` for a user agent; null when neither is known. */
export function deviceName(userAgent: string | null): string | null {
  const named = (table: typeof BROWSERS) => table.find(([pattern]) => pattern.test(userAgent ?? ''))?.[1];
  const [browser, system] = [named(BROWSERS), named(SYSTEMS)];
  return browser && system ? t`${browser} on ${system}` : (browser ?? system ?? null);
}

/**
 * A client's address as people read it. Of IPv6 the network of a household is stored, with all digits: `2001:db8::/64`.
 */
export function addressName(address: string | null): string | null {
  if (!address?.includes(':')) return address || null;
  const short = URL.parse(`http://[${address}]`)?.hostname.slice(1, -1) ?? address;
  if (short === '::' || short === '::1') return t`this machine`;
  return short.endsWith('::') ? `${short}/64` : short;
}
