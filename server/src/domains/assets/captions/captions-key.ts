/** Key, below `media/`, of captions in a format; a new version has a new address. */
export function captionsKey(
  contentId: string,
  videoAssetId: string,
  id: string,
  version: number,
  format: 'vtt' | 'srt',
): string {
  return `media/${contentId}/${videoAssetId}/captions/${id}/${version}.${format}`;
}
