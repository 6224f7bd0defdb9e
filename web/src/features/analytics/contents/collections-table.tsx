import { useInfiniteQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { CollectionMetric } from '../../../gql/generated/operations.gen.ts';
import { t } from '../../../lib/i18n.ts';
import { count, minutes } from '../../../lib/numbers.ts';
import { KEEP_PREVIOUS } from '../../../lib/query.ts';
import { Button } from '../../../ui/button.tsx';
import { ErrorNotice } from '../../../ui/notice.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { SaveList } from '../export/save-list.tsx';
import type { Period } from '../period/period.ts';

/** A series or a playlist with its sums. */
export interface Collection {
  readonly id: string;
  readonly title: string;
  readonly videosCount: number;
  readonly views: number;
  readonly watchMinutes: number;
}

export interface CollectionPage {
  readonly rows: readonly Collection[];
  readonly next: string | null;
}

interface Properties {
  /** Tells the lists apart. */
  readonly name: 'series' | 'playlists';
  readonly title: string;
  readonly hint: string;
  readonly empty: string;
  readonly channel: string;
  readonly period: Period;
  readonly load: (sort: CollectionMetric, after: string | null) => Promise<CollectionPage>;
  /** The title as a link to the analytics of the row. */
  readonly link: (row: Collection) => ReactNode;
}

const COLUMNS: readonly (readonly [CollectionMetric, string])[] = [
  ['VIEWS', t`Views`],
  ['WATCH_MINUTES', t`Watch time`],
];

/** Series or playlists with the sums of their videos, sortable. */
export function CollectionsTable({ name, title, hint, empty, channel, period, load, link }: Properties) {
  const [sort, setSort] = useState<CollectionMetric>('VIEWS');
  const query = useInfiniteQuery({
    queryKey: ['AnalyticsCollections', name, { channel, sort, ...period }],
    queryFn: ({ pageParam }: { pageParam: string | null }) => load(sort, pageParam),
    initialPageParam: null,
    getNextPageParam: ({ next }) => next,
    select: ({ pages }) => pages.flatMap(({ rows }) => rows),
    ...KEEP_PREVIOUS,
  });
  const rows = query.data ?? [];
  const save = async () =>
    rows.map((row) => [row.title, row.id, row.videosCount, row.views, row.watchMinutes] as const);
  return (
    <Panel title={title} hint={hint}>
      {query.error !== null && (
        <ErrorNotice
          error={query.error}
          action={<Button onClick={() => void query.refetch()}>{t`Try again`}</Button>}
        />
      )}
      {!query.data && query.error === null && <div className="skeleton h-64 rounded-xl" />}
      {query.data && rows.length === 0 && <p className="text-muted">{empty}</p>}
      {rows.length > 0 && (
        <>
          <SaveList
            name={title}
            columns={[t`Title`, t`Id`, t`Videos`, t`Views`, t`Watch time (minutes)`]}
            load={save}
          />
          <div className={`-mx-5 overflow-x-auto sm:-mx-6 ${query.isPlaceholderData ? 'opacity-60' : ''}`}>
            <table className="w-full text-[0.95rem]">
              <thead className="text-sm text-muted">
                <tr>
                  <th scope="col" className="py-2 ps-5 text-start font-medium sm:ps-6">{t`Title`}</th>
                  <th scope="col" className="py-2 ps-3 text-end font-medium max-sm:hidden">{t`Videos`}</th>
                  {COLUMNS.map(([metric, label]) => (
                    <SortHeader key={metric} isSorted={metric === sort} onSort={() => setSort(metric)}>
                      {label}
                    </SortHeader>
                  ))}
                </tr>
              </thead>
              <tbody>
                {rows.map((row) => (
                  <CollectionRow key={row.id} row={row} link={link} />
                ))}
              </tbody>
            </table>
          </div>
        </>
      )}
      {query.hasNextPage && (
        <p className="text-center">
          <Button busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>{t`Show more`}</Button>
        </p>
      )}
    </Panel>
  );
}

interface HeaderProperties {
  readonly isSorted: boolean;
  readonly onSort: () => void;
  readonly children: ReactNode;
}

function SortHeader({ isSorted, onSort, children }: HeaderProperties) {
  return (
    <th
      scope="col"
      aria-sort={isSorted ? 'descending' : 'none'}
      className="py-2 ps-3 text-end font-medium last:pe-5 sm:last:pe-6"
    >
      <button type="button" className="rounded-lg whitespace-nowrap hover:text-fore" onClick={onSort}>
        {children}
        <span aria-hidden="true" className={isSorted ? 'text-accent-text' : 'opacity-0'}>
          {' '}
          ↓
        </span>
      </button>
    </th>
  );
}

function CollectionRow({ row, link }: { row: Collection; link: Properties['link'] }) {
  return (
    <tr className="relative hover:bg-raised/50">
      <th scope="row" className="py-3 ps-5 text-start font-medium [overflow-wrap:anywhere] sm:ps-6">
        {link(row)}
      </th>
      <td className="py-3 ps-3 text-end text-muted tabular-nums max-sm:hidden">{count(row.videosCount)}</td>
      <td className="py-3 ps-3 text-end tabular-nums">{count(row.views)}</td>
      <td className="py-3 pe-5 ps-3 text-end whitespace-nowrap tabular-nums sm:pe-6">{minutes(row.watchMinutes)}</td>
    </tr>
  );
}
