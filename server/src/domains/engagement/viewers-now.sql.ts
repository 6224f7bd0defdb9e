import type { RowScope } from '../../gql/index.ts';

/** Players report every ten seconds, and reports are counted within two. */
const SILENT_SECONDS = 25;

/** SQL: how many playbacks of the stream of a broadcast have reported lately; null once it has ended. */
export function viewersNow(broadcast: string, s: Pick<RowScope, 'param'>): string {
  const now = s.param((env) => env.nowIso, 'timestamptz');
  return (
    `case when ${broadcast}.state in ('LIVE', 'RECONNECTING') then (select count(*)::integer from watch_sessions w ` +
    `where w.content_id = ${broadcast}.content_id and w.started ` +
    `and w.last_at > ${now} - interval '${SILENT_SECONDS} seconds') end`
  );
}
