import pg from 'pg';
import type { CaseArguments } from './cases.ts';
import type { ScaleDatabase } from './database.ts';

const ARGUMENTS = `select
  (select id from contents where kind = 'FEATURE' order by id limit 1) as content,
  (select c.id from comments c where c.parent_id is null and c.content_id = (select id from contents
    where kind = 'FEATURE' order by id limit 1) order by c.id limit 1) as comment,
  (select id from playlists order by id limit 1) as playlist,
  (select id from categories order by id limit 1) as category,
  (select id from categories order by id desc limit 1) as "rareCategory",
  (select split_part(name, ' ', -1) from (select * from content_listings order by content_id limit 1000) l group by 1
    having count(*) = 10 order by max(content_id::text) limit 1) as word`;

/**
 * The same objects in databases of every size: the content with the most comments and its longest thread, a playlist of
 * 5,000 items, a rare word.
 */
export async function findArguments({ postgres, channelId }: ScaleDatabase): Promise<CaseArguments> {
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  const { rows } =
    await client.query<Record<'content' | 'comment' | 'playlist' | 'category' | 'rareCategory' | 'word', string>>(
      ARGUMENTS,
    );
  await client.end();
  const ids = rows[0];
  if (!ids) throw new Error('The database has no contents.');
  const did = (kind: string, id: string) => `did:reelgraph:${kind}/${id}`;
  return {
    channel: did('channel', channelId),
    category: did('content/category', ids.category),
    rareCategory: did('content/category', ids.rareCategory),
    content: did('content/feature', ids.content),
    comment: did('comment', ids.comment),
    playlist: did('content/playlist', ids.playlist),
    word: ids.word,
  };
}
