/** SQL: bytes of the uploaded file of a video; 0 once it was deleted. */
export function originalBytesOf(video: string): string {
  return `case when ${video}.original_deleted_at is null then ${video}.size_bytes else 0 end`;
}

/** SQL: bytes of a video with all files derived from it; an index is on the same expression. */
export function bytesOf(video: string): string {
  return `(${originalBytesOf(video)} + ${video}.derived_bytes)`;
}

/** SQL: the title of the content of a video. */
export function titleOfVideo(video: string): string {
  return `(select o.title from contents o where o.id = ${video}.content_id)`;
}
