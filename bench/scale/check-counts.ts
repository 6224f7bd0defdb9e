import pg from 'pg';

/** Queries for maintained counts that differ from their rows. */
const CHECKS: Readonly<Record<string, string>> = {
  'contents of a kind': `select kind from contents where listed group by kind
    having count(*) <> counter_value('listed:' || kind, '00000000-0000-0000-0000-000000000000')`,
  'contents of a channel': `select h.id from channels h where counter_value('channel:listed:FEATURE', h.id)
    <> (select count(*) from contents c where c.channel_id = h.id and c.kind = 'FEATURE' and c.listed)`,
  'comments of contents': `select content_id from comments where status = 'PUBLISHED' and deleted_at is null group by 1
    having count(*) <> counter_value('content:comments', content_id)`,
  'threads of contents': `select content_id from comments where listed and parent_id is null group by 1
    having count(*) <> counter_value('content:threads', content_id)`,
  answers:
    'select parent_id from comments where parent_id is not null and listed group by 1 ' +
    `having count(*) <> counter_value('comment:replies', parent_id)`,
  likes: 'select content_id from likes group by 1 having count(*) <> counter_value($$content:likes$$, content_id)',
  'items of playlists':
    `select playlist_id from playlist_items where open group by 1 having count(*) <> counter_value('playlist:open', ` +
    'playlist_id)',
  channels:
    'select 1 from channels having count(*) <> ' + `counter_value('channels', '00000000-0000-0000-0000-000000000000')`,
  assignments:
    'select term_id, kind from content_listing_terms group by 1, 2 ' +
    `having count(*) <> counter_value('term:listed:' || kind, term_id)`,
  'assigned contents': `select 1 where (select count(*) from content_listing_terms) <> (select count(*)
    from content_listings l
    join (select content_id, category_id from content_categories union all select content_id, genre_id
      from content_genres) f on f.content_id = l.content_id)`,
  'listed contents':
    'select 1 where (select count(*) from contents where listed) <> (select count(*) from content_listings)',
  documents: `select 1 where (select count(*) from contents where listed) + (select count(*)
    from channels) + (select count(*) from playlists where listed)
    <> (select count(*) from search_documents)`,
  visibility:
    'select c.id from contents c join contents p on p.id = c.parent_id ' +
    'where c.parent_effective_visibility <> p.effective_visibility',
};

/** Throws if a count differs from its rows. */
export async function checkCounts(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const [name, text] of Object.entries(CHECKS)) {
      const { rowCount } = await client.query(text);
      if (rowCount !== 0) throw new Error(`${rowCount} counts of ${name} are wrong.`);
    }
  } finally {
    await client.end();
  }
}
