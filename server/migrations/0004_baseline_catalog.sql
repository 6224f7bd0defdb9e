create table categories (
  id uuid primary key,
  slug text not null unique,
  name text not null unique,
  description text not null,
  created_at timestamptz not null default now()
);

create table genres (
  id uuid primary key,
  slug text not null unique,
  name text not null unique
);

-- minimum_age: the youngest age in years that may watch unaccompanied; null if the rating does not define one.
create table ratings (
  id uuid primary key,
  position smallint not null unique,
  system text not null check (system in ('MPAA', 'MSO', 'TV', 'UNKNOWN', 'USA_PR')),
  code text not null,
  description text not null,
  minimum_age smallint check (minimum_age between 0 and 21),
  unique (system, code)
);

create table contents (
  id uuid primary key,
  channel_id uuid not null references channel_ids on delete cascade,
  kind text not null
    check (kind in ('FEATURE', 'SHORT', 'SERIES', 'SEASON', 'EPISODE', 'MINISERIES', 'STREAM')),
  status text not null default 'DRAFT' check (status in ('DRAFT', 'PROCESSING', 'READY', 'FAILED', 'PUBLISHED')),
  visibility text not null default 'PUBLIC' check (visibility in ('PUBLIC', 'UNLISTED', 'PRIVATE')),
  title text not null,
  summary text not null default '',
  short_summary text not null default '',
  keywords text[] not null default '{}',
  layout text not null default 'LANDSCAPE' check (layout in ('LANDSCAPE', 'PORTRAIT', 'VR')),
  duration_ms bigint,
  -- Whether to publish the content as soon as its video is ready.
  publish_when_ready boolean not null default false,
  -- A date before created_at is when it was first published elsewhere.
  release_at timestamptz,
  published_at timestamptz,
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Whether public lists contain it; partial indexes and counters use this column.
  listed boolean not null generated always as (
    status = 'PUBLISHED' and visibility = 'PUBLIC' and deleted_at is null and taken_down_at is null
    and parent_effective_visibility = 'PUBLIC') stored,
  -- The series of a season; the season or miniseries of an episode.
  parent_id uuid references contents on delete restrict,
  -- Seasons and episodes: the displayed number, unique among the siblings that are not in the trash.
  number integer check (number between 0 and 100000),
  rating_id uuid references ratings,
  -- A BCP 47 language tag.
  language text check (language ~ '^[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|[0-9]{3}))?$'),
  -- Episodes: whether it is the first or last of its season.
  is_premiere boolean not null default false,
  is_finale boolean not null default false,
  -- Streams: a note from the broadcaster to the audience.
  note text not null default '',
  -- The effective visibility of the parent; PUBLIC for a content without a parent (ADR 0016).
  parent_effective_visibility text not null default 'PUBLIC'
    check (parent_effective_visibility in ('PUBLIC', 'UNLISTED', 'PRIVATE')),
  -- Who may watch it: everyone, everyone with the link, or only members of the channel.
  effective_visibility text not null generated always as (
    case when status <> 'PUBLISHED' or visibility = 'PRIVATE' or deleted_at is not null or taken_down_at is not null
      or parent_effective_visibility = 'PRIVATE' then 'PRIVATE'
    when visibility = 'UNLISTED' or parent_effective_visibility = 'UNLISTED' then 'UNLISTED'
    else 'PUBLIC' end) stored,
  -- The parent it was trashed with; null if it was trashed by itself. Restoring the parent restores exactly these.
  trashed_with uuid references contents on delete set null,
  -- [{startMs,title}], ascending, the first at 0; null for none.
  chapters jsonb,
  -- Who may comment, and whether comments are held for review.
  comment_mode text not null default 'ENABLED'
    check (comment_mode in ('ENABLED', 'HOLD_ALL', 'MEMBERS_ONLY', 'DISABLED')),
  -- The latest pending request to use a frame as poster; earlier ones are ignored. Null once it is done or another
  -- poster is chosen.
  poster_request_id uuid,
  -- Whether viewers may download it; members of the channel always may.
  allow_download boolean not null default false,
  enhance_when_ready boolean not null default false,
  has_running_test boolean not null default false,
  contains_ads text check (contains_ads in ('NO', 'MAYBE', 'YES')),
  -- The code of the short address, /w/<code>: 66 random bits in the alphabet of base64url (RFC 4648 section 5).
  short_code text collate "C" not null
    default translate(left(encode(substr(uuid_send(gen_random_uuid()), 10)
      || substr(uuid_send(gen_random_uuid()), 1, 2), 'base64'), 11), '+/', '-_')
    check (short_code ~ '^[A-Za-z0-9_-]{11}$'),
  -- Taken down by operators: whatever its visibility, only members of its channel see it.
  taken_down_at timestamptz,
  takedown_reason text check (char_length(takedown_reason) between 1 and 500),
  -- Where a clip is from.
  clipped_from uuid references contents on delete set null,
  clip_start_ms bigint,
  clip_end_ms bigint,
  revision integer not null default 1,
  check ((status = 'PUBLISHED') = (published_at is not null)),
  constraint contents_clip check (
    (clip_start_ms is null) = (clip_end_ms is null) and clip_start_ms < clip_end_ms
    and (clipped_from is null or clip_start_ms is not null)),
  constraint contents_not_own_parent check (parent_id <> id),
  constraint contents_number_required check ((kind in ('SEASON', 'EPISODE')) = (number is not null)),
  -- Numbers are unique among siblings. Checked at the end of a statement, which may renumber them all.
  constraint contents_number_taken exclude using btree (parent_id with =, number with =)
    where (deleted_at is null and parent_id is not null) deferrable initially immediate,
  constraint contents_parent_required check ((kind in ('SEASON', 'EPISODE')) = (parent_id is not null)),
  constraint contents_takedown check ((taken_down_at is null) = (takedown_reason is null)),
  constraint contents_trashed_with check (trashed_with is null or deleted_at is not null)
);
create index contents_channel on contents (channel_id, created_at desc, id desc) where deleted_at is null;
-- For members who filter a channel's contents by kind.
create index contents_channel_kind on contents (channel_id, kind, created_at desc, id desc) where deleted_at is null;
create index contents_children on contents (parent_id, number, id) where deleted_at is null;
-- The children that viewers see. A hidden parent hides them all.
create index contents_children_shown on contents (parent_id, number, id)
  where status = 'PUBLISHED' and visibility = 'PUBLIC' and deleted_at is null;
-- All children, also those in the trash: for purging a parent and for the foreign key.
create index contents_parent on contents (parent_id) where parent_id is not null;
create index contents_purge_due on contents (deleted_at) where deleted_at is not null and trashed_with is null;
create index contents_rating on contents (rating_id) where rating_id is not null;
create index contents_trash on contents (channel_id, deleted_at desc, id desc)
  where deleted_at is not null and trashed_with is null;
create index contents_trashed_with on contents (trashed_with) where trashed_with is not null;
create index contents_due on contents (release_at)
  where status = 'READY' and release_at > created_at and deleted_at is null;
-- Lists of a channel's contents by title, ignoring case and accents.
create index contents_channel_title on contents (
  channel_id,
  (regexp_replace(casefold(normalize(title, NFKD) collate "pg_unicode_fast"), '[\u0300-\u036f]', '', 'g') collate "C"),
  id
) where deleted_at is null;
create unique index contents_short_code on contents (short_code);
create index contents_channel_listed on contents (channel_id, kind, published_at desc, id desc) where listed;
create index contents_listed on contents (kind, published_at desc, id desc) where listed;
create index contents_clipped_from on contents (clipped_from) where clipped_from is not null;
-- For the planner: see events in 0001_baseline_platform.sql.
alter table contents
  alter column channel_id set (n_distinct = -0.001), alter column parent_id set (n_distinct = -0.001);
comment on column contents.enhance_when_ready is
  'Whether its video is to be enhanced once it is processed; false again when these jobs are queued.';
comment on column contents.has_running_test is
  'Whether a row of content_tests is RUNNING: cards look for it only then.';
comment on column contents.contains_ads is
  'Whether it contains advertising, by its creator; null if not specified.';

-- Category and genre assignments. position: the order in which they were given; the first is the primary one.
create table content_categories (
  content_id uuid not null references contents on delete cascade,
  category_id uuid not null references categories,
  position smallint not null,
  primary key (content_id, category_id)
);
create index content_categories_category on content_categories (category_id, content_id);

create table content_genres (
  content_id uuid not null references contents on delete cascade,
  genre_id uuid not null references genres,
  position smallint not null,
  primary key (content_id, genre_id)
);
create index content_genres_genre on content_genres (genre_id, content_id);

create table channel_categories (
  channel_id uuid not null references channels on delete cascade,
  category_id uuid not null references categories,
  position smallint not null,
  primary key (channel_id, category_id)
);
create index channel_categories_category on channel_categories (category_id, channel_id);

insert into categories (id, slug, name, description) values
  ('01900000-0000-7000-8000-ca7e00000001', 'film-animation', 'Film and animation', 'Films, short films and animation.'),
  ('01900000-0000-7000-8000-ca7e00000002', 'music', 'Music', 'Songs, concerts and music videos.'),
  ('01900000-0000-7000-8000-ca7e00000003', 'gaming', 'Gaming', 'Games and those who play them.'),
  ('01900000-0000-7000-8000-ca7e00000004', 'news-politics', 'News and politics',
    'What happens in the world, and what it means.'),
  ('01900000-0000-7000-8000-ca7e00000005', 'science-technology', 'Science and technology',
    'Research, devices and how they work.'),
  ('01900000-0000-7000-8000-ca7e00000006', 'education', 'Education', 'Lessons, lectures and explanations.'),
  ('01900000-0000-7000-8000-ca7e00000007', 'sports', 'Sports', 'Matches, training and athletes.'),
  ('01900000-0000-7000-8000-ca7e00000008', 'travel', 'Travel', 'Places and the way to them.'),
  ('01900000-0000-7000-8000-ca7e00000009', 'food-drink', 'Food and drink', 'Cooking, eating and drinking.'),
  ('01900000-0000-7000-8000-ca7e0000000a', 'fashion-beauty', 'Fashion and beauty', 'Clothes, make-up and style.'),
  ('01900000-0000-7000-8000-ca7e0000000b', 'health-fitness', 'Health and fitness', 'Body, mind and exercise.'),
  ('01900000-0000-7000-8000-ca7e0000000c', 'comedy', 'Comedy', 'Sketches, stand-up and parody.'),
  ('01900000-0000-7000-8000-ca7e0000000d', 'entertainment', 'Entertainment', 'Shows, celebrities and pastimes.'),
  ('01900000-0000-7000-8000-ca7e0000000e', 'kids-family', 'Kids and family',
    'For children and those who live with them.'),
  ('01900000-0000-7000-8000-ca7e0000000f', 'business-finance', 'Business and finance', 'Companies, work and money.'),
  ('01900000-0000-7000-8000-ca7e00000010', 'arts-culture', 'Arts and culture',
    'Painting, theatre, literature and heritage.'),
  ('01900000-0000-7000-8000-ca7e00000011', 'nature-animals', 'Nature and animals',
    'Landscapes, plants, animals and pets.'),
  ('01900000-0000-7000-8000-ca7e00000012', 'vehicles', 'Cars and vehicles',
    'Cars, motorcycles, trains, ships and aircraft.'),
  ('01900000-0000-7000-8000-ca7e00000013', 'how-to', 'How-to and style', 'Instructions, crafts and homes.'),
  ('01900000-0000-7000-8000-ca7e00000014', 'people-blogs', 'People and blogs', 'Lives, journals and conversations.');

insert into genres (id, slug, name) values
  ('01900000-0000-7000-8000-6e1200000001', 'action', 'Action'),
  ('01900000-0000-7000-8000-6e1200000002', 'adventure', 'Adventure'),
  ('01900000-0000-7000-8000-6e1200000003', 'animation', 'Animation'),
  ('01900000-0000-7000-8000-6e1200000004', 'anime', 'Anime'),
  ('01900000-0000-7000-8000-6e1200000005', 'biography', 'Biography'),
  ('01900000-0000-7000-8000-6e1200000006', 'comedy', 'Comedy'),
  ('01900000-0000-7000-8000-6e1200000007', 'crime', 'Crime'),
  ('01900000-0000-7000-8000-6e1200000008', 'documentary', 'Documentary'),
  ('01900000-0000-7000-8000-6e1200000009', 'drama', 'Drama'),
  ('01900000-0000-7000-8000-6e120000000a', 'experimental', 'Experimental'),
  ('01900000-0000-7000-8000-6e120000000b', 'family', 'Family'),
  ('01900000-0000-7000-8000-6e120000000c', 'fantasy', 'Fantasy'),
  ('01900000-0000-7000-8000-6e120000000d', 'film-noir', 'Film noir'),
  ('01900000-0000-7000-8000-6e120000000e', 'game-show', 'Game show'),
  ('01900000-0000-7000-8000-6e120000000f', 'historical', 'Historical'),
  ('01900000-0000-7000-8000-6e1200000010', 'horror', 'Horror'),
  ('01900000-0000-7000-8000-6e1200000011', 'music', 'Music'),
  ('01900000-0000-7000-8000-6e1200000012', 'musical', 'Musical'),
  ('01900000-0000-7000-8000-6e1200000013', 'mystery', 'Mystery'),
  ('01900000-0000-7000-8000-6e1200000014', 'news', 'News'),
  ('01900000-0000-7000-8000-6e1200000015', 'reality', 'Reality'),
  ('01900000-0000-7000-8000-6e1200000016', 'romance', 'Romance'),
  ('01900000-0000-7000-8000-6e1200000017', 'satire', 'Satire'),
  ('01900000-0000-7000-8000-6e1200000018', 'science-fiction', 'Science fiction'),
  ('01900000-0000-7000-8000-6e1200000019', 'sitcom', 'Sitcom'),
  ('01900000-0000-7000-8000-6e120000001a', 'sport', 'Sport'),
  ('01900000-0000-7000-8000-6e120000001b', 'superhero', 'Superhero'),
  ('01900000-0000-7000-8000-6e120000001c', 'talk-show', 'Talk show'),
  ('01900000-0000-7000-8000-6e120000001d', 'thriller', 'Thriller'),
  ('01900000-0000-7000-8000-6e120000001e', 'variety', 'Variety'),
  ('01900000-0000-7000-8000-6e120000001f', 'war', 'War'),
  ('01900000-0000-7000-8000-6e1200000020', 'western', 'Western');

insert into ratings (id, position, system, code, description, minimum_age) values
  ('01900000-0000-7000-8000-4a7100000001', 1, 'MPAA', 'G', 'General audiences: all ages admitted.', 0),
  ('01900000-0000-7000-8000-4a7100000002', 2, 'MPAA', 'PG',
    'Parental guidance suggested: some material may not be suitable for children.', 8),
  ('01900000-0000-7000-8000-4a7100000003', 3, 'MPAA', 'PG-13',
    'Parents strongly cautioned: some material may be inappropriate for children under 13.', 13),
  ('01900000-0000-7000-8000-4a7100000004', 4, 'MPAA', 'R',
    'Restricted: under 17 requires an accompanying parent or adult guardian.', 17),
  ('01900000-0000-7000-8000-4a7100000005', 5, 'MPAA', 'NC-17', 'Adults only: no one 17 and under admitted.', 18),
  ('01900000-0000-7000-8000-4a7100000006', 6, 'MPAA', 'NR',
    'Not rated: the film was not submitted for a rating.', null),
  ('01900000-0000-7000-8000-4a7100000007', 7, 'TV', 'TV-Y', 'All children.', 0),
  ('01900000-0000-7000-8000-4a7100000008', 8, 'TV', 'TV-Y7', 'Directed to older children, of age 7 and above.', 7),
  ('01900000-0000-7000-8000-4a7100000009', 9, 'TV', 'TV-Y7-FV',
    'Directed to older children, with fantasy violence.', 7),
  ('01900000-0000-7000-8000-4a710000000a', 10, 'TV', 'TV-G', 'General audience.', 0),
  ('01900000-0000-7000-8000-4a710000000b', 11, 'TV', 'TV-PG', 'Parental guidance suggested.', 8),
  ('01900000-0000-7000-8000-4a710000000c', 12, 'TV', 'TV-14',
    'Parents strongly cautioned: may be unsuitable for children under 14.', 14),
  ('01900000-0000-7000-8000-4a710000000d', 13, 'TV', 'TV-MA',
    'Mature audience only: may be unsuitable for children under 17.', 17),
  ('01900000-0000-7000-8000-4a710000000e', 14, 'USA_PR', 'TVY', 'All children.', 0),
  ('01900000-0000-7000-8000-4a710000000f', 15, 'USA_PR', 'TVY7', 'Directed to older children, of age 7 and above.', 7),
  ('01900000-0000-7000-8000-4a7100000010', 16, 'USA_PR', 'TVG', 'General audience.', 0),
  ('01900000-0000-7000-8000-4a7100000011', 17, 'USA_PR', 'TVPG', 'Parental guidance suggested.', 8),
  ('01900000-0000-7000-8000-4a7100000012', 18, 'USA_PR', 'TV14',
    'Parents strongly cautioned: may be unsuitable for children under 14.', 14),
  ('01900000-0000-7000-8000-4a7100000013', 19, 'USA_PR', 'TVMA',
    'Mature audience only: may be unsuitable for children under 17.', 17),
  ('01900000-0000-7000-8000-4a7100000014', 20, 'MSO', 'ADULT', 'Adults only, as cable operators mark it.', 18),
  ('01900000-0000-7000-8000-4a7100000015', 21, 'UNKNOWN', 'UNRATED', 'Nobody has rated it.', null);
