import { ensureTestChannel } from '../domains/accounts/tokens/tokens.store.ts';
import { type Person, type TestCatalog, uuidOf } from '../domains/catalog/testing.ts';
import { type DidKind, formatDid } from '../gql/index.ts';
import type { AccountId } from '../kernel/ids.ts';
import { addChannel } from './seed-catalog.ts';
import { createSeedData, type SeedData } from './seed-data.ts';

/** Kinds whose objects everybody sees, or operators only. */
export const PUBLIC_KINDS: readonly DidKind[] = ['category', 'genre', 'rating', 'user'];

/** What exists and is not public, by its kind: what it is, and its DID. */
export type HiddenObjects = ReadonlyMap<DidKind, readonly (readonly [what: string, did: string])[]>;

/** The rows of a channel ($1) by kind, as `id`. */
const ROWS: Readonly<Partial<Record<DidKind, string>>> = {
  captions: 'select id from captions where channel_id = $1',
  imageAsset: 'select id from image_assets where channel_id = $1',
  videoAsset: 'select id from video_assets where channel_id = $1',
  serverChannel: 'select id from channels where id = $1',
  serverVideo: 'select id from video_assets where channel_id = $1',
  job: 'select id from transcode_jobs where channel_id = $1',
  serverJob: 'select id from transcode_jobs where channel_id = $1',
  ingestion: 'select id from ingestions where channel_id = $1',
  comment: 'select id from comments where channel_id = $1',
  chatMessage: 'select id from chat_messages where channel_id = $1',
  commentEdit: 'select e.id from comment_edits e join comments c on c.id = e.comment_id where c.channel_id = $1',
  playlist: 'select id from playlists where channel_id = $1',
  playlistItem: 'select i.id from playlist_items i join playlists p on p.id = i.playlist_id where p.channel_id = $1',
  webhook: 'select id from webhooks where channel_id = $1',
  webhookDelivery:
    'select d.id from webhook_deliveries d join webhooks w on w.id = d.webhook_id where w.channel_id = $1',
  signingKey: 'select id from signing_keys where channel_id = $1',
  contentShare: 'select id from content_shares where channel_id = $1',
  shareLink: 'select id from share_links where channel_id = $1',
  liveInput: 'select id from live_inputs where channel_id = $1',
  simulcastTarget:
    'select t.id from simulcast_targets t join live_inputs i on i.id = t.input_id where i.channel_id = $1',
  contentTest: 'select t.id from content_tests t join contents c on c.id = t.content_id where c.channel_id = $1',
  contentTestVariant: `select v.id from content_test_variants v join content_tests t on t.id = v.test_id
    join contents c on c.id = t.content_id where c.channel_id = $1`,
  report: 'select id from reports where channel_id = $1',
  serverReport: 'select id from reports where channel_id = $1',
  channelInvitation: 'select id from channel_invitations where channel_id = $1',
  youtubePublishJob: 'select id from youtube_publish_jobs where channel_id = $1',
  member: 'select id from channel_members where channel_id = $1',
  membership: 'select id from channel_members where channel_id = $1',
  block: 'select id from channel_blocks where channel_id = $1',
  searchHit: `select id from contents where channel_id = $1 and visibility = 'PRIVATE'`,
  watched: `select id from contents where channel_id = $1 and visibility = 'PRIVATE'`,
};

/**
 * Another channel of the owner, in which nothing is public: every kind of object that arguments name, and contents that
 * are private, drafts and in the trash. Channels are hidden as test channels of somebody else.
 */
export async function hideObjects(catalog: TestCatalog, owner: Person): Promise<HiddenObjects> {
  const channel = await addChannel(catalog, owner);
  const things = createSeedData(catalog, { ...owner, channel, channelId: uuidOf(channel) }, true);
  const hidden = new Map<DidKind, [string, string][]>();
  const add = (kind: DidKind, what: string, did: string) =>
    hidden.set(kind, [...(hidden.get(kind) ?? []), [what, did]]);
  for (const what of ['private', 'draft', 'trashed'] as const)
    for (const [kind, did] of await hiddenContents(things, what)) add(kind, what, did);
  await fillChannel(things);
  const { DID_NAMESPACE } = catalog.platform.config;
  for (const [kind, text] of Object.entries(ROWS) as [DidKind, string][])
    for (const { id } of await catalog.rows<{ id: string }>(`${text} limit 2`, [uuidOf(channel)]))
      add(kind, 'of a private content', formatDid(DID_NAMESPACE, kind, id));
  const somebody = await catalog.person('somebody_else');
  const tests = await ensureTestChannel(catalog.platform.db, somebody.accountId as AccountId, catalog.clock.now());
  add('channel', 'for tests', formatDid(DID_NAMESPACE, 'channel', tests));
  add('token', 'of somebody', await things.token(somebody));
  add('dataExport', 'of somebody', await things.dataExport(somebody));
  await things.notified(somebody);
  for (const { id } of await catalog.rows<{ id: string }>('select id from notifications where account_id = $1', [
    somebody.accountId,
  ]))
    add('notification', 'of somebody', formatDid(DID_NAMESPACE, 'notification', id));
  add('invitation', 'to the server', await things.invitation());
  return hidden;
}

async function hiddenContents(
  things: SeedData,
  what: 'private' | 'draft' | 'trashed',
): Promise<readonly (readonly [DidKind, string])[]> {
  const { serie, season, episode } = await things.series();
  const made = [
    ...([['serie', serie] as const, ['season', season] as const, ['episode', episode] as const] as const),
    ['feature', await things.content()] as const,
    ['short', await things.content({ kind: 'SHORT' })] as const,
    ['miniserie', await things.content({ kind: 'MINISERIES' })] as const,
    ['stream', await things.content({ kind: 'STREAM' })] as const,
  ];
  const changes = {
    private: `visibility = 'PRIVATE'`,
    draft: `visibility = 'PUBLIC', status = 'DRAFT', published_at = null`,
    trashed: `visibility = 'PUBLIC', deleted_at = '${new Date(things.catalog.clock.now()).toISOString()}'`,
  };
  const ids = made.map(([, did]) => uuidOf(did));
  await things.catalog.rows(`update contents set ${changes[what]} where id = any($1)`, [ids]);
  return made;
}

/** One of everything else. */
async function fillChannel(things: SeedData): Promise<void> {
  const { catalog, owner } = things;
  const [comment, content] = [await things.comment(), await things.content()];
  await things.captions();
  await things.image();
  await things.processed();
  await things.job();
  await things.playlist();
  await things.webhook();
  await things.signingKey();
  await things.contentShare();
  await things.shareLink();
  await things.simulcastTarget();
  await things.chatMessage();
  await things.contentTest();
  await things.report();
  await things.channelInvitation();
  await things.publication();
  await catalog.ok(
    owner,
    `mutation { createContentAsset(id: "${content}",
      input: { filename: "a.png", size: 1000, image: { hint: THUMBNAIL } }) { __typename } }`,
  );
  await catalog.ok(
    owner,
    `mutation { updateComment(id: "${comment}", input: { body: "Changed" }) { comment { id } } }`,
  );
  const { accountId } = await things.commenter();
  await catalog.rows(
    'insert into channel_blocks (id, channel_id, account_id, created_at) values (uuidv7(), $1, $2, now())',
    [owner.channelId, accountId],
  );
}
