import pg from 'pg';

/** DIDs and words that the measured operations use. */
export interface SeededContent {
  /** Contents of the requesting account, for updates. */
  readonly own: readonly string[];
  /** Contents with everything that the watch page shows. */
  readonly watched: readonly string[];
  /** Their short codes. */
  readonly codes: readonly string[];
  readonly playlists: readonly string[];
  /** Words in contents, playlists and channels. */
  readonly words: readonly string[];
  /** The channel of the requesting account. */
  readonly channel: string;
}

const WORDS = ['harbour', 'meadow', 'lantern', 'granite', 'orchard', 'thunder', 'velvet', 'compass'];
const OWN = 200;

const VARIANTS = [1280, 640, 320].flatMap((width) =>
  ['AVIF', 'WEBP'].map((format) => ({
    file: `${width}.${format.toLowerCase()}`,
    width,
    height: (width * 9) / 16,
    format,
  })),
);
const WATCHED = `(select id, channel_id, row_number() over (order by published_at desc, id desc) as n from contents
  where listed and kind = 'FEATURE' and channel_id <> $1 order by published_at desc, id desc limit 100)`;
const PEOPLE =
  '(select a.id, row_number() over (order by a.id) - 1 as n, count(*) ' +
  `over () as people from accounts a where a.username like 'bench_%')`;
const CODES = `select c.short_code as code from ${WATCHED} w join contents c using (id) order by w.n`;

/** Statements with their parameters. */
const STATEMENTS: readonly {
  readonly values: readonly ('channel' | 'account' | 'words' | 'images')[];
  readonly text: string;
}[] = [
  // Images of contents and channels.
  {
    values: ['channel', 'images'],
    text: `insert into image_assets (id, channel_id, content_id, purpose, alt, width, height, mime_type, size_bytes,
      object_prefix, variants, dominant_color, blurhash)
      select i.id, i.channel_id, i.content_id, i.purpose, 'A picture', 1280, 720, 'image/avif', 90000,
        'images/' || i.id || '/', $2::jsonb, '#445566', 'LEHV6nWB2yk8pyo0adR*.7kCMdnj'
      from (select gen_random_uuid() as id, w.channel_id, w.id as content_id, p as purpose from ${WATCHED} w,
        unnest(array['POSTER', 'THUMBNAIL']) p
        union all select gen_random_uuid(), h.id, null, p from channels h, unnest(array['AVATAR', 'BANNER']) p) i`,
  },
  {
    values: ['channel'],
    text: `insert into video_assets (id, channel_id, content_id, hint, filename, source_key, size_bytes, mime_type,
      width, height, duration_ms, renditions, thumbnails, package_prefix, extras, ready_at)
      select v.id, v.channel_id, v.content_id, 'FULL', 'clip.mp4', 'sources/' || v.id, 1000000, 'video/mp4', 1920, 1080,
        60000, '[]', '{"pattern": "thumbs/%05d.jpg", "count": 60}',
        'media/' || v.content_id || '/' || v.id || '/0123456789ab-1/',
        '{"videoDownload": "downloads/video.mp4", "audioDownload": "downloads/audio.m4a"}', now()
      from (select gen_random_uuid() as id, w.channel_id, w.id as content_id from ${WATCHED} w) v`,
  },
  {
    values: ['channel'],
    text: `update contents set allow_download = true, keywords = '{travel,harbours,evening}',
      summary = 'Harbours in the evening.' || e'\\n\\n0:00 Before dawn\\n0:10 The boats\\n0:20 The way home'
      where id in (select id from ${WATCHED} w)`,
  },
  {
    values: ['channel'],
    text: `insert into content_categories (content_id, category_id, position)
      select w.id, c.id, c.n from ${WATCHED} w, (select id, row_number() over (order by id) as n from categories
        order by id limit 2) c`,
  },
  {
    values: ['channel', 'account'],
    text: `insert into watch_positions (account_id, content_id, position_ms, duration_ms, watched_ms, completed,
      updated_at)
      select $2, w.id, 12000, 60000, 12000, false, now() from ${WATCHED} w where n % 2 = 0`,
  },
  {
    values: ['channel'],
    text:
      `insert into likes (content_id, account_id, created_at) select w.id, p.id, now() from ${WATCHED} w, ` +
      `${PEOPLE} p where p.n < 20`,
  },
  {
    values: ['channel'],
    text: `insert into follows (channel_id, account_id, created_at) select h.id, p.id, now() - p.n * interval '3 hours'
      from channels h, ${PEOPLE} p
      where (p.n < 5 or h.id = $1 and p.n < 400) and h.account_id <> p.id`,
  },
  {
    values: ['channel'],
    text:
      'insert into follow_changes (channel_id, account_id, delta, created_at) select channel_id, account_id, 1, ' +
      'created_at from follows where channel_id = $1',
  },
  // 60 threads on each content, with two or three replies each.
  {
    values: ['channel'],
    text: `insert into comments (id, content_id, channel_id, account_id, body, created_at)
      select gen_random_uuid(), w.id, w.channel_id, p.id,
        'What I like best is minute ' || t || ', though it could be longer.',
        now() - (t * 100 + w.n) * interval '1 second'
      from ${WATCHED} w, generate_series(1, 60) t join ${PEOPLE} p on p.n = t * 7 % p.people`,
  },
  {
    values: [],
    text: `insert into comments (id, content_id, channel_id, parent_id, root_id, depth, account_id, body, created_at)
      select gen_random_uuid(), c.content_id, c.channel_id, c.id, c.id, 1, p.id, 'That is what I thought, too.',
        c.created_at + a * interval '1 second'
      from (select *, row_number() over (order by id) as n from comments where parent_id is null) c, generate_series(1,
        3) a
      join ${PEOPLE} p on p.n = a * 11 % p.people where a <= 2 + c.n % 2`,
  },
  {
    values: ['channel'],
    text: `insert into playlists (id, channel_id, title, summary) select gen_random_uuid(), h.id, 'Evenings ' || n,
      'To be watched one after the other.'
      from generate_series(1, 20) n join lateral (select id from channels where id <> $1 order by id offset n limit 1) h
        on true`,
  },
  // Positions like those of fractional-indexing: 'b' and two digits of base 62.
  {
    values: ['channel'],
    text: `insert into playlist_items (id, playlist_id, content_id, position, open)
      select gen_random_uuid(), p.id, w.id, 'b' || substr(d, 1 + (w.n / 62)::int, 1) || substr(d, 1 + (w.n % 62)::int,
        1), true
      from playlists p, ${WATCHED} w, (select '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz' as d)
        digits`,
  },
  // A hundred contents, 15 playlists and 10 channels for each word.
  {
    values: ['words'],
    text: `update contents c set title = initcap(w.word) || ' ' || c.title,
      summary = c.summary || ' A ' || w.word || ' plays a part in it.'
      from (select id, row_number() over (order by id) as n from contents where listed
        and summary not like 'Harbours%') r,
        unnest($1::text[]) with ordinality w (word, n) where r.id = c.id and r.n between w.n * 100 and w.n * 100 + 99`,
  },
  {
    values: ['words'],
    text: `insert into playlists (id, channel_id, title, summary)
      select gen_random_uuid(), h.id, initcap(w.word) || ' and more ' || n, 'All about the ' || w.word || '.'
      from unnest($1::text[]) w (word), generate_series(1, 15) n join lateral (select id from channels
        order by id offset 30 + n limit 1) h on true`,
  },
  {
    values: ['words'],
    text: `update channels h set name = initcap(w.word) || ' house ' || r.n, title = initcap(w.word) || ' house'
      from (select id, row_number() over (order by id desc) as n from channels where handle like 'bench_%') r,
        unnest($1::text[]) with ordinality w (word, n)
      where r.id = h.id and r.n between w.n * 10 and w.n * 10 + 9`,
  },
  // Two months of views of the requesting account's channel: 20,000 by 4,000 viewers.
  {
    values: ['channel'],
    text: `insert into content_views (content_id, channel_id, viewer, at, country, device, os, browser)
      select c.id, $1, ('00000000-0000-8000-8000-' || lpad(to_hex(v % 4000), 12, '0'))::uuid,
        now() - v * interval '4 minutes', 'DE', 'DESKTOP', 'Linux', 'Firefox'
      from generate_series(1, 20000) v join (select id, row_number() over (order by id) - 1 as n from contents
        where channel_id = $1) c on c.n = v % 200`,
  },
  {
    values: ['channel'],
    text: `insert into channel_15min (channel_id, at, views, plays, watch_ms)
      select $1, to_timestamp(floor(extract(epoch from at) / 900) * 900), count(*), count(*), 60000 * count(*)
        from content_views where channel_id = $1 group by 2`,
  },
  { values: ['channel'], text: `update channels set created_at = now() - interval '1 year' where id = $1` },
  {
    values: ['channel'],
    text:
      `insert into events (type, channel_id, subject_id, created_at) select 'content.updated', $1, c.id, now() ` +
      'from contents c, generate_series(1, 5) where c.channel_id = $1',
  },
];

/** Creates the data that the operations read, for the requesting account and the existing contents. */
export async function seedContent(
  url: string,
  { channelId, accountId }: { channelId: string; accountId: string },
): Promise<SeededContent> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const dids = async (kind: string, text: string) =>
    (await client.query<{ id: string }>(text, [channelId])).rows.map(({ id }) => `did:reelgraph:${kind}/${id}`);
  const known = { channel: channelId, account: accountId, words: WORDS, images: JSON.stringify(VARIANTS) };
  try {
    await client.query('set synchronous_commit = off');
    const own = await dids(
      'content/feature',
      `insert into contents (id, channel_id, kind, status, title) select gen_random_uuid(), $1, 'FEATURE', ` +
        `'READY', 'Mine ' || n from generate_series(1, ${OWN}) n returning id`,
    );
    for (const { text, values } of STATEMENTS)
      await client.query(
        text,
        values.map((name) => known[name]),
      );
    await client.query('vacuum analyze');
    return {
      own,
      watched: await dids('content/feature', `select id from ${WATCHED} w order by n`),
      codes: (await client.query<{ code: string }>(CODES, [channelId])).rows.map(({ code }) => code),
      playlists: await dids(
        'content/playlist',
        `select id from playlists where title like 'Evenings%' and channel_id <> $1 order by id`,
      ),
      words: WORDS,
      channel: `did:reelgraph:channel/${channelId}`,
    };
  } finally {
    await client.end();
  }
}
