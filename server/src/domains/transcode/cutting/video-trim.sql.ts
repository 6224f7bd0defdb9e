/** SQL: whether a video consists of parts of an original. */
export const isTrimmedVideo = (video: string): string => `${video}.original_key is not null`;

/** SQL: the parts of the original that a trimmed video consists of. */
export const keptRangesOf = (video: string): string => `${video}.kept_ranges`;
