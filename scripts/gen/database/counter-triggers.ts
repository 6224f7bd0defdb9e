import {
  COUNTED_COLUMNS,
  COUNTED_TABLES,
  type CountedColumn,
  type CountedTable,
  countedRows,
} from '../../../server/migrations/declarations/counters.ts';
import { statementTrigger, type Write } from './statement-trigger.ts';

/**
 * server/migrations/repeatable/counters.sql: for each counted table one function and a trigger for each kind of write.
 */
export function counterTriggers(): string {
  return [
    '-- Generated from server/migrations/declarations/counters.ts by npm run gen.',
    ...COUNTED_TABLES.map(tableCounters),
    ...COUNTED_COLUMNS.map(columnCounter),
  ].join('\n\n');
}

function tableCounters(counted: CountedTable): string {
  const { table, updates } = counted;
  const branches = [
    `  if tg_op = 'INSERT' then\n${addAll(counts(counted, 'new_rows', '+'))}`,
    ...(updates ? [`  elsif tg_op = 'UPDATE' then\n${addAll(changes(counted))}`] : []),
    `  else\n${addAll(counts(counted, 'old_rows', '-'), ownersExist(counted))}${deleteOwned(table)}`,
  ];
  return `create or replace function ${table}_count() returns trigger language plpgsql as $$
declare r record;
begin
${branches.join('\n')}
  end if;
  return null;
end $$;
${triggers(table, updates === true ? ['insert', 'update', 'delete'] : ['insert', 'delete'])}${
  Array.isArray(updates) ? rowTrigger(table, updates) : ''
}`;
}

function counts(counted: CountedTable, rows: string, sign: '+' | '-'): string {
  return `      select d.scope, d.key, ${sign === '-' ? '-' : ''}d.n from ${countedRows(counted, rows)}`;
}

function changes(counted: CountedTable): string {
  const [after, before] =
    counted.updates === true ? ['new_rows', 'old_rows'] : ['(select (new).*)', '(select (old).*)'];
  return `${counts(counted, after, '+')}\n      union all\n${counts(counted, before, '-')}`;
}

function rowTrigger(table: string, columns: readonly string[]): string {
  const changed = columns.map((column) => `old.${column} is distinct from new.${column}`).join(' or ');
  return `\ncreate or replace trigger ${table}_count_update after update of ${columns.join(', ')} on ${table}
  for each row when (${changed}) execute function ${table}_count();`;
}

/** Always in the order of scope and key, so that writers cannot deadlock. */
function addAll(rows: string, condition = ''): string {
  return `    for r in select c.scope, c.key, sum(c.n)::bigint as n from (
${rows}) c (scope, key, n)
      where c.key is not null${condition}
      group by 1, 2 having sum(c.n) <> 0 order by 1, 2 loop
      perform counter_add(r.scope, r.key, r.n);
    end loop;`;
}

/** Rows that are deleted together with the owner of their counter do not count: the counter is deleted. */
function ownersExist({ counters }: CountedTable): string {
  const owners = [...new Set(counters.flatMap(({ owner }) => owner ?? []))];
  return owners
    .map((owner) => {
      const owned = counters.filter((counter) => counter.owner === owner).map(({ scope }) => `'${scope}'`);
      const exists = `exists (select 1 from ${owner} o where o.id = c.key)`;
      return owned.length === counters.length
        ? `\n        and ${exists}`
        : `\n        and (c.scope not in (${owned.join(', ')}) or ${exists})`;
    })
    .join('');
}

function deleteOwned(table: string): string {
  const owned = COUNTED_TABLES.flatMap(({ counters }) =>
    counters.filter(({ owner }) => owner === table).map(({ scope }) => `'${scope}'`),
  );
  if (owned.length === 0) return '';
  return `\n    delete from counters where scope in (${owned.join(', ')}) and key in (select id from old_rows);`;
}

function columnCounter({ table, key, countedIn, column }: CountedColumn): string {
  const branch = (
    rows: string,
    sign: string,
  ) => `    for r in select ${key}, count(*) as n from ${rows} group by 1 order by 1 loop
      update ${countedIn} set ${column} = ${column} ${sign} r.n where id = r.${key};
    end loop;`;
  return `create or replace function ${table}_count() returns trigger language plpgsql as $$
declare r record;
begin
  if tg_op = 'INSERT' then
${branch('new_rows', '+')}
  else
${branch('old_rows', '-')}
  end if;
  return null;
end $$;
${triggers(table, ['insert', 'delete'])}`;
}

function triggers(table: string, writes: readonly Write[]): string {
  return writes.map((write) => statementTrigger(`${table}_count_${write}`, table, write, `${table}_count`)).join('\n');
}
