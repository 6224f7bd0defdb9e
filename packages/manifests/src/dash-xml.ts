/** Elements of DASH manifests as lines of text. Pure. */

export type Lines = readonly string[];

export type Attributes = Readonly<Record<string, string | number | null>>;

/** Before the root element. */
export const XML_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n';

/** Lines of an element; attributes that are null are omitted. */
export function element(name: string, attributes: Attributes, children: readonly Lines[] = []): Lines {
  const present = Object.entries(attributes).filter(([, value]) => value !== null);
  const head = [name, ...present.map(([key, value]) => `${key}="${escaped(`${value}`)}"`)].join(' ');
  if (children.length === 0) return [`<${head}/>`];
  return [`<${head}>`, ...children.flat().map((line) => `  ${line}`), `</${name}>`];
}

/** Text for XML 1.0, which forbids control characters even as references. */
export function escaped(text: string): string {
  return text
    .toWellFormed()
    .replace(/[^\P{Cc}\t\n\r]|[\uFFFE\uFFFF]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/** A duration of XML Schema, rounded up to the microsecond. */
export function spelled(seconds: number): string {
  return `PT${Math.ceil(Math.round(seconds * 1e9) / 1e3) / 1e6}S`;
}
