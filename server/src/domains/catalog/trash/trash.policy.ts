/**
 * The trash: what is deleted stays for 30 days with its media, hidden from everyone, and can come back. A container takes its children
 * along and `trashed_with` remembers which: a child that had been deleted before stays in the trash when its container comes back.
 */
export const TRASH_DAYS = 30;

/** SQL: when the trashed content of this row is deleted for good. */
export function purgeAt(row: string): string {
  return `${row}.deleted_at + interval '${TRASH_DAYS} days'`;
}
