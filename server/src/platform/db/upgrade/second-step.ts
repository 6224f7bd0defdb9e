const SECOND_STEP = /^Step 2 of 2: unused since (\d+\.\d+\.\d+)\b/;

/** The releases from which on nothing uses what the statement below these comments takes away (ADR 0175). */
export function unusedSince(comments: readonly string[]): string[] {
  return comments.flatMap((comment) => SECOND_STEP.exec(comment)?.[1] ?? []);
}
