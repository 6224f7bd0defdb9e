import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { StudioContentFragment } from '../../../gql/generated/operations.gen.ts';
import { useRowFocus } from '../../../lib/hooks/use-row-focus.ts';
import type { Selection } from '../../../lib/hooks/use-selection.ts';
import { t } from '../../../lib/i18n.ts';
import { Icon } from '../../../ui/icons.tsx';
import { ASCENDING, COLUMN_NAMES, COLUMN_SORTS, type Column } from './columns.ts';
import type { ListSearch } from './list-search.ts';

interface Properties {
  readonly contents: readonly StudioContentFragment[];
  readonly columns: readonly Column[];
  readonly search: ListSearch;
  /** Null for those who may not edit. */
  readonly selection: Selection | null;
  readonly children: ReactNode;
}

const NUMBERS: ReadonlySet<string> = new Set(['views', 'comments', 'likes']);

/** Class names of a cell with a number. */
export const numberCell = (column: string): string => (NUMBERS.has(column) ? 'xl:text-end tabular-nums' : '');

/** The videos as a table, which is a list on narrow pages. */
export function ContentTable({ contents, columns, search, selection, children }: Properties) {
  const rows = useRowFocus<HTMLTableSectionElement>();
  const ids = contents.map(({ id }) => id);
  const selected = ids.filter((id) => selection?.ids.has(id)).length;
  return (
    <table aria-label={t`Videos`} className="w-full border-collapse max-xl:block">
      <thead className="max-xl:block">
        <tr className="border-b border-line text-sm text-muted max-xl:flex">
          {selection && (
            <th scope="col" className="w-10 py-2 ps-2 text-start">
              <input
                type="checkbox"
                aria-label={t`Select all`}
                checked={selected > 0 && selected === ids.length}
                ref={(box) => {
                  if (box) box.indeterminate = selected > 0 && selected < ids.length;
                }}
                onChange={(event) => selection.set(ids, event.currentTarget.checked)}
                className="size-4.5 align-middle accent-accent"
              />
            </th>
          )}
          {(['title', ...columns] as const).map((column) => (
            <Heading key={column} column={column} search={search} />
          ))}
          <th scope="col" className="max-xl:sr-only">
            <span className="sr-only">{t`Actions`}</span>
          </th>
        </tr>
      </thead>
      <tbody {...rows} className="max-xl:block">
        {children}
      </tbody>
    </table>
  );
}

/** A column heading, which sorts where that is possible. */
function Heading({ column, search }: { column: Column | 'title'; search: ListSearch }) {
  const sorts = COLUMN_SORTS[column];
  const name = COLUMN_NAMES[column];
  const current = search.sort ?? 'NEWEST';
  const isCurrent = sorts?.includes(current) ?? false;
  const order = isCurrent ? (ASCENDING.has(current) ? 'ascending' : 'descending') : undefined;
  return (
    <th
      scope="col"
      aria-sort={order}
      className={`px-2 py-2 font-medium whitespace-nowrap max-xl:sr-only ${numberCell(column) || 'text-start'}`}
    >
      {sorts ? (
        <Link
          to="/studio/videos"
          search={{ ...search, sort: current === sorts[0] ? sorts[1] : sorts[0] }}
          replace
          className="inline-flex items-center gap-1 hover:text-fore"
        >
          {name}
          {isCurrent && <Icon name={order === 'ascending' ? 'up' : 'down'} className="size-3.5" />}
        </Link>
      ) : (
        name
      )}
    </th>
  );
}
