import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import {
  AnalyticsVideos,
  type AnalyticsVideosResult,
  type VideoMetric,
  type VideoMetricsPageFragment,
} from '../../../gql/generated/operations.gen.ts';
import { api } from '../../../lib/api.ts';
import { contentTail } from '../../../lib/did.ts';
import { t } from '../../../lib/i18n.ts';
import { count, minutes, percent } from '../../../lib/numbers.ts';
import { KEEP_PREVIOUS } from '../../../lib/query.ts';
import { Button } from '../../../ui/button.tsx';
import { pickImage, ResponsiveImage } from '../../../ui/image.tsx';
import { ErrorNotice } from '../../../ui/notice.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { type CsvRow, SaveList } from '../export/save-list.tsx';
import type { Period } from '../period/period.ts';

interface Properties {
  readonly channel: string;
  readonly period: Period;
}

const PAGE = 10;
/** Rows of a page of an exported list, and of the whole list. */
const [EXPORTED_AT_ONCE, MOST_EXPORTED] = [100, 500];
const CSV_COLUMNS = [
  ...[t`Video`, t`Id`, t`Views`, t`Watch time (minutes)`, t`Viewers`, t`Impressions`, t`Clicks`, t`Click-through rate`],
];

type Row = VideoMetricsPageFragment['edges'][number]['node'];

const COLUMNS: readonly (readonly [metric: VideoMetric, label: string, toSort: string])[] = [
  ['VIEWS', t`Views`, t`Sort by views`],
  ['WATCH_MINUTES', t`Watch time`, t`Sort by watch time`],
  ['UNIQUE_VIEWERS', t`Viewers`, t`Sort by viewers`],
  ['IMPRESSIONS', t`Impressions`, t`Sort by impressions`],
  ['CLICKS', t`Clicks`, t`Sort by clicks`],
];

/** The videos of a channel with their metrics, sortable by each. */
export function VideosTable({ channel, period }: Properties) {
  const [sort, setSort] = useState<VideoMetric>('VIEWS');
  const query = useInfiniteQuery({
    queryKey: ['AnalyticsVideos', { channel, sort, ...period }],
    queryFn: async ({ pageParam: after }: { pageParam: string | null }) => {
      const { channel: found } = await api(AnalyticsVideos, { channel, sort, after, first: PAGE, ...period });
      if (!found?.analytics) throw new Error('Only members of this channel can view its analytics.');
      return found.analytics.videos;
    },
    initialPageParam: null,
    getNextPageParam: ({ pageInfo }) => (pageInfo.hasNextPage ? pageInfo.endCursor : null),
    select: ({ pages }) => pages.flatMap(({ edges }) => edges).map(({ node }) => node),
    ...KEEP_PREVIOUS,
  });
  return (
    <Panel title={t`Videos`}>
      <SaveList name={t`Videos`} columns={CSV_COLUMNS} load={() => csvRows(channel, sort, period)} />
      {query.error !== null && (
        <ErrorNotice
          error={query.error}
          action={<Button onClick={() => void query.refetch()}>{t`Try again`}</Button>}
        />
      )}
      {query.data ? (
        <Rows rows={query.data} fresh={!query.isPlaceholderData} sort={sort} onSort={setSort} />
      ) : (
        query.error === null && <div className="skeleton h-64 rounded-xl" />
      )}
      {query.hasNextPage && (
        <p className="text-center">
          <Button busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>{t`Show more`}</Button>
        </p>
      )}
    </Panel>
  );
}

/** The first rows of the whole list, in its order. */
async function csvRows(channel: string, sort: VideoMetric, period: Period): Promise<CsvRow[]> {
  const rows: CsvRow[] = [];
  let after: string | null = null;
  while (rows.length < MOST_EXPORTED) {
    const result: AnalyticsVideosResult = await api(AnalyticsVideos, {
      ...{ channel, sort, after, first: EXPORTED_AT_ONCE },
      ...period,
    });
    const page = result.channel?.analytics?.videos;
    for (const { node } of page?.edges ?? []) rows.push(csvRow(node));
    if (!page?.pageInfo.hasNextPage) break;
    after = page.pageInfo.endCursor;
  }
  return rows;
}

function csvRow({ id, content, ...row }: Row): CsvRow {
  const { views, watchMinutes, uniqueViewers, impressions, clicks, clickThroughRate } = row;
  return [content.metadata.title, id, views, watchMinutes, uniqueViewers, impressions, clicks, clickThroughRate ?? ''];
}

interface RowsProperties {
  readonly rows: readonly Row[];
  readonly fresh: boolean;
  readonly sort: VideoMetric;
  readonly onSort: (sort: VideoMetric) => void;
}

function Rows({ rows, fresh, sort, onSort }: RowsProperties) {
  if (rows.length === 0) return <p className="text-muted">{t`The channel has no videos yet.`}</p>;
  return (
    <>
      <div className={`-mx-5 overflow-x-auto sm:-mx-6 ${fresh ? '' : 'opacity-60'}`}>
        <table className="w-full text-[0.95rem]">
          <thead className="text-sm text-muted">
            <tr className="border-b border-line">
              <th scope="col" className="py-2 ps-5 text-start font-medium sm:ps-6">{t`Video`}</th>
              {COLUMNS.map(([metric, label]) => (
                <th
                  key={metric}
                  scope="col"
                  aria-sort={metric === sort ? 'descending' : 'none'}
                  className={
                    'py-2 ps-3 text-end font-medium last:pe-5 sm:last:pe-6 ' +
                    `${metric === sort ? 'max-sm:pe-5' : 'max-sm:hidden'}`
                  }
                >
                  <button
                    type="button"
                    className="rounded-lg whitespace-nowrap hover:text-fore"
                    onClick={() => onSort(metric)}
                  >
                    {label}
                    <span aria-hidden="true" className={metric === sort ? 'text-accent-text' : 'opacity-0'}>
                      {' '}
                      ↓
                    </span>
                  </button>
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="divide-y divide-line">
            {rows.map((row) => (
              <VideoRow key={row.id} row={row} sort={sort} />
            ))}
          </tbody>
        </table>
      </div>
      <div className="flex flex-wrap gap-1 sm:hidden">
        {COLUMNS.filter(([metric]) => metric !== sort).map(([metric, , toSort]) => (
          <Button key={metric} look="quiet" className="text-sm" onClick={() => onSort(metric)}>
            {toSort}
          </Button>
        ))}
      </div>
    </>
  );
}

function VideoRow({ row, sort }: { row: Row; sort: VideoMetric }) {
  const { metadata, assets, status } = row.content;
  const values: Readonly<Record<VideoMetric, string>> = {
    VIEWS: count(row.views),
    WATCH_MINUTES: minutes(row.watchMinutes),
    UNIQUE_VIEWERS: count(row.uniqueViewers),
    IMPRESSIONS: count(row.impressions),
    CLICKS:
      row.clickThroughRate === null ? count(row.clicks) : `${count(row.clicks)} (${percent(row.clickThroughRate)})`,
  };
  return (
    <tr className="relative hover:bg-raised/50">
      <th scope="row" className="py-2.5 ps-5 text-start font-medium sm:ps-6">
        <div className="flex items-center gap-3">
          <ResponsiveImage
            image={pickImage(assets.images, 'THUMBNAIL', 'POSTER')}
            decorative
            sizes="5rem"
            className="aspect-video w-16 shrink-0 rounded-md max-[26rem]:hidden [&>svg]:size-5"
          />
          <Link
            to="/studio/analytics/video/$"
            params={{ _splat: contentTail(row.content.id) }}
            search={true}
            dir="auto"
            className="line-clamp-2 [overflow-wrap:anywhere] after:absolute after:inset-0 hover:text-accent-text"
          >
            {metadata.title}
          </Link>
          {status !== 'PUBLISHED' && (
            <span className="text-sm font-normal whitespace-nowrap text-muted max-sm:hidden">{t`not published`}</span>
          )}
        </div>
      </th>
      {COLUMNS.map(([metric]) => (
        <td
          key={metric}
          className={
            'py-2.5 ps-3 text-end whitespace-nowrap tabular-nums last:pe-5 sm:last:pe-6 ' +
            `${metric === sort ? 'font-semibold max-sm:pe-5' : 'text-muted max-sm:hidden'}`
          }
        >
          {values[metric]}
        </td>
      ))}
    </tr>
  );
}
