import { randomUUID } from 'node:crypto';
import { makeOperatorCode } from '../domains/accounts/index.ts';
import { openTestCatalog, type Person, type TestCatalog } from '../domains/catalog/testing.ts';
import { FakeGoogle } from '../domains/publishing/testing.ts';
import { documentIdOf, type GraphqlRequest, type GraphqlResult } from '../gql/index.ts';
import { newId } from '../kernel/ids.ts';
import type { ChannelRole } from '../kernel/permissions.ts';
import type { Examples } from './example-documents.ts';
import { makeThings, type Things } from './example-things.ts';

/**
 * `lapsed` is a manager with a key on a plan that is over, `signed_in` one on such a plan in a browser, `signed_out` the owner with a
 * session that is over, `operator` an operator of the server in a browser, on a plan that is over, who works on no channel; the others
 * have keys.
 */
export const PERSONAS = [
  'anonymous',
  'signed_out',
  'lapsed',
  'signed_in',
  'operator',
  'stranger',
  'viewer',
  'editor',
  'manager',
  'owner',
] as const;
export type Persona = (typeof PERSONAS)[number];

/** Arguments of a mutation for one call of `me`: what it acts on is made for it. */
type Prepare = (world: Things, me: Person) => Promise<string> | string;

/** One channel with something of everything, and everyone who may or may not touch it. */
export interface ExampleWorld extends Pick<TestCatalog, 'counted' | 'run'> {
  /** Null for the anonymous one. */
  readonly people: Readonly<Record<Persona, Person | null>>;
  /** Arguments of fields that read, and of those that follow. */
  readonly queries: Examples;
  /** What a mutation called `name` is called with by this one; null when it has no example. */
  mutation(name: string, persona: Persona): Promise<string | null>;
  /** The code with which a stream is refused; null when it begins. */
  subscribe(who: Person | null, query: string): Promise<string | null>;
  /** Runs a document and answers everything that the engine says. */
  execute(who: Person | null, query: string, variables: Record<string, unknown>): Promise<GraphqlResult>;
  /** A new account in a browser, as the operation needs it: for what keys may not do. */
  atHome(operation: string): Promise<Person>;
  /** Runs a query as nobody, as a document that anyone may run; answers the codes of its errors. */
  openly(query: string): Promise<string[]>;
  /** As the owner; fails the test when there are errors. */
  ok(query: string): Promise<unknown>;
  close(): Promise<void>;
}

const CAPTIONS = '1\\n00:00:01,000 --> 00:00:02,000\\nHello\\n';
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
  setContentThumbnail: async (w) => {
    const { content, image } = await w.image();
    return `id: "${content}", input: { imageId: "${image}" }`;
  },
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
  predictVirality: () =>
    'input: { title: "Why cats land on their feet", description: "Twelve jumps in slow motion.", category: "Science and technology" }',
  generateApiKey: () => '',
  revealApiKey: () => '',
  regenerateApiKey: () => '',
  startTrial: () => '',
  claimOperator: async (w) => `code: "${await makeOperatorCode(w.catalog.platform)}"`,
  createInvitation: () => 'input: { email: "guest@example.com", note: "For the guest" }',
  revokeInvitation: async (w) => `id: "${await w.invitation()}"`,
  setKeyBudgets: () => 'input: { deletesPerDay: 10 }',
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
  createComment: async (w) => `contentId: "${await w.content({ status: 'PUBLISHED' })}", body: "Hello"`,
  createCommentByLrn: async (w) => `targetLrn: "${await w.content({ status: 'PUBLISHED' })}", body: "Hello"`,
  updateComment: async (w, me) => `id: "${await w.comment(me)}", body: "Changed"`,
  deleteComment: async (w, me) => `id: "${await w.comment(me)}"`,
  likeComment: async (w) => `id: "${await w.comment()}"`,
  unlikeComment: async (w) => `id: "${await w.comment()}"`,
  pinComment: async (w) => `id: "${await w.comment()}"`,
  unpinComment: async (w) => `id: "${await w.comment()}"`,
  heartComment: async (w) => `id: "${await w.comment()}"`,
  unheartComment: async (w) => `id: "${await w.comment()}"`,
  approveComments: async (w) => `ids: ["${await w.comment()}"]`,
  holdComments: async (w) => `ids: ["${await w.comment()}"]`,
  rejectComments: async (w) => `ids: ["${await w.comment()}"]`,
  updateCommentSettings: async (w) => `contentId: "${await w.content()}", input: { mode: DISABLED }`,
  updateModeration: ({ owner }) => `channel: "${owner.channel}", input: { holdLinks: true }`,
  blockUser: async (w) => `channel: "${w.owner.channel}", username: "${await w.account()}"`,
  unblockUser: async (w) => `channel: "${w.owner.channel}", username: "${await w.account()}"`,
  report: async (w) => `input: { target: "${await w.content({ status: 'PUBLISHED' })}", reason: SPAM }`,
  resolveReport: async (w) => `id: "${await w.report()}", resolution: DISMISSED`,
  likeContent: async (w) => `id: "${await w.content({ status: 'PUBLISHED' })}"`,
  unlikeContent: async (w) => `id: "${await w.content({ status: 'PUBLISHED' })}"`,
  like: async (w) => `targetLrn: "${await w.content({ status: 'PUBLISHED' })}"`,
  unlike: async (w) => `targetLrn: "${await w.content({ status: 'PUBLISHED' })}"`,
  followChannel: ({ owner }) => `channel: "${owner.channel}"`,
  unfollowChannel: ({ owner }) => `channel: "${owner.channel}"`,
  follow: ({ owner }) => `targetLrn: "${owner.channel}"`,
  unfollow: ({ owner }) => `targetLrn: "${owner.channel}"`,
  publishContentToYouTube: async (w, me) => {
    await w.youtube(me);
    return `id: "${await w.film()}", privacyStatus: UNLISTED`;
  },
  createContentFromYouTube: async (w, me) => `channel: "${w.owner.channel}", videoId: "${await w.youtube(me)}"`,
  importYouTubeAndPublish: async (w, me) => `input: { videoId: "${await w.youtube(me)}", channel: "${w.owner.channel}" }`,
  importYouTubeLibrary: async (w, me) => {
    await w.youtube(me);
    return `input: { channel: "${w.owner.channel}", maxResults: 2 }`;
  },
  disconnectYouTube: async (w, me) => {
    await w.youtube(me);
    return '';
  },
  publishVideo: ({ owner }) => `input: { title: "New", channel: "${owner.channel}", filename: "a.mp4", size: 1000 }`,
};

/** Nothing is fetched with it here. */
const DOWNLOADER = { YOUTUBE_DOWNLOADER: 'yt-dlp' };

/** Opens the whole API with a channel of which every persona is what its name says. */
export async function openExampleWorld(): Promise<ExampleWorld> {
  const documents = new Map<string, string>();
  const catalog = await openTestCatalog({ jobs: true, trustedDocuments: documents, google: await FakeGoogle.start(), env: DOWNLOADER });
  try {
    return await makeWorld(catalog, documents);
  } catch (error) {
    await catalog.close(); // else its connections keep the process
    throw error;
  }
}

async function makeWorld(catalog: TestCatalog, documents: Map<string, string>): Promise<ExampleWorld> {
  const owner = await catalog.person('olivia');
  const things = makeThings(catalog, owner);
  const people = await inviteEverybody(catalog, owner);
  const atHome = await inBrowser(catalog, owner, 86_400_000);
  for (const person of Object.values(people)) if (person) await things.youtube(person);
  const queries = await fill(things);
  const { engine } = catalog.domains;
  return {
    people,
    queries,
    counted: (work) => catalog.counted(work),
    run: (who, query, variables) => catalog.run(who, query, variables),
    // What belongs to the signed-in account is not for its key.
    ok: (query) => {
      if (query.startsWith('{ invitations')) return catalog.ok(people.operator ?? owner, query);
      return catalog.ok(query.startsWith('{ developerSettings') ? atHome : owner, query);
    },
    async atHome(operation) {
      const person = await catalog.person(`home_${operation.toLowerCase()}`);
      if (operation === 'startTrial') await lapse(catalog, person);
      if (operation === 'generateApiKey') await catalog.rows('delete from api_keys where account_id = $1', [person.accountId]);
      return inBrowser(catalog, person, 86_400_000);
    },
    execute: (who, query, variables) => engine.execute({ ...requestOf(who), query, variables }),
    async mutation(name, persona) {
      const me = people[persona] ?? owner;
      if (persona === 'signed_in' || persona === 'operator') await lapse(catalog, me); // it may have started its trial
      if (persona === 'signed_in') await catalog.rows('update accounts set is_operator = false where id = $1', [me.accountId]); // or claimed the role
      return (await MUTATIONS[name]?.(things, me)) ?? null;
    },
    async subscribe(who, query) {
      const listening = new AbortController();
      const started = await engine.subscribe({ ...requestOf(who), query, signal: listening.signal });
      listening.abort();
      return started.kind === 'stream' ? null : started.result.failure;
    },
    async openly(query) {
      const documentId = documentIdOf(query);
      documents.set(documentId, query);
      const { body } = await engine.execute({ ...requestOf(null), documentId });
      return (body.errors ?? []).map(({ extensions }) => String(extensions?.['code']));
    },
    close: () => catalog.close(),
  };
}

function requestOf(who: Person | null): GraphqlRequest {
  const credential = who?.credential ?? { kind: 'anonymous' as const };
  return { credential, queriesOnly: false, requestId: 'test', signal: new AbortController().signal };
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
  await lapse(catalog, lapsed);
  return {
    anonymous: null,
    signed_out: await inBrowser(catalog, owner, -1),
    lapsed,
    signed_in: await inBrowser(catalog, await member('signed_in', 'MANAGER'), 86_400_000),
    operator: await makeOperator(catalog),
    stranger: await catalog.person('the_stranger'),
    viewer: await member('viewer', 'VIEWER'),
    editor: await member('editor', 'EDITOR'),
    manager: await member('manager', 'MANAGER'),
    owner,
  };
}

async function makeOperator(catalog: TestCatalog): Promise<Person> {
  const person = await catalog.person('the_operator');
  await lapse(catalog, person);
  await catalog.rows('update accounts set is_operator = true where id = $1', [person.accountId]);
  return inBrowser(catalog, person, 86_400_000);
}

async function lapse({ rows }: TestCatalog, { accountId }: Person): Promise<void> {
  await rows(`update subscriptions set state = 'EXPIRED', access_until = '-infinity' where account_id = $1`, [accountId]);
}

/** The person with a session that ends in so many milliseconds, instead of the key. */
async function inBrowser({ clock, rows }: TestCatalog, person: Person, endsInMs: number): Promise<Person> {
  const token = randomUUID();
  await rows('insert into sessions (id, account_id, token, expires_at) values ($1, $2, $3, $4)', [
    newId(),
    person.accountId,
    token,
    new Date(clock.now() + endsInMs).toISOString(),
  ]);
  return { ...person, credential: { kind: 'session', token } };
}

/** Makes something of everything, and says how to ask for it. */
async function fill(things: Things): Promise<Examples> {
  const { owner } = things;
  const feature = await things.content({ status: 'PUBLISHED' });
  await things.content({ status: 'PUBLISHED', title: 'Another' });
  const series = await things.series();
  await things.invitation();
  await things.invitation();
  return {
    'Query.serie': `id: "${series.serie}"`,
    'Query.season': `id: "${series.season}"`,
    'Query.episode': `id: "${series.episode}"`,
    'Query.miniserie': `id: "${await things.content({ kind: 'MINISERIE', status: 'PUBLISHED' })}"`,
    'Query.short': `id: "${await things.content({ kind: 'SHORT', status: 'PUBLISHED' })}"`,
    'Query.stream': `id: "${await things.content({ kind: 'STREAM', status: 'PUBLISHED' })}"`,
    'Query.channelDashboard': `input: { channel: "${owner.channel}" }`,
    'Query.channel': `id: "${owner.channel}"`,
    'Query.content': `id: "${feature}"`,
    'Query.job': `id: "${await things.job()}"`,
    'Query.youtubePublishJob': `id: "${await things.publication()}"`,
    'Query.playlist': `id: "${(await things.playlist()).id}"`,
    'Query.feature': `id: "${feature}"`,
    'Query.node': `id: "${feature}"`,
    'Query.youtubeVideos': 'limit: 2',
    'Query.webhooks': `channel: "${owner.channel}", first: 2`,
    'Query.events': `channel: "${owner.channel}", first: 2`,
    'Query.search': 'query: "film", first: 2',
    'Query.nodes': `ids: ["${feature}"]`,
    'Query.comments': `contentId: "${feature}", first: 2`,
    'Query.comment': `id: "${await things.comment()}"`,
    'Subscription.contentUpdated': `id: "${feature}"`,
    'Subscription.jobUpdated': `id: "${await things.job()}"`,
    'Subscription.commentAdded': `contentId: "${feature}"`,
    'Subscription.eventsAfter': `channel: "${owner.channel}"`,
  };
}
