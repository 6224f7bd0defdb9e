import pg from 'pg';

/** A thousand channels with a hundred published videos each, generated in the database. */
export async function seed(url: string, sizes: { channels: number; contents: number }): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(
      `insert into accounts (id, email, name, username, created_at)
       select gen_random_uuid(), 'bench' || n || '@example.com', 'Bench ' || n, 'bench' || n,
         now() - n * interval '1 minute' from generate_series(1, $1) n`,
      [sizes.channels],
    );
    await client.query(
      `insert into contents (id, channel_id, kind, status, title, summary, duration_ms, published_at, created_at)
       select gen_random_uuid(), c.id, 'FEATURE', 'PUBLISHED', 'Video ' || n, repeat('What happens in it. ', 5),
         1000 * (30 + n % 600),
         now() - n * interval '1 second', now() - n * interval '1 second'
       from generate_series(1, $1) n join (select id, row_number() over (order by id) as r from channels
         where handle like 'bench%') c on c.r = 1 + n % $2`,
      [sizes.contents, sizes.channels],
    );
    await client.query('create extension if not exists pg_stat_statements');
    await client.query('vacuum analyze');
  } finally {
    await client.end();
  }
}
