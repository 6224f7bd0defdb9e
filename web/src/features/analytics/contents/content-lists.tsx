import { Link } from '@tanstack/react-router';
import { AnalyticsPlaylists, AnalyticsSeriesList } from '../../../gql/generated/operations.gen.ts';
import { api } from '../../../lib/api.ts';
import { contentTail, didSuffix } from '../../../lib/did.ts';
import { t } from '../../../lib/i18n.ts';
import { SegmentedControl } from '../../../ui/segmented-control.tsx';
import type { Period } from '../period/period.ts';
import { CollectionsTable } from './collections-table.tsx';
import { CONTENT_LIST_NAMES, type ContentList } from './content-list-names.ts';
import { VideosTable } from './videos-table.tsx';

interface Properties {
  readonly channel: string;
  readonly period: Period;
  readonly list: ContentList;
  readonly onList: (list: ContentList) => void;
}

const LINK = 'after:absolute after:inset-0 hover:text-accent-text';

/** The videos, series and playlists of a channel with their metrics. */
export function ContentLists({ channel, period, list, onList }: Properties) {
  return (
    <div className="space-y-4">
      <SegmentedControl label={t`List`} name="list" options={CONTENT_LIST_NAMES} value={list} onChange={onList} />
      {list === 'videos' && <VideosTable channel={channel} period={period} />}
      {list === 'series' && <SeriesTable channel={channel} period={period} />}
      {list === 'playlists' && <PlaylistsTable channel={channel} period={period} />}
    </div>
  );
}

type Scope = Pick<Properties, 'channel' | 'period'>;

function SeriesTable({ channel, period }: Scope) {
  return (
    <CollectionsTable
      name="series"
      title={t`Series`}
      hint={t`The episodes of each series together`}
      empty={t`The channel has no series yet.`}
      channel={channel}
      period={period}
      load={async (sort, after) => {
        const { channel: found } = await api(AnalyticsSeriesList, { channel, sort, after, ...period });
        const page = found?.analytics?.series;
        return {
          rows: (page?.edges ?? []).map(({ node: { content, ...row } }) => ({ ...row, title: content.metadata.title })),
          next: page?.pageInfo.hasNextPage ? page.pageInfo.endCursor : null,
        };
      }}
      link={({ id, title }) => (
        <Link
          to="/studio/analytics/video/$"
          params={{ _splat: contentTail(id) }}
          search={true}
          dir="auto"
          className={LINK}
        >
          {title}
        </Link>
      )}
    />
  );
}

function PlaylistsTable({ channel, period }: Scope) {
  return (
    <CollectionsTable
      name="playlists"
      title={t`Playlists`}
      hint={t`The channel’s videos in each playlist together, wherever they were watched`}
      empty={t`The channel has no playlists yet.`}
      channel={channel}
      period={period}
      load={async (sort, after) => {
        const { channel: found } = await api(AnalyticsPlaylists, { channel, sort, after, ...period });
        const page = found?.analytics?.playlists;
        return {
          rows: (page?.edges ?? []).map(({ node: { playlist, ...row } }) => ({
            ...row,
            title: playlist.metadata.title,
          })),
          next: page?.pageInfo.hasNextPage ? page.pageInfo.endCursor : null,
        };
      }}
      link={({ id, title }) => (
        <Link
          to="/studio/analytics/playlist/$id"
          params={{ id: didSuffix(id) }}
          search={true}
          dir="auto"
          className={LINK}
        >
          {title}
        </Link>
      )}
    />
  );
}
