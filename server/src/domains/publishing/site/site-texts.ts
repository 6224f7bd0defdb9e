/** The texts of a video for the external site. */
export interface SiteTexts {
  readonly title: string;
  readonly description: string;
  readonly tags: readonly string[];
}

const MAX_TITLE_CHARACTERS = 100;
const MAX_DESCRIPTION_BYTES = 5_000;
const MAX_TAGS_CHARACTERS = 500;

/**
 * The texts of a content within the limits of the site ("Videos: snippet" in the reference of the YouTube Data API): no
 * angle brackets, a title of at most 100 characters, a description of at most 5,000 bytes, tags of 500 characters
 * together, where a tag with a space counts with quotation marks.
 */
export function siteTexts(content: {
  readonly title: string;
  readonly summary: string;
  readonly keywords: readonly string[];
}): SiteTexts {
  return {
    title: shortened(plain(content.title).trim(), MAX_TITLE_CHARACTERS, (text) => text.length) || 'Video',
    description: shortened(plain(content.summary), MAX_DESCRIPTION_BYTES, (text) => Buffer.byteLength(text)),
    tags: fittingTags(content.keywords),
  };
}

/** Replaces angle brackets, which are refused, with similar characters. */
function plain(text: string): string {
  return text.replaceAll('<', '‹').replaceAll('>', '›').toWellFormed();
}

/** As many whole characters as the limit allows, ending with an ellipsis if truncated. */
function shortened(text: string, max: number, measure: (text: string) => number): string {
  if (measure(text) <= max) return text;
  let kept = '';
  let left = max - measure('…');
  for (const { segment } of new Intl.Segmenter('und').segment(text)) {
    left -= measure(segment);
    if (left < 0) break;
    kept += segment;
  }
  return `${kept.trimEnd()}…`;
}

function fittingTags(keywords: readonly string[]): string[] {
  const tags: string[] = [];
  let used = 0;
  for (const keyword of keywords) {
    const tag = plain(keyword).replaceAll(/[,"]/g, ' ').replaceAll(/\s+/g, ' ').trim();
    const length = tag.length + (tag.includes(' ') ? 2 : 0) + (tags.length > 0 ? 1 : 0);
    if (tag === '' || used + length > MAX_TAGS_CHARACTERS) continue;
    used += length;
    tags.push(tag);
  }
  return tags;
}
