/** Entries of the list. */
export const MOST_RECENT = 10;

/** SQL: JSON array of the newest playlists of a channel, with the number of their items. */
export function recentPlaylistsSql(channelId: string): string {
  return `(select coalesce(json_agg(json_build_object('id', p.id, 'title', p.title,
          'itemCount', counter_value('playlist:items', p.id)) order by p.created_at desc, p.id desc), '[]')
        from (select p.* from playlists p where p.channel_id = ${channelId}
          order by p.created_at desc, p.id desc limit ${MOST_RECENT}) p)`;
}
