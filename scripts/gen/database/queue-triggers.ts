import { QUEUED_TABLES, type QueuedTable } from '../../../server/migrations/declarations/stats-queue.ts';
import { statementTrigger, type Write } from './statement-trigger.ts';

/** server/migrations/repeatable/stats-queue.sql: for each queued table one function and a trigger for each write. */
export function queueTriggers(): string {
  return [
    '-- Generated from server/migrations/declarations/stats-queue.ts by npm run gen.',
    ...QUEUED_TABLES.map(queueFunction),
  ].join('\n\n');
}

function queueFunction(queued: QueuedTable): string {
  const { table, about, update, deletes } = queued;
  const statements: readonly (readonly [Write, string])[] = [
    ['insert', queueRows(queued, 'new_rows', '')],
    ...(update ? [['update', queueChanged(queued, update)] as const] : []),
    ...(deletes ? [['delete', queueRows(queued, 'old_rows', '-')] as const] : []),
  ];
  const name = `stats_queue_${table}`;
  return `${comment(about)}
create or replace function ${name}() returns trigger language plpgsql as $$
begin
${branches(statements)}
  return null;
end $$;
${statements.map(([write]) => statementTrigger(`${table}_stats_${write}`, table, write, name)).join('\n')}`;
}

function branches(statements: readonly (readonly [Write, string])[]): string {
  const [only] = statements;
  if (only && statements.length === 1) return `  ${only[1]}`;
  const lines = statements.map(
    ([write, statement], i) => `  ${i === 0 ? 'if' : 'elsif'} tg_op = '${write.toUpperCase()}' then\n    ${statement}`,
  );
  return `${lines.join('\n')}\n  end if;`;
}

function queueRows({ id, when, countedOn }: QueuedTable, rows: string, sign: '' | '-'): string {
  const from = `from ${rows} t${when ? ` where ${when}` : ''}`;
  return countedOn
    ? `insert into stats_dirty_queue (id, day, likes)
    select t.${id}, ${countedOn}, ${sign}count(*) ${from} group by 1, 2;`
    : `insert into stats_dirty_queue (id) select distinct t.${id} ${from};`;
}

function queueChanged({ id }: QueuedTable, { key, differs }: NonNullable<QueuedTable['update']>): string {
  const keyOf = (row: string) => `(${key.map((column) => `${row}.${column}`).join(', ')})`;
  return `insert into stats_dirty_queue (id)
    select distinct n.${id} from new_rows n join old_rows o on ${keyOf('o')} = ${keyOf('n')}
    where ${differs.map((term) => `n.${term} <> o.${term}`).join(' or ')};`;
}

/** The text as a comment, in lines of at most 120 columns. */
function comment(text: string): string {
  return text.replaceAll(/(.{1,117})(?:\s+|$)/g, '-- $1\n').trimEnd();
}
