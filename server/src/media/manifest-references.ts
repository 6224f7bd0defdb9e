/** What a manifest refers to. */
export interface ManifestReferences {
  /** Addresses as written, each once: playlists, initialization segments, segments, captions. */
  readonly uris: readonly string[];
  /** Whether the end of the manifest is there. */
  readonly isWhole: boolean;
}

/** Addresses in a finished HLS playlist (RFC 8216) of either kind. Pure. */
export function playlistReferences(text: string): ManifestReferences {
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  const uris = new Set<string>();
  for (const line of lines) {
    const uri = line.startsWith('#') ? /^#EXT-X-[A-Z-]+:.*\bURI="([^"]*)"/.exec(line)?.[1] : line;
    if (uri) uris.add(uri);
  }
  // A media playlist ends with a tag (section 4.3.3.4), a master playlist with the address of a variant.
  const isMedia = lines.some((line) => line.startsWith('#EXTINF:'));
  const isMaster = lines.some((line) => line.startsWith('#EXT-X-STREAM-INF:'));
  const last = lines.findLast((line) => line !== '') ?? '';
  const ended = isMedia ? last === '#EXT-X-ENDLIST' : isMaster && !last.startsWith('#');
  return { uris: [...uris], isWhole: lines[0] === '#EXTM3U' && ended };
}

const TEMPLATE = /<SegmentTemplate ([^>]*)>([\s\S]*?)<\/SegmentTemplate>/g;

/**
 * Addresses in a static DASH manifest whose segments are numbered and listed by a SegmentTimeline (ISO/IEC 23009-1
 * section 5.3.9.6). Pure.
 */
export function dashReferences(text: string): ManifestReferences {
  const uris = new Set<string>();
  for (const [, attributes = '', timeline = ''] of text.matchAll(TEMPLATE)) {
    const attribute = (name: string) => unescaped(new RegExp(`\\b${name}="([^"]*)"`).exec(attributes)?.[1] ?? '');
    uris.add(attribute('initialization'));
    let number = Number(attribute('startNumber') || 1);
    for (const [, repeats] of timeline.matchAll(/<S [^>]*?(?:\br="(\d+)"[^>]*)?\/>/g))
      for (let left = Number(repeats ?? 0); left >= 0; left -= 1, number += 1)
        uris.add(numbered(attribute('media'), number));
  }
  for (const [, uri = ''] of text.matchAll(/<BaseURL>([^<]*)<\/BaseURL>/g)) uris.add(unescaped(uri));
  uris.delete('');
  return { uris: [...uris], isWhole: text.trimEnd().endsWith('</MPD>') };
}

/** `$Number$`, or `$Number%05d$` with leading zeros (section 5.3.9.4.4). */
function numbered(template: string, number: number): string {
  return template.replace(/\$Number(?:%0(\d)d)?\$/, (_, width = '1') => String(number).padStart(Number(width), '0'));
}

function unescaped(text: string): string {
  const characters: Record<string, string> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };
  return text.replace(/&(lt|gt|quot|apos|amp);/g, (_, name) => characters[name] ?? '');
}
