import type { CommandScope, CommandTarget } from '../../../gql/index.ts';
import { isVisibleExport } from './data-exports.sql.ts';

/** Input of cancelDataExport. */
export interface ExportTarget {
  readonly id: string;
}

/** The export that is cancelled, locked, as the viewer sees it. */
export const EXPORT_TARGET: CommandTarget<ExportTarget> = {
  field: 'id',
  from: (s) => `join data_exports e on e.id = ${s.value(({ id }) => id, 'uuid')} for update of e`,
  columns: (s) => ({
    id: 'e.id',
    status: 'e.status',
    own: isVisibleExport('e', `${s.viewer}.account_id`, (read, cast) => s.value((_, env) => read(env), cast)),
  }),
};

/** What was stored of it is deleted, a day later once more: its worker may be storing a part. */
export function cancelExportWrites(s: CommandScope<ExportTarget>) {
  return {
    cancelled: `
    update data_exports e set status = 'CANCELLED', finished_at = ${s.now}
    from permitted t where e.id = t.id and t.status in ('QUEUED', 'RUNNING')
    returning e.*`,
    parts: 'delete from data_export_parts p using cancelled where p.export_id = cancelled.id',
    purged: `
    insert into object_purges (key_prefix, due_at)
    select 'exports/' || id || '/', ${s.now} + after.days * interval '1 day' from cancelled,
      (values (0), (1)) after (days)`,
  };
}
