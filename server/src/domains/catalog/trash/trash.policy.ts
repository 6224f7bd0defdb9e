import { isTestChannel } from '../../channels/index.ts';

/**
 * The trash: deleted contents are kept for 30 days with their media, hidden from everyone, and can be restored. A
 * container takes its children along and `trashed_with` records which: a child deleted before its container stays in
 * the trash when the container is restored.
 */
export const TRASH_DAYS = 30;

/** How long contents and playlists of test channels are kept. */
export const TEST_DATA_HOURS = 24;

/** SQL: when the trashed content of this row is permanently deleted. */
export function purgeAt(row: string): string {
  return `${row}.deleted_at + interval '${TRASH_DAYS} days'`;
}

/** SQL: when the content of this row is permanently deleted, in the trash or in a test channel; null in neither. */
export function deletionAt(row: string): string {
  const testDataEnd = `${row}.created_at + interval '${TEST_DATA_HOURS} hours'`;
  return `least(${purgeAt(row)}, case when ${isTestChannel(`${row}.channel_id`)} then ${testDataEnd} end)`;
}
