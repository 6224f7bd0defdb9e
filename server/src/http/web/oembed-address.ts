export const OEMBED_PATH = '/oembed';

/** Where the oEmbed response of a page is (oembed.com, section 4: discovery). */
export function oembedAddress(baseUrl: string, path: string): string {
  return `${baseUrl}${OEMBED_PATH}?${new URLSearchParams({ url: baseUrl + path, format: 'json' })}`;
}
