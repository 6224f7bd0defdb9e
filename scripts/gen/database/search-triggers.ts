import {
  SEARCHED_TABLES,
  type SearchedTable,
  TAG_TABLES,
  type TagTable,
} from '../../../server/migrations/declarations/search-documents.ts';
import { statementTrigger } from './statement-trigger.ts';

/**
 * server/migrations/repeatable/search-documents.sql: for each searched table the function that writes documents, and
 * triggers that call it.
 */
export function searchTriggers(): string {
  return [
    '-- Generated from server/migrations/declarations/search-documents.ts by npm run gen.',
    REMOVE,
    ...SEARCHED_TABLES.flatMap((searched) => [writeFunction(searched), changeTriggers(searched)]),
    ...[...new Set(TAG_TABLES.map(({ of }) => of))].map(tagTriggers),
  ].join('\n\n');
}

const REMOVE = `create or replace function search_documents_remove() returns trigger language plpgsql as $$
begin
  delete from search_documents where id in (select id from old_rows);
  return null;
end $$;`;

function writeFunction(searched: SearchedTable): string {
  const { table, ofChannel, when, also } = searched;
  const condition = ofChannel ? 't.listed' : when;
  const written = condition ? ` and ${condition}` : '';
  const lock = `  perform search_lock_channels(array(select distinct channel_id from ${table} where id = any(p_ids)),
    false);
`;
  const remove = `  delete from search_documents d where d.id = any(p_ids)
    and not exists (select 1 from ${table} t where t.id = d.id and ${condition});
`;
  const order = ofChannel ? ', always in the order of their ids. Waits while their channel is being renamed.' : '.';
  return `-- Writes the documents of these rows${order}
create or replace function search_write_${table}(p_ids uuid[]) returns void language plpgsql as $$
begin
${ofChannel ? lock : ''}${condition ? remove : ''}  insert into search_documents (
  id, kind, channel_id, title, summary, name, words,
  published_at, duration_ms, popularity)
  select ${documentColumns(searched)}
  from ${table} t${ofChannel ? ' join channels h on h.id = t.channel_id' : ''}
  where t.id = any(p_ids)${written} order by t.id
  on conflict (id) do update set kind = excluded.kind, channel_id = excluded.channel_id, title = excluded.title,
    summary = excluded.summary,
    name = excluded.name, words = excluded.words, published_at = excluded.published_at,
      duration_ms = excluded.duration_ms;
${also ? `  perform ${also}(p_ids);\n` : ''}  perform search_vocabulary_add(p_ids);
end $$;`;
}

function documentColumns({
  kind,
  channelId,
  title,
  words,
  tags,
  publishedAt,
  durationMs = 'null',
  popularity = '0',
}: SearchedTable): string {
  return [
    `t.id, ${kind}, ${channelId}, ${title}, t.summary, array_to_string(search_words(${title}), ' ')`,
    `search_vector(${words.join(', ')},\n      ${tags})`,
    `${publishedAt}, ${durationMs}, ${popularity}`,
  ].join(',\n    ');
}

function changeTriggers({ table, ofChannel, columns }: SearchedTable): string {
  const all = ofChannel ? ['listed', ...columns] : columns;
  const row = (alias: string) => `(${all.map((column) => `${alias}.${column}`).join(', ')})`;
  return `create or replace function ${table}_search() returns trigger language plpgsql as $$
declare ids uuid[];
begin
  if tg_op = 'INSERT' then
    select array_agg(id) into ids from new_rows${ofChannel ? ' where listed' : ''};
  else
    select array_agg(n.id) into ids from new_rows n join old_rows o on o.id = n.id
    where ${ofChannel ? '(n.listed or o.listed)\n      and ' : ''}${row('n')}
        is distinct from
          ${row('o')};
  end if;
  if ids is not null then perform search_write_${table}(ids); end if;
  return null;
end $$;
${statementTrigger(`${table}_search_insert`, table, 'insert', `${table}_search`)}
${statementTrigger(`${table}_search_update`, table, 'update', `${table}_search`)}
${statementTrigger(`${table}_search_delete`, table, 'delete', 'search_documents_remove')}`;
}

function tagTriggers(of: string): string {
  const tables = TAG_TABLES.filter((tagged) => tagged.of === of);
  const [{ key }] = tables as [TagTable];
  const listed = SEARCHED_TABLES.some(({ table, ofChannel }) => table === of && ofChannel);
  const ids = listed ? `array(select id from ${of} where id = any(ids) and listed)` : 'ids';
  return `-- The lock serializes two changes of one row, so that each writes what both assigned.
create or replace function ${of}_tags_search() returns trigger language plpgsql as $$
declare ids uuid[];
begin
  if tg_op = 'INSERT' then
    select array_agg(distinct ${key}) into ids from new_rows;
  else
    select array_agg(distinct ${key}) into ids from old_rows;
  end if;
  if ids is null then return null; end if;
  perform 1 from ${of} where id = any(ids) order by id for no key update;
  perform search_write_${of}(${ids});
  return null;
end $$;
${tables
  .flatMap(({ table }) => [
    statementTrigger(`${table}_search_insert`, table, 'insert', `${of}_tags_search`),
    statementTrigger(`${table}_search_delete`, table, 'delete', `${of}_tags_search`),
  ])
  .join('\n')}`;
}
