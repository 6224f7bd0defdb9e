import type { ContentTexts } from '../../catalog/index.ts';
import { MAX_KEYWORD_LENGTH, MAX_KEYWORDS, MAX_SUMMARY, MAX_TITLE } from '../../channels/index.ts';
import type { SiteVideo } from '../site/external-site.ts';

/**
 * The texts of a video within the limits of our contents: invalid parts are truncated or removed, because they were
 * written for another site. An empty title becomes the identifier of the video.
 */
export function importedTexts({
  id,
  title,
  description,
  tags,
}: Pick<SiteVideo, 'id' | 'title' | 'description' | 'tags'>): ContentTexts {
  const keywords = new Map<string, string>();
  for (const tag of tags) {
    const word = cut(oneLine(tag), MAX_KEYWORD_LENGTH);
    if (isVisible(word) && keywords.size < MAX_KEYWORDS && !keywords.has(word.toLowerCase()))
      keywords.set(word.toLowerCase(), word);
  }
  const line = cut(oneLine(title), MAX_TITLE);
  return {
    title: isVisible(line) ? line : id,
    summary: cut(lines(description), MAX_SUMMARY),
    keywords: [...keywords.values()],
  };
}

function oneLine(text: string): string {
  return clean(text.replace(/\s+/g, ' ').replace(/\p{Cc}/gu, ''));
}

function lines(text: string): string {
  return clean(text.replaceAll('\r\n', '\n').replace(/[^\P{Cc}\n\t]/gu, ''));
}

function clean(text: string): string {
  return text.toWellFormed().normalize('NFC').trim();
}

/** Whether any character is visible. */
function isVisible(text: string): boolean {
  return /[^\p{White_Space}\p{Default_Ignorable_Code_Point}]/u.test(text);
}

/** At most `most` characters, ending with an ellipsis if truncated. */
function cut(text: string, most: number): string {
  const characters = [...text];
  return characters.length <= most
    ? text
    : `${characters
        .slice(0, most - 1)
        .join('')
        .trimEnd()}…`;
}
