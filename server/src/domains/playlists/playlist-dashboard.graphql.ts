import type { EntityRef, Graph } from '../../gql/index.ts';
import { MOST_RECENT, recentPlaylistsSql } from './playlist-dashboard.sql.ts';

/** Adds the newest playlists to the dashboard of a channel, which only its members read. */
export function declarePlaylistDashboard(graph: Graph, ChannelDashboard: EntityRef): void {
  const DashboardPlaylistItem = graph.object('DashboardPlaylistItem', {
    description: 'A playlist in a dashboard.',
    fields: (f) => ({
      id: f.value({ type: 'DID', description: 'Id of the playlist.' }),
      title: f.value({ type: 'String', description: 'Its title.' }),
      itemCount: f.value({ type: 'Int', description: 'Number of its items.' }),
    }),
  });
  graph.extend(ChannelDashboard, (f) => ({
    playlists: f.column({
      type: [DashboardPlaylistItem],
      description: `The newest playlists, at most ${MOST_RECENT}; Channel.playlists pages through all.`,
      cost: [{ points: MOST_RECENT }],
      sql: (s) => recentPlaylistsSql(`${s.t}.id`),
      read: ([rows]: [readonly { id: string; title: string; itemCount: number }[]], env) =>
        rows.map(({ id, ...row }) => ({ ...row, id: env.did('playlist', id) })),
    }),
  }));
}
