/** SQL: bytes of the file of a video, 0 once it was deleted, and of the original of a trimmed one. */
export function originalBytesOf(video: string): string {
  return (
    `${video}.original_bytes + case when ${video}.original_deleted_at is null ` + `then ${video}.size_bytes else 0 end`
  );
}

/** SQL: bytes of a video with all files derived from it; an index is on the same expression. */
export function bytesOf(video: string): string {
  return `(${originalBytesOf(video)} + ${video}.derived_bytes)`;
}

/** SQL: the title of the content of a video. */
export function titleOfVideo(video: string): string {
  return `(select o.title from contents o where o.id = ${video}.content_id)`;
}
