import { type Person, type TestCatalog, uuidOf } from '../domains/catalog/testing.ts';
import { formatDid } from '../gql/index.ts';
import { newId } from '../kernel/ids.ts';

/** A playlist of the owner's channel with one item. */
export interface TestPlaylist {
  readonly id: string;
  readonly item: string;
}

export async function createVideo(catalog: TestCatalog, owner: Person): Promise<string> {
  const [id, content] = [newId(), await catalog.content(owner, { status: 'PUBLISHED' })];
  await catalog.platform.store.put(`sources/${id}`, Buffer.from('a clip'), { contentType: 'application/octet-stream' });
  await catalog.rows(
    `insert into video_assets (id, channel_id, content_id, hint, filename, source_key, size_bytes, mime_type, width,
      height, duration_ms, ready_at)
     values ($1, $2, $3, 'LANDSCAPE_VIDEO', 'a.mp4', $4, 6, 'video/mp4', 1280, 720, 60000, now())`,
    [id, owner.channelId, uuidOf(content), `sources/${id}`],
  );
  return content;
}

/** The same; the video is the first half of its original. */
export async function createTrimmedVideo(catalog: TestCatalog, owner: Person): Promise<string> {
  const content = await createVideo(catalog, owner);
  await catalog.rows(
    `update video_assets set edit = 'TRIM', original_key = source_key, original_bytes = 6, source_key = 'sources/half',
       kept_ranges = '[{"startMs":0,"endMs":60000}]' where content_id = $1`,
    [uuidOf(content)],
  );
  return content;
}

export async function addChannel(catalog: TestCatalog, owner: Person): Promise<string> {
  const id = newId();
  await catalog.rows(
    `with added as (
       insert into channels (id, account_id, handle, name, title) values ($1, $2, $3, 'More', 'More')
     ), kept_id as (
       insert into channel_ids (id) values ($1)
     )
     insert into channel_members (channel_id, account_id, role)
     select $1, account_id, role from channel_members where channel_id = $4`,
    [id, owner.accountId, `more-${id.slice(-12)}`, owner.channelId],
  );
  return formatDid(catalog.platform.config.DID_NAMESPACE, 'channel', id);
}

export async function makePlaylist(catalog: TestCatalog, owner: Person, visibility: string): Promise<TestPlaylist> {
  const [id, item] = [newId<'playlist'>(catalog.clock.now()), newId<'playlist-item'>(catalog.clock.now())];
  const content = await catalog.content(owner, { status: 'PUBLISHED' });
  await catalog.rows(`insert into playlists (id, channel_id, title, visibility) values ($1, $2, 'A list', $3)`, [
    id,
    owner.channelId,
    visibility,
  ]);
  await catalog.rows(
    `insert into playlist_items (id, playlist_id, content_id, position, open) values ($1, $2, $3, 'a0', true)`,
    [item, id, uuidOf(content)],
  );
  const { DID_NAMESPACE } = catalog.platform.config;
  return { id: formatDid(DID_NAMESPACE, 'playlist', id), item: formatDid(DID_NAMESPACE, 'playlistItem', item) };
}

export async function addComment(catalog: TestCatalog, owner: Person, author: Person): Promise<string> {
  const id = newId();
  await catalog.rows(
    'insert into comments (id, channel_id, content_id, account_id, body, created_at) values ($1, $2, $3, $4, ' +
      `'Hello', now())`,
    [id, owner.channelId, uuidOf(await catalog.content(owner, { status: 'PUBLISHED' })), author.accountId],
  );
  return formatDid(catalog.platform.config.DID_NAMESPACE, 'comment', id);
}
