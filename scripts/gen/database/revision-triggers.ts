import { EDITED_TABLES, type EditedTable } from '../../../server/migrations/declarations/revisions.ts';

/** server/migrations/repeatable/revisions.sql: for each edited table one function and one trigger. */
export function revisionTriggers(): string {
  return [
    '-- Generated from server/migrations/declarations/revisions.ts by npm run gen.',
    ...EDITED_TABLES.map(revisionFunction),
  ].join('\n\n');
}

/** What the trigger of a table does; null for other tables and functions. */
export function revisionEffect(table: string, name: string): string | null {
  const edited = EDITED_TABLES.find((each) => each.table === table && name === `${table}_revise`);
  return edited
    ? `The next revision of ${edited.what}, if what people edit changes; an update without a difference is skipped.`
    : null;
}

function revisionFunction({ table, edited, generated = [] }: EditedTable): string {
  const row = (name: string) => wrapped(edited.map((column) => `${name}.${column}`));
  // PostgreSQL computes the generated ones after the trigger.
  const kept = ['updated_at', ...generated].map((column) => `  same.${column} := old.${column};`);
  return `create or replace function ${table}_revise() returns trigger language plpgsql as $$
declare same ${table} := new;
begin
  if (${row('new')})
    is distinct from (${row('old')}) then
    new.revision := old.revision + 1;
    return new;
  end if;
${kept.join('\n')}
  -- Without a difference, the update is skipped: the statement returns no row of it.
  if same *= old then return null; end if;
  return new;
end $$;
create or replace trigger ${table}_revise before update of
    ${wrapped([...edited.map((column) => column.replace('::text', '')), 'revision', 'updated_at'])} on ${table}
  for each row execute function ${table}_revise();`;
}

/** A list in lines of at most 120 columns. */
function wrapped(columns: readonly string[]): string {
  return columns
    .join(', ')
    .replaceAll(/(.{1,80})(?: |$)/g, '$1\n    ')
    .trimEnd();
}
