/** SQL: whether a content has a picture in lists that is not a frame of this video, such as one that somebody chose. */
export const hasChosenPicture = (content: string, video: string): string =>
  `exists (select from image_assets m where m.content_id = ${content} and (m.purpose = 'THUMBNAIL'
    or (m.purpose = 'POSTER' and m.video_asset_id is distinct from ${video})))`;
