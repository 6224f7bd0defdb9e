import type { CommandScope, CommandTarget } from '../../../gql/index.ts';
import { type ContentTarget, isVisibleContent } from '../../catalog/index.ts';
import { isInWatchLater, MAX_WATCH_LATER } from './watch-later.sql.ts';

/** The content, and the list of the requesting account. The row of the content is not locked. */
export const WATCH_LATER_TARGET: CommandTarget<ContentTarget> = {
  field: 'id',
  from: (s) =>
    `join contents c on c.id = ${s.value(({ id }) => id, 'uuid')} and c.kind ` +
    `= ${s.value(({ kind }) => kind, 'text')} and c.deleted_at is null`,
  columns: (s) => ({
    id: 'c.id',
    account_id: `${s.viewer}.account_id`,
    visible: isVisibleContent('c', s),
    room:
      `(${isInWatchLater('c.id', s)} or (select count(*) < ${MAX_WATCH_LATER} from (select 1 from watch_later w ` +
      `where w.account_id = ${s.viewer}.account_id limit ${MAX_WATCH_LATER}) entries))`,
  }),
};

/** Adds the content; one that is there keeps its place. */
export function addToWatchLaterWrites(s: CommandScope<ContentTarget>): Record<string, string> {
  return {
    changed: `
    insert into watch_later (content_id, account_id, created_at) select t.id, t.account_id, ${s.now} from permitted t
    on conflict do nothing returning content_id`,
  };
}

/** Removes the content, whether or not the account may still see it. */
export function removeFromWatchLaterWrites(s: CommandScope<ContentTarget>): Record<string, string> {
  return {
    removed: `delete from watch_later w using permitted t
              where w.account_id = t.account_id and w.content_id = ${s.value(({ id }) => id, 'uuid')}
                returning w.content_id`,
  };
}
