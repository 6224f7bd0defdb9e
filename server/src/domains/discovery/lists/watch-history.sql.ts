import { countRows, type RowScope } from '../../../gql/index.ts';
import { tokenAllows } from '../../channels/index.ts';

/** SQL: entries of the viewer's history; for a token that is limited to channels, those of contents in these. */
export function isWatched(entry: string, s: RowScope): string {
  const own = `${entry}.account_id = ${s.viewer}.account_id`;
  const limits = tokenAllows(s, null, 'wc');
  if (limits === '') return own;
  return `${own} and exists (select 1 from contents wc where wc.id = ${entry}.content_id${limits})`;
}

/** SQL: how many these are. */
export function watchedCount(s: RowScope): string {
  if (s.credential === 'token') return countRows('watch_positions', (row) => isWatched(row, s));
  return `counter_value('account:history', ${s.viewer}.account_id)`;
}
