/**
 * The trash: deleted contents are kept for 30 days with their media, hidden from everyone, and can be restored. A
 * container takes its children along and `trashed_with` records which: a child deleted before its container stays in
 * the trash when the container is restored.
 */
export const TRASH_DAYS = 30;

/** SQL: when the trashed content of this row is permanently deleted. */
export function purgeAt(row: string): string {
  return `${row}.deleted_at + interval '${TRASH_DAYS} days'`;
}
