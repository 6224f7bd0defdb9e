import { randomUUID } from 'node:crypto';
import { openTestCatalog, type Person, type TestCatalog, uuidOf } from '../domains/catalog/testing.ts';
import { formatDid } from '../gql/index.ts';
import { newId } from '../kernel/ids.ts';
import type { ChannelRole } from '../kernel/permissions.ts';
import type { Examples } from './example-documents.ts';

export const PERSONAS = ['anonymous', 'lapsed', 'stranger', 'viewer', 'editor', 'manager', 'owner'] as const;
export type Persona = (typeof PERSONAS)[number];

/** Arguments of a mutation for one call: what it acts on is made for it. */
type Prepare = (world: Tools) => Promise<string> | string;

interface Tools {
  readonly catalog: TestCatalog;
  readonly owner: Person;
  /** A new content of the owner's channel, by its DID. */
  content(options?: Parameters<TestCatalog['content']>[1]): Promise<string>;
  /** A published series with a season and an episode. */
  series(): Promise<{ readonly serie: string; readonly season: string; readonly episode: string }>;
  /** A draft of the owner's channel whose video has arrived. */
  uploaded(): Promise<string>;
  /** A webhook of the owner's channel, with a delivery. */
  webhook(): Promise<{ readonly id: string; readonly deliveryId: string }>;
  /** A further channel of the owner with the same members, by its DID. */
  channel(): Promise<string>;
  /** A new account that works on nothing yet, by its user name. */
  account(): Promise<string>;
  /** Captions of a content of the owner's channel. */
  captions(): Promise<string>;
  /** A queued job of the owner's channel. */
  job(): Promise<string>;
  /** A content of the owner's channel that is in the trash. */
  trashed(): Promise<string>;
  playlist(): Promise<TestPlaylist>;
}

/** One channel with something of everything, and everyone who may or may not touch it. */
export interface ExampleWorld extends Pick<TestCatalog, 'counted' | 'run'> {
  /** Null for the anonymous one. */
  readonly people: Readonly<Record<Persona, Person | null>>;
  /** Arguments of fields that read. */
  readonly queries: Examples;
  /** What a mutation called `name` is called with; null when it has no example. */
  mutation(name: string): Promise<string | null>;
  /** As the owner; fails the test when there are errors. */
  ok(query: string): Promise<unknown>;
  close(): Promise<void>;
}

const CAPTIONS = '1\\n00:00:01,000 --> 00:00:02,000\\nHello\\n';
/** A playlist of the owner's channel with one item. */
interface TestPlaylist {
  readonly id: string;
  readonly item: string;
}

const CONTENT_FILE = 'filename: "a.mp4", size: 1000, video: { hint: LANDSCAPE_VIDEO }';

/** Mutations by name: every one has an entry, so that a new one is tried as everybody from its first day. */
const MUTATIONS: Readonly<Record<string, Prepare>> = {
  createChannelAsset: ({ owner }) => `id: "${owner.channel}", input: { filename: "a.png", size: 1000, image: { hint: AVATAR } }`,
  createContent: ({ owner }) => `channel: "${owner.channel}", input: { title: "New" }`,
  createContentAsset: async (w) => `id: "${await w.content()}", input: { ${CONTENT_FILE} }`,
  updateContent: async (w) => `id: "${await w.content()}", input: { title: "Changed" }`,
  publishContent: async (w) => `id: "${await w.content()}"`,
  unpublishContent: async (w) => `id: "${await w.content({ status: 'READY' })}"`,
  deleteContent: async (w) => `id: "${await w.content()}"`,
  restoreContent: async (w) => `id: "${await w.trashed()}"`,
  createContentCaptions: async (w) => `id: "${await w.content()}", input: { language: "en", text: "${CAPTIONS}" }`,
  updateContentCaptions: async (w) => `id: "${await w.captions()}", input: { label: "Changed" }`,
  deleteContentCaptions: async (w) => `id: "${await w.captions()}"`,
  setContentChapters: async (w) => `id: "${await w.content()}", input: { chapters: [] }`,
  cancelJob: async (w) => `id: "${await w.job()}"`,
  purgeContent: async (w) => `id: "${await w.trashed()}"`,
  createChannel: () => `input: { name: "New", handle: "new-${newId().slice(-12)}" }`,
  deleteChannel: async (w) => `id: "${await w.channel()}"`,
  updateProfile: () => 'input: { displayName: "New" }',
  updateSettings: () => 'input: { keepHistory: false }',
  transferChannel: async (w) => `channel: "${await w.channel()}", username: "${await w.account()}"`,
  addChannelMember: async (w) => `channel: "${w.owner.channel}", input: { username: "${await w.account()}", role: VIEWER }`,
  updateChannelMember: async (w) => `channel: "${await w.channel()}", input: { username: "the_viewer", role: EDITOR }`,
  removeChannelMember: async (w) => `channel: "${w.owner.channel}", username: "${await w.account()}"`,
  publishContents: async (w) => `ids: ["${await w.content()}"]`,
  deleteContents: async (w) => `ids: ["${await w.content()}"]`,
  updateContents: async (w) => `input: { items: [{ id: "${await w.content()}", changes: { title: "Changed" } }] }`,
  setChannelCategories: ({ owner }) => `channel: "${owner.channel}", categories: []`,
  updateChannel: ({ owner }) => `id: "${owner.channel}", input: { summary: "Changed" }`,
  submitContentForProcessing: async (w) => `id: "${await w.uploaded()}"`,
  finalizeContentUpload: async (w) => `input: { contentId: "${await w.uploaded()}" }`,
  waitForProcessing: async (w) => `input: { contentId: "${await w.content()}", timeoutSeconds: 1 }`,
  trackEngagement: async (w) =>
    `input: { events: [{ kind: START, contentId: "${await w.content({ status: 'PUBLISHED' })}", sessionId: "${randomUUID()}", seq: 0, occurredAt: "${new Date(w.catalog.clock.now()).toISOString()}", positionMs: 0 }] }`,
  createSerie: ({ owner }) => `channel: "${owner.channel}", input: { title: "New" }`,
  createMiniserie: ({ owner }) => `channel: "${owner.channel}", input: { title: "New" }`,
  createStream: ({ owner }) => `channel: "${owner.channel}", input: { title: "New" }`,
  createSeason: async (w) => `serie: "${(await w.series()).serie}", input: { title: "New" }`,
  createEpisode: async (w) => `parent: "${(await w.series()).season}", input: { title: "New" }`,
  moveSeason: async (w) => `id: "${(await w.series()).season}", number: 7`,
  moveEpisode: async (w) => `id: "${(await w.series()).episode}", number: 7`,
  renumberSeasons: async (w) => `serie: "${(await w.series()).serie}"`,
  renumberEpisodes: async (w) => `parent: "${(await w.series()).season}"`,
  generateApiKey: () => '',
  revealApiKey: () => '',
  regenerateApiKey: () => '',
  startTrial: () => '',
  createWebhook: ({ owner }) => `channel: "${owner.channel}", input: { url: "https://1.1.1.1/hook", events: ["content.published"] }`,
  updateWebhook: async (w) => `id: "${(await w.webhook()).id}", input: { description: "Changed" }`,
  deleteWebhook: async (w) => `id: "${(await w.webhook()).id}"`,
  rotateWebhookSecret: async (w) => `id: "${(await w.webhook()).id}"`,
  testWebhook: async (w) => `id: "${(await w.webhook()).id}"`,
  redeliverWebhook: async (w) => `deliveryId: "${(await w.webhook()).deliveryId}"`,
  removeFromHistory: async (w) => `id: "${await w.content({ status: 'PUBLISHED' })}"`,
  clearHistory: () => '',
  createPlaylist: ({ owner }) => `channel: "${owner.channel}", input: { title: "New" }`,
  createPlaylistWithItems: async (w) =>
    `input: { title: "New", channel: "${w.owner.channel}", contentIds: ["${await w.content({ status: 'PUBLISHED' })}"] }`,
  createPlaylistAsset: async (w) =>
    `id: "${(await w.playlist()).id}", input: { filename: "a.png", size: 1000, image: { hint: THUMBNAIL } }`,
  updatePlaylist: async (w) => `id: "${(await w.playlist()).id}", input: { title: "Changed" }`,
  deletePlaylist: async (w) => `id: "${(await w.playlist()).id}"`,
  addPlaylistItems: async (w) => `id: "${(await w.playlist()).id}", input: { contentIds: ["${await w.content({ status: 'PUBLISHED' })}"] }`,
  movePlaylistItem: async (w) => `id: "${(await w.playlist()).item}", input: { index: 0 }`,
  movePlaylistItems: async (w) => {
    const { id, item } = await w.playlist();
    return `id: "${id}", input: { itemIds: ["${item}"], index: 0 }`;
  },
  removePlaylistItems: async (w) => {
    const { id, item } = await w.playlist();
    return `id: "${id}", itemIds: ["${item}"]`;
  },
  publishVideo: ({ owner }) => `input: { title: "New", channel: "${owner.channel}", filename: "a.mp4", size: 1000 }`,
};

export async function openExampleWorld(): Promise<ExampleWorld> {
  const catalog = await openTestCatalog({ jobs: true });
  try {
    return await makeWorld(catalog);
  } catch (error) {
    await catalog.close(); // else its connections keep the process
    throw error;
  }
}

async function makeWorld(catalog: TestCatalog): Promise<ExampleWorld> {
  const owner = await catalog.person('olivia');
  const tools: Tools = {
    catalog,
    owner,
    content: (options) => catalog.content(owner, options),
    async series() {
      const serie = await catalog.content(owner, { kind: 'SERIE', status: 'PUBLISHED' });
      const season = await catalog.content(owner, { kind: 'SEASON', status: 'PUBLISHED', parent: serie, number: 1 });
      return { serie, season, episode: await catalog.content(owner, { kind: 'EPISODE', status: 'PUBLISHED', parent: season, number: 1 }) };
    },
    webhook: () => addWebhook(catalog, owner),
    async channel() {
      const id = newId();
      await catalog.rows(`insert into channels (id, account_id, handle, name, title) values ($1, $2, $3, 'More', 'More')`, [
        id,
        owner.accountId,
        `more-${id.slice(-12)}`,
      ]);
      await catalog.rows(
        `insert into channel_members (channel_id, account_id, role)
         select $1, account_id, role from channel_members where channel_id = $2 and role <> 'OWNER'`,
        [id, owner.channelId],
      );
      return formatDid(catalog.platform.config.DID_NAMESPACE, 'channel', id);
    },
    async account() {
      const id = newId();
      const username = `guest-${id.slice(-12)}`;
      await catalog.rows(`insert into accounts (id, email, name, username) values ($1, $2, 'Guest', $3)`, [
        id,
        `${username}@example.com`,
        username,
      ]);
      return username;
    },
    async uploaded() {
      const content = await catalog.content(owner, { status: 'DRAFT' });
      await catalog.rows(
        `insert into video_assets (id, channel_id, content_id, hint, filename, source_key, size_bytes)
         values ($1, $2, $3, 'LANDSCAPE_VIDEO', 'a.mp4', 'sources/example', 5)`,
        [newId(), owner.channelId, uuidOf(content)],
      );
      return content;
    },
    async captions() {
      const id = newId();
      await catalog.rows(
        `insert into captions (id, channel_id, content_id, language, label, kind, vtt, created_at, updated_at)
         values ($1, $2, $3, 'en', 'English', 'SUBTITLES', 'WEBVTT', now(), now())`,
        [id, owner.channelId, uuidOf(await catalog.content(owner))],
      );
      return `did:reelgraph:asset/captions/${id}`;
    },
    async job() {
      const id = newId();
      await catalog.rows(`insert into transcode_jobs (id, channel_id, content_id, status) values ($1, $2, $3, 'QUEUED')`, [
        id,
        owner.channelId,
        uuidOf(await catalog.content(owner, { status: 'PROCESSING' })),
      ]);
      return `did:reelgraph:job/${id}`;
    },
    async trashed() {
      const content = await catalog.content(owner);
      await catalog.rows('update contents set deleted_at = $2 where id = $1', [
        uuidOf(content),
        new Date(catalog.clock.now()).toISOString(),
      ]);
      return content;
    },
    playlist: () => makePlaylist(catalog, owner),
  };
  const people = await inviteEverybody(catalog, owner);
  const queries = await fill(tools);
  return {
    people,
    queries,
    counted: (work) => catalog.counted(work),
    run: (who, query, variables) => catalog.run(who, query, variables),
    ok: (query) => catalog.ok(owner, query),
    mutation: async (name) => (await MUTATIONS[name]?.(tools)) ?? null,
    close: () => catalog.close(),
  };
}

/** By itself, because a channel may have twenty by the API. */
async function addWebhook({ rows, platform }: TestCatalog, owner: Person): Promise<{ id: string; deliveryId: string }> {
  const [id, deliveryId] = [newId(), newId()];
  await rows(`insert into webhooks (id, channel_id, url, events, secret) values ($1, $2, 'https://1.1.1.1/hook', '{content.liked}', $3)`, [
    id,
    owner.channelId,
    platform.secrets.seal('webhook-secret', 'whsec_AAAA'),
  ]);
  await rows(
    `insert into webhook_deliveries (id, webhook_id, event_type, data, occurred_at, expires_at, status) values ($1, $2, 'webhook.test', '{}', now(), now(), 'FAILED')`,
    [deliveryId, id],
  );
  const namespace = platform.config.DID_NAMESPACE;
  return { id: formatDid(namespace, 'webhook', id), deliveryId: formatDid(namespace, 'webhookDelivery', deliveryId) };
}

async function makePlaylist(catalog: TestCatalog, owner: Person): Promise<TestPlaylist> {
  const [id, item] = [newId<'playlist'>(catalog.clock.now()), newId<'playlist-item'>(catalog.clock.now())];
  const content = await catalog.content(owner, { status: 'PUBLISHED' });
  await catalog.rows(`insert into playlists (id, channel_id, title) values ($1, $2, 'A list')`, [id, owner.channelId]);
  await catalog.rows(`insert into playlist_items (id, playlist_id, content_id, position, open) values ($1, $2, $3, 'a0', true)`, [
    item,
    id,
    uuidOf(content),
  ]);
  const { DID_NAMESPACE } = catalog.platform.config;
  return { id: formatDid(DID_NAMESPACE, 'playlist', id), item: formatDid(DID_NAMESPACE, 'playlistItem', item) };
}

async function inviteEverybody(catalog: TestCatalog, owner: Person): Promise<Record<Persona, Person | null>> {
  const member = async (name: Persona, role: ChannelRole): Promise<Person> => {
    const person = await catalog.person(`the_${name}`);
    await catalog.rows('insert into channel_members (channel_id, account_id, role) values ($1, $2, $3)', [
      owner.channelId,
      person.accountId,
      role,
    ]);
    return person;
  };
  const lapsed = await member('lapsed', 'MANAGER');
  await catalog.rows(`update subscriptions set state = 'EXPIRED', access_until = '-infinity' where account_id = $1`, [lapsed.accountId]);
  return {
    anonymous: null,
    lapsed,
    stranger: await catalog.person('the_stranger'),
    viewer: await member('viewer', 'VIEWER'),
    editor: await member('editor', 'EDITOR'),
    manager: await member('manager', 'MANAGER'),
    owner,
  };
}

/** Makes something of everything, and says how to ask for it. */
async function fill(tools: Tools): Promise<Examples> {
  const { owner } = tools;
  const feature = await tools.content({ status: 'PUBLISHED' });
  await tools.content({ status: 'PUBLISHED', title: 'Another' });
  const series = await tools.series();
  return {
    'Query.serie': `id: "${series.serie}"`,
    'Query.season': `id: "${series.season}"`,
    'Query.episode': `id: "${series.episode}"`,
    'Query.miniserie': `id: "${await tools.content({ kind: 'MINISERIE', status: 'PUBLISHED' })}"`,
    'Query.short': `id: "${await tools.content({ kind: 'SHORT', status: 'PUBLISHED' })}"`,
    'Query.stream': `id: "${await tools.content({ kind: 'STREAM', status: 'PUBLISHED' })}"`,
    'Query.channelDashboard': `input: { channel: "${owner.channel}" }`,
    'Query.channel': `id: "${owner.channel}"`,
    'Query.content': `id: "${feature}"`,
    'Query.job': `id: "${await tools.job()}"`,
    'Query.playlist': `id: "${(await tools.playlist()).id}"`,
    'Query.feature': `id: "${feature}"`,
    'Query.node': `id: "${feature}"`,
    'Query.webhooks': `channel: "${owner.channel}", first: 2`,
    'Query.events': `channel: "${owner.channel}", first: 2`,
    'Query.search': 'query: "film", first: 2',
    'Query.nodes': `ids: ["${feature}"]`,
  };
}
