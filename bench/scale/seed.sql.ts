/**
 * SQL statements that seed a database of any size, in order. `$1` is how many contents, `$2` how many comments, `$3`
 * the channel with a tenth of the contents, `$4` the account that reads. Triggers do not run: {@link COUNTERS} fills
 * the counters, and the functions of the triggers write the search documents.
 *
 * Every row is derived from its number, so that both sizes have the same structure: contents 30 to 60 days apart from
 * the next of their channel over one year, in blocks of 100: a series of two seasons with 18 episodes, a miniseries
 * with 4, 15 shorts, a stream and 58 features.
 */
export interface Step {
  readonly name: string;
  readonly text: string;
  /** The parameters of the statement. */
  readonly values: readonly ('contents' | 'comments' | 'channel' | 'reader')[];
}

/** Contents of each channel except the large one. */
const PER_CHANNEL = 40;
/** The first ones have a content each in turn, the next one has 40 contents in total. */
const CATEGORIES = 19;

const SYLLABLES = `array['ba','de','fi','go','hu','ka','le','mi','no','pu','ra','se','ti','vo','wu','za']`;
const syllable = (place: number) => `(${SYLLABLES})[1 + ((p_n >> ${4 * place}) & 15)::integer]`;

/** The schema with the functions of the seed, dropped at its end. The seeded year ends at `now`. */
export const helpers = (now: Date): string => `
  create schema bench;
  create table bench.clock as select timestamptz '${now.toISOString()}' as now;
  -- A UUIDv7 of this time and number.
  create function bench.id(p_at timestamptz, p_n bigint) returns uuid language sql immutable parallel safe as $$
    select (lpad(to_hex((extract(epoch from p_at) * 1000)::bigint), 12, '0') || '70008' || lpad(to_hex(p_n), 15,
      '0'))::uuid $$;
  -- The time of the p_n-th of p_of events of the year.
  create function bench.at(p_n bigint, p_of bigint) returns timestamptz language sql immutable parallel safe as $$
    select timestamptz '${now.toISOString()}' - interval '1 microsecond' * (31536000000000.0 * (p_of - p_n) / p_of) $$;
  -- A pronounceable word, the same for the same number.
  create function bench.word(p_n bigint, p_syllables integer) returns text language sql immutable parallel safe as $$
    select right(${[4, 3, 2, 1, 0].map(syllable).join(' || ')}, 2 * p_syllables) $$;
  -- Some words occur often and most of them rarely.
  create function bench.zipf(p_seed bigint) returns bigint language sql immutable parallel safe as $$
    select floor(exp(ln(4096.0::float8) * (hashint8(p_seed)::bigint + 2147483648)::float8 /
      4294967296.0::float8))::bigint $$;`;

const accounts: Step[] = [
  {
    name: 'accounts',
    values: ['contents'],
    text: `insert into accounts (id, email, name, username, primary_channel_id, created_at)
      select bench.id(bench.at(n, m), n), 'person' || n || '@example.com', initcap(bench.word(n, 4)), 'person' || n,
        bench.id(bench.at(n, m), n + m), bench.at(n, m)
      from (select $1::bigint / ${PER_CHANNEL} as m) s cross join generate_series(1, m) n`,
  },
  {
    name: 'people and their channels by number',
    values: ['channel'],
    text: `create table bench.channels as
      select row_number() over (order by h.created_at, h.id) - 1 as n, h.id, h.account_id from channels h
        where h.id <> $1`,
  },
  { name: 'index of channels', values: [], text: 'create unique index on bench.channels (n) include (id, account_id)' },
];

const contents: Step[] = [
  {
    name: 'contents',
    values: ['contents', 'channel'],
    // Parents have smaller numbers in a block, so that they are written before their contents.
    text: `insert into contents (id, channel_id, kind, status, title, summary, keywords, duration_ms, language,
      published_at, created_at, parent_id, number, updated_at)
      select bench.id(bench.at(i, t), i), coalesce(h.id, $2), k.kind, case when draft then 'DRAFT' else 'PUBLISHED' end,
        initcap(concat_ws(' ', case when i % 10 = 3 then 'video' end, bench.word(bench.zipf(i), 3),
          bench.word(bench.zipf(i + t), 3), bench.word(i / 10, 5))),
        'What ' || bench.word(bench.zipf(i + 2 * t), 3) || ' and ' || bench.word(bench.zipf(i + 3 * t),
          3) || ' have to do with each other. ' || repeat('It is worth it. ', 4),
        array[bench.word(bench.zipf(i), 3)], case when k.kind in ('SERIES', 'SEASON', 'MINISERIES') then null
          else 1000 * (30 + i * 7919 % 3600) end,
        (array['en', 'de', 'fr', 'es'])[1 + i % 4], case when not draft then bench.at(i, t) end, bench.at(i, t),
        case when p.above is not null then bench.id(bench.at(i - i % 100 + p.above, t), i - i % 100 + p.above) end,
          p.number, bench.at(i, t)
      from (select $1::bigint as t) s cross join generate_series(0, t - 1) i
      cross join lateral (select case when i % 100 = 0 then 'SERIES' when i % 100 <= 2 then 'SEASON'
        when i % 100 <= 20 then 'EPISODE' when i % 100 = 21 then 'MINISERIES'
          when i % 100 <= 25 then 'EPISODE' when i % 100 <= 40 then 'SHORT' when i % 100 = 41 then 'STREAM'
            else 'FEATURE' end as kind) k
      cross join lateral (select k.kind = 'FEATURE' and i % 20 = 19 as draft,
          case when k.kind = 'SEASON' then 0 when k.kind = 'EPISODE' and i % 100 >= 22 then 21
            when k.kind = 'EPISODE' then 1 + i % 2 end as above,
          case when k.kind = 'SEASON' then i % 100 when k.kind = 'EPISODE' then i % 100 end as number) p
      left join bench.channels h on h.n = case when k.kind in ('FEATURE', 'SHORT', 'STREAM') then i * 31
        else i / 100 end % (t / ${PER_CHANNEL})
        and not (k.kind in ('FEATURE', 'SHORT', 'STREAM') and i % 8 = 3)`,
  },
  {
    name: 'categories',
    values: ['contents'],
    text: `insert into content_categories (content_id, category_id, position)
      select bench.id(bench.at(i, t), i), c.id, 1 from (select $1::bigint as t) s cross join generate_series(0, t - 1) i
      join (select id, row_number() over (order by id) - 1 as n from categories) c on c.n = i / 3 % ${CATEGORIES}`,
  },
  {
    name: 'a rare category',
    values: ['contents'],
    text: `insert into content_categories (content_id, category_id, position)
      select bench.id(bench.at(i, t), i), c.id, 2 from (select $1::bigint as t) s cross join generate_series(42, t - 1,
        t / 40) i
      join (select id, row_number() over (order by id) - 1 as n from categories) c on c.n = ${CATEGORIES}`,
  },
  {
    name: 'genres',
    values: ['contents'],
    text: `insert into content_genres (content_id, genre_id, position)
      select bench.id(bench.at(i, t), i), g.id, 1 from (select $1::bigint as t) s cross join generate_series(0, t - 1) i
      join (select id, row_number() over (order by id) - 1 as n from genres) g on g.n = i / 7 % 32`,
  },
];

const social: Step[] = [
  {
    // Channels from the whole range: the first ones have more series in a large database than in a small one.
    name: 'follows',
    values: ['reader'],
    text: `insert into follows (channel_id, account_id, created_at) select distinct h.id, $1::uuid, now
      from bench.clock cross join (select count(*) as m from bench.channels) s cross join generate_series(0, 199) k
        join bench.channels h on h.n = k * m / 200`,
  },
  {
    name: 'likes',
    values: ['contents'],
    text: `insert into likes (content_id, account_id, created_at)
      select bench.id(bench.at(i, t), i), h.account_id, bench.at(i, t) + (bench.at(t, t) - bench.at(i,
        t)) * (i % 97 / 97.0)
      from (select $1::bigint as t) s cross join generate_series(0, t - 1, 2) i join bench.channels h
        on h.n = i * 17 % (t / ${PER_CHANNEL})`,
  },
  {
    name: 'likes by day',
    values: [],
    text: `insert into likes_daily (day, content_id, likes)
      select (created_at at time zone 'UTC')::date, content_id, count(*) from likes cross join bench.clock
        where created_at > now - interval '8 days' group by 1, 2`,
  },
];

const comments: Step[] = [
  {
    name: 'comments',
    values: ['contents', 'comments'],
    // Every hundredth comment is on the hot content 42, and a third of these reply to its first one. The others are
    // spread over all contents; from the fourth on, they reply to the first.
    text: `insert into comments (id, content_id, channel_id, parent_id, root_id, depth, account_id, body, likes_count,
      created_at)
      select bench.id(bench.at(v, u), v), c.id, c.channel_id, p.id, p.id, case when p.id is null then 0 else 1 end,
        h.account_id,
        'I think ' || bench.word(bench.zipf(v), 3) || ' is the best part, and ' || bench.word(bench.zipf(v + 1),
          3) || ' could be longer.',
        case when v % 11 = 0 then v % 1009 else 0 end, bench.at(v, u)
      from (select $1::bigint as t, $2::bigint as u) s cross join generate_series(0, u - 1) v
      cross join lateral (select case when v % 100 = 0 then 42 else v * 7919 % t end as i,
        case when v % 100 = 0 then case when v > 0 and v % 300 = 0 then 0 end when v >= 3 * t then v % t end as above) x
      join contents c on c.id = bench.id(bench.at(x.i, t), x.i)
      join bench.channels h on h.n = v * 31 % (t / ${PER_CHANNEL})
      left join lateral (select bench.id(bench.at(x.above, u), x.above) as id where x.above is not null) p on true
      order by v`,
  },
];

const watching: Step[] = [
  {
    name: 'views of a week',
    values: ['contents'],
    text: `insert into content_daily (content_id, channel_id, day, views, plays, watch_ms)
      select c.id, c.channel_id, (now at time zone 'UTC')::date - (i % 35 / 5)::int, 1 + i % 1009, 1 + i % 1009,
        60000 * (1 + i % 1009)
      from bench.clock cross join (select $1::bigint as t) s cross join generate_series(0, t - 1, 5) i join contents c
        on c.id = bench.id(bench.at(i, t), i)`,
  },
  {
    name: 'views of the big channel',
    values: ['channel'],
    text: `insert into content_views (content_id, channel_id, viewer, at, country, device, os, browser)
      select c.id, $1, bench.id(now, v % 9000), now - v * interval '2 minutes', (array['DE', 'FR', 'US',
        'JP'])[1 + v % 4], 'DESKTOP', 'Linux', 'Firefox'
      from bench.clock cross join generate_series(1, 50000) v
      join (select id, row_number() over (order by id) - 1 as n from contents where channel_id = $1 and listed
        limit 500) c on c.n = v % 500`,
  },
  {
    name: 'quarters of contents',
    values: [],
    text: `insert into watch_15min (content_id, channel_id, at, country, device, os, browser, views, plays, watch_ms)
      select content_id, channel_id, to_timestamp(floor(extract(epoch from at) / 900) * 900), country, device, os,
        browser, count(*), count(*), 60000 * count(*)
      from content_views group by 1, 2, 3, 4, 5, 6, 7`,
  },
  {
    name: 'quarters of channels',
    values: [],
    text: `insert into channel_15min (channel_id, at, views, plays, watch_ms)
      select channel_id, at, sum(views), sum(plays), sum(watch_ms) from watch_15min group by 1, 2`,
  },
];

const playlists: Step[] = [
  {
    name: 'playlists',
    values: ['contents'],
    text: `insert into playlists (id, channel_id, title, created_at, updated_at)
      select bench.id(bench.at(i, m), i), h.id, initcap(bench.word(bench.zipf(i), 3) || ' and more'), bench.at(i, m),
        bench.at(i, m)
      from (select $1::bigint / 100 as m) s cross join generate_series(1, m) i join bench.channels h
        on h.n = i * 13 % ($1 / ${PER_CHANNEL})`,
  },
  {
    name: 'items of playlists',
    values: ['contents'],
    // Ten playlists of 5,000 items, the others have ten. Keys like those of fractional-indexing: 'd' and four
    // digits of base 62.
    text: `insert into playlist_items (id, playlist_id, content_id, position, open, created_at)
      select bench.id(bench.at(i, m), i * 8192 + k), bench.id(bench.at(i, m), i), c.id,
        'd' || (select string_agg(substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz',
          1 + (k / (62 ^ d)::int) % 62, 1), '' order by d desc) from generate_series(0, 3) d),
        c.effective_visibility <> 'PRIVATE', bench.at(i, m)
      from (select $1::bigint as t, $1::bigint / 100 as m) s cross join generate_series(1, m) i cross join
        generate_series(1, case when i <= 10 then 5000 else 10 end) k
      join lateral (select id, effective_visibility from contents where id = bench.id(bench.at((i * 101 + k * 7) % t,
        t), (i * 101 + k * 7) % t)) c on true`,
  },
];

const events: Step[] = [
  {
    name: 'events',
    values: ['contents', 'channel'],
    text: `insert into events (type, channel_id, subject_id, created_at)
      select 'content.updated', case when i % 10 = 0 then $2 else h.id end, bench.id(bench.at(i, t), i),
        now - i * interval '2 seconds'
      from bench.clock cross join (select $1::bigint as t) s cross join generate_series(0, t - 1) i
        join bench.channels h on h.n = i % (t / ${PER_CHANNEL})`,
  },
];

/** The rows that search documents are derived from, in order of dependency. */
export const ROWS: readonly Step[] = [...accounts, ...contents, ...social, ...watching, ...playlists];
/** Rows that no search document needs. */
export const OTHER_ROWS: readonly Step[] = [...comments, ...events];

/** Tables whose triggers are disabled while their rows are written. */
export const QUIET = [
  ...['contents', 'content_categories', 'content_genres', 'follows', 'likes', 'comments', 'content_daily'],
  ...['content_views', 'watch_15min', 'channel_15min', 'playlists', 'playlist_items'],
];
