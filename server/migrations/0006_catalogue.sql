-- Series, seasons, episodes, miniseries and streams as the audience meets them: what contents above let through, the order
-- below a container, taxonomy, and the figures of a channel's dashboard.

-- taxonomy ------------------------------------------------------------------------------------------------
-- Identifiers are the same on every installation, so that programs may keep them.

create table categories (
  id          uuid primary key,
  slug        text not null unique,
  name        text not null unique,
  description text not null
);

create table genres (
  id   uuid primary key,
  slug text not null unique,
  name text not null unique
);

-- minimum_age: the youngest age in years a rating suits without company; null where it says nothing about that.
create table ratings (
  id          uuid primary key,
  position    smallint not null unique,
  system      text not null check (system in ('MPAA', 'MSO', 'TV', 'UNKNOWN', 'USA_PR')),
  code        text not null,
  description text not null,
  minimum_age smallint check (minimum_age between 0 and 21),
  unique (system, code)
);

insert into categories (id, slug, name, description) values
  ('01900000-0000-7000-8000-ca7e00000001', 'film-animation', 'Film and animation', 'Films, short films and animation.'),
  ('01900000-0000-7000-8000-ca7e00000002', 'music', 'Music', 'Songs, concerts and music videos.'),
  ('01900000-0000-7000-8000-ca7e00000003', 'gaming', 'Gaming', 'Games and those who play them.'),
  ('01900000-0000-7000-8000-ca7e00000004', 'news-politics', 'News and politics', 'What happens in the world, and what it means.'),
  ('01900000-0000-7000-8000-ca7e00000005', 'science-technology', 'Science and technology', 'Research, devices and how they work.'),
  ('01900000-0000-7000-8000-ca7e00000006', 'education', 'Education', 'Lessons, lectures and explanations.'),
  ('01900000-0000-7000-8000-ca7e00000007', 'sports', 'Sports', 'Matches, training and athletes.'),
  ('01900000-0000-7000-8000-ca7e00000008', 'travel', 'Travel', 'Places and the way to them.'),
  ('01900000-0000-7000-8000-ca7e00000009', 'food-drink', 'Food and drink', 'Cooking, eating and drinking.'),
  ('01900000-0000-7000-8000-ca7e0000000a', 'fashion-beauty', 'Fashion and beauty', 'Clothes, make-up and style.'),
  ('01900000-0000-7000-8000-ca7e0000000b', 'health-fitness', 'Health and fitness', 'Body, mind and exercise.'),
  ('01900000-0000-7000-8000-ca7e0000000c', 'comedy', 'Comedy', 'Sketches, stand-up and parody.'),
  ('01900000-0000-7000-8000-ca7e0000000d', 'entertainment', 'Entertainment', 'Shows, celebrities and pastimes.'),
  ('01900000-0000-7000-8000-ca7e0000000e', 'kids-family', 'Kids and family', 'For children and those who live with them.'),
  ('01900000-0000-7000-8000-ca7e0000000f', 'business-finance', 'Business and finance', 'Companies, work and money.'),
  ('01900000-0000-7000-8000-ca7e00000010', 'arts-culture', 'Arts and culture', 'Painting, theatre, literature and heritage.'),
  ('01900000-0000-7000-8000-ca7e00000011', 'nature-animals', 'Nature and animals', 'Landscapes, plants, animals and pets.'),
  ('01900000-0000-7000-8000-ca7e00000012', 'vehicles', 'Cars and vehicles', 'Cars, motorcycles, trains, ships and aircraft.'),
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
  ('01900000-0000-7000-8000-4a7100000002', 2, 'MPAA', 'PG', 'Parental guidance suggested: some material may not be suitable for children.', 8),
  ('01900000-0000-7000-8000-4a7100000003', 3, 'MPAA', 'PG-13', 'Parents strongly cautioned: some material may be inappropriate for children under 13.', 13),
  ('01900000-0000-7000-8000-4a7100000004', 4, 'MPAA', 'R', 'Restricted: under 17 requires an accompanying parent or adult guardian.', 17),
  ('01900000-0000-7000-8000-4a7100000005', 5, 'MPAA', 'NC-17', 'Adults only: no one 17 and under admitted.', 18),
  ('01900000-0000-7000-8000-4a7100000006', 6, 'MPAA', 'NR', 'Not rated: the film was not submitted for a rating.', null),
  ('01900000-0000-7000-8000-4a7100000007', 7, 'TV', 'TV-Y', 'All children.', 0),
  ('01900000-0000-7000-8000-4a7100000008', 8, 'TV', 'TV-Y7', 'Directed to older children, of age 7 and above.', 7),
  ('01900000-0000-7000-8000-4a7100000009', 9, 'TV', 'TV-Y7-FV', 'Directed to older children, with fantasy violence.', 7),
  ('01900000-0000-7000-8000-4a710000000a', 10, 'TV', 'TV-G', 'General audience.', 0),
  ('01900000-0000-7000-8000-4a710000000b', 11, 'TV', 'TV-PG', 'Parental guidance suggested.', 8),
  ('01900000-0000-7000-8000-4a710000000c', 12, 'TV', 'TV-14', 'Parents strongly cautioned: may be unsuitable for children under 14.', 14),
  ('01900000-0000-7000-8000-4a710000000d', 13, 'TV', 'TV-MA', 'Mature audience only: may be unsuitable for children under 17.', 17),
  ('01900000-0000-7000-8000-4a710000000e', 14, 'USA_PR', 'TVY', 'All children.', 0),
  ('01900000-0000-7000-8000-4a710000000f', 15, 'USA_PR', 'TVY7', 'Directed to older children, of age 7 and above.', 7),
  ('01900000-0000-7000-8000-4a7100000010', 16, 'USA_PR', 'TVG', 'General audience.', 0),
  ('01900000-0000-7000-8000-4a7100000011', 17, 'USA_PR', 'TVPG', 'Parental guidance suggested.', 8),
  ('01900000-0000-7000-8000-4a7100000012', 18, 'USA_PR', 'TV14', 'Parents strongly cautioned: may be unsuitable for children under 14.', 14),
  ('01900000-0000-7000-8000-4a7100000013', 19, 'USA_PR', 'TVMA', 'Mature audience only: may be unsuitable for children under 17.', 17),
  ('01900000-0000-7000-8000-4a7100000014', 20, 'MSO', 'ADULT', 'Adults only, as cable operators mark it.', 18),
  ('01900000-0000-7000-8000-4a7100000015', 21, 'UNKNOWN', 'UNRATED', 'Nobody has rated it.', null);

-- position: the order in which they were given; the first is the one a content is known for.
create table content_categories (
  content_id  uuid not null references contents on delete cascade,
  category_id uuid not null references categories,
  position    smallint not null,
  primary key (content_id, category_id)
);
create index content_categories_category on content_categories (category_id, content_id);

create table content_genres (
  content_id uuid not null references contents on delete cascade,
  genre_id   uuid not null references genres,
  position   smallint not null,
  primary key (content_id, genre_id)
);
create index content_genres_genre on content_genres (genre_id, content_id);

create table channel_categories (
  channel_id  uuid not null references channels on delete cascade,
  category_id uuid not null references categories,
  position    smallint not null,
  primary key (channel_id, category_id)
);
create index channel_categories_category on channel_categories (category_id, channel_id);

-- what a content is ---------------------------------------------------------------------------------------

alter table contents
  add column rating_id uuid references ratings,
  -- A BCP 47 language tag: a language, and a region where it matters.
  add column language text check (language ~ '^[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|[0-9]{3}))?$'),
  -- Episodes: whether it opens or closes its season.
  add column is_premiere boolean not null default false,
  add column is_finale boolean not null default false,
  -- Streams: what the broadcaster wants its audience to know.
  add column note text not null default '',
  -- How far the containers above let a content effective_visibility: the least of theirs. LISTED for what is in no container.
  add column parent_effective_visibility text not null default 'PUBLIC' check (parent_effective_visibility in ('PUBLIC', 'UNLISTED', 'PRIVATE'));
-- How far a content reaches: LISTED in public lists, with the LINK only, or NONE but its channel's members.
alter table contents
  add column effective_visibility text not null generated always as (
    case when status <> 'PUBLISHED' or visibility = 'PRIVATE' or deleted_at is not null or parent_effective_visibility = 'PRIVATE' then 'PRIVATE'
         when visibility = 'UNLISTED' or parent_effective_visibility = 'UNLISTED' then 'UNLISTED'
         else 'PUBLIC' end) stored;
alter table contents alter column listed set expression as
  (status = 'PUBLISHED' and visibility = 'PUBLIC' and deleted_at is null and parent_effective_visibility = 'PUBLIC');

-- Numbers are unique below a parent. Checked at the end of a statement, so that one statement may renumber them all.
alter table contents add constraint contents_number_taken
  exclude using btree (parent_id with =, number with =) where (deleted_at is null and parent_id is not null) deferrable initially immediate;
-- What the audience of a container finds in it; a container that is hidden hides it as a whole.
create index contents_children_shown on contents (parent_id, number, id)
  where status = 'PUBLISHED' and visibility = 'PUBLIC' and deleted_at is null;
create index contents_rating on contents (rating_id) where rating_id is not null;

-- A content takes its place below a parent: of the right kind, in the same channel. The lock makes it wait for a change of the
-- parent's effective_visibility that is on its way, so that none is missed.
create function contents_set_parent() returns trigger language plpgsql as $$
declare p record;
begin
  if new.parent_id is null then
    new.parent_effective_visibility := 'PUBLIC';
    return new;
  end if;
  select kind, channel_id, effective_visibility into p from contents where id = new.parent_id for share;
  if not found then return new; end if; -- the foreign key says so
  if p.channel_id <> new.channel_id or not ((p.kind = 'SERIE' and new.kind = 'SEASON') or (p.kind in ('SEASON', 'MINISERIE') and new.kind = 'EPISODE')) then
    raise exception 'a % cannot be below this %', new.kind, p.kind using errcode = 'check_violation', constraint = 'contents_parent_kind';
  end if;
  new.parent_effective_visibility := p.effective_visibility;
  return new;
end $$;
create trigger contents_set_parent before insert or update of parent_id, channel_id, kind on contents
  for each row execute function contents_set_parent();

-- Passes a changed effective_visibility of containers on to what is in them; that statement passes it on to the next level.
create function contents_propagate_visibility() returns trigger language plpgsql as $$
begin
  if not exists (select 1 from new_rows n join old_rows o on o.id = n.id
                 where n.effective_visibility <> o.effective_visibility and n.kind in ('SERIE', 'SEASON', 'MINISERIE')) then
    return null;
  end if;
  update contents c set parent_effective_visibility = n.effective_visibility
  from new_rows n join old_rows o on o.id = n.id
  where n.effective_visibility <> o.effective_visibility and c.parent_id = n.id and c.parent_effective_visibility <> n.effective_visibility;
  return null;
end $$;
create trigger contents_propagate_visibility after update on contents referencing old table as old_rows new table as new_rows
  for each statement execute function contents_propagate_visibility();

-- counters ------------------------------------------------------------------------------------------------
-- 'children:shown' and 'children:kept' have the container; 'channel:<KIND>:<STATUS>' has the channel and counts what is kept.

-- Which of these counters a content is counted in.
create function contents_counted_in(p_parent uuid, p_channel uuid, p_kind text, p_status text, p_visibility text, p_kept boolean)
returns table (scope text, key uuid) language sql immutable as $$
  select 'channel:' || p_kind || ':' || p_status, p_channel where p_kept
  union all
  select 'children:kept', p_parent where p_kept and p_parent is not null
  union all
  select 'children:shown', p_parent where p_kept and p_parent is not null and p_status = 'PUBLISHED' and p_visibility = 'PUBLIC';
$$;

-- Always in the same order, so that two writers never wait for each other.
create function contents_count_places() returns trigger language plpgsql as $$
declare r record;
begin
  if tg_op = 'INSERT' then
    for r in select i.scope, i.key, count(*) as n
             from new_rows c, contents_counted_in(c.parent_id, c.channel_id, c.kind, c.status, c.visibility, c.deleted_at is null) i
             group by 1, 2 order by 1, 2 loop
      perform counter_add(r.scope, r.key, r.n);
    end loop;
  elsif tg_op = 'DELETE' then
    for r in select i.scope, i.key, count(*) as n
             from old_rows c, contents_counted_in(c.parent_id, c.channel_id, c.kind, c.status, c.visibility, c.deleted_at is null) i
             group by 1, 2 order by 1, 2 loop
      perform counter_add(r.scope, r.key, -r.n);
    end loop;
  else
    for r in select d.scope, d.key, sum(d.n)::bigint as n from (
               select i.scope, i.key, 1 as n
               from new_rows c, contents_counted_in(c.parent_id, c.channel_id, c.kind, c.status, c.visibility, c.deleted_at is null) i
               union all
               select i.scope, i.key, -1
               from old_rows c, contents_counted_in(c.parent_id, c.channel_id, c.kind, c.status, c.visibility, c.deleted_at is null) i) d
             group by 1, 2 having sum(d.n) <> 0 order by 1, 2 loop
      perform counter_add(r.scope, r.key, r.n);
    end loop;
  end if;
  return null;
end $$;
create trigger contents_count_places_insert after insert on contents referencing new table as new_rows
  for each statement execute function contents_count_places();
create trigger contents_count_places_update after update on contents referencing old table as old_rows new table as new_rows
  for each statement execute function contents_count_places();
create trigger contents_count_places_delete after delete on contents referencing old table as old_rows
  for each statement execute function contents_count_places();
insert into counters (scope, key, shard, value)
  select i.scope, i.key, 0, count(*)
  from contents c, contents_counted_in(c.parent_id, c.channel_id, c.kind, c.status, c.visibility, c.deleted_at is null) i
  group by 1, 2;

-- What a channel keeps in storage.
create index video_assets_storage on video_assets (channel_id) include (size_bytes);
create index image_assets_storage on image_assets (channel_id) include (size_bytes);
