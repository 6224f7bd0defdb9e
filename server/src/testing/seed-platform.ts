import type { GraphQLSchema } from 'graphql';
import { FakeStripe } from '../domains/accounts/payments/fake-stripe.fixture.ts';
import { openTestCatalog, type Person, type TestCatalog, uuidOf } from '../domains/catalog/testing.ts';
import { FakeGoogle } from '../domains/publishing/fake-google.fixture.ts';
import { documentIdOf, type Engine, type GraphqlRequest, type GraphqlResult } from '../gql/index.ts';
import { newId } from '../kernel/ids.ts';
import type { Permission } from '../kernel/permissions.ts';
import type { Examples } from './example-documents.ts';
import { casesOf } from './example-mutations.ts';
import { fillableDisk } from './full-disk.ts';
import { type HiddenObjects, hideObjects } from './hidden-objects.ts';
import {
  atTestChannel,
  inBrowser,
  inviteEverybody,
  lapse,
  type Persona,
  withTestToken,
  withToken,
} from './seed-accounts.ts';
import { createSeedData, type SeedData } from './seed-data.ts';
import { tablesChanged } from './tables-changed.ts';

/** A channel with objects of every kind, and all personas. */
export interface SeededPlatform extends Pick<TestCatalog, 'counted' | 'rows' | 'run'> {
  /** Null for the anonymous one. */
  readonly people: Readonly<Record<Persona, Person | null>>;
  /** Arguments of queries and subscriptions. */
  readonly queries: Examples;
  /** The schema of the engine. */
  readonly schema: GraphQLSchema;
  /**
   * The arguments of the mutation `name` for this persona, in the named case or the first; null without an example.
   * Those in `unused` are taken from there, unless they are different for each persona: refused calls leave objects as
   * they were, and making them takes longer than the call.
   */
  mutation(name: string, persona: Persona, caseName?: string, unused?: Map<string, string>): Promise<string | null>;
  /** Makes PostgreSQL refuse writes as on a full disk, or accept them again. */
  fillDisk(isFull: boolean): Promise<void>;
  /** Tables with a row that was added, changed or removed while `work` ran, except those that record calls. */
  changed(work: () => Promise<unknown>): Promise<string[]>;
  /** Objects that are not public, of another channel of the owner. */
  hide(): Promise<HiddenObjects>;
  /** Creates objects for a person and in its channel. */
  seedFor(person: Person): SeedData;
  /** Lets the usage limits recover. */
  rest(): void;
  /** The response of a refused stream; null when it starts. */
  follow(who: Person | null, query: string, variables: Record<string, unknown>): Promise<GraphqlResult['body'] | null>;
  /** The code of a refused stream; null when it starts. */
  subscribe(who: Person | null, query: string): Promise<string | null>;
  /** Runs a document and returns the engine's result. */
  execute(who: Person | null, query: string, variables: Record<string, unknown>): Promise<GraphqlResult>;
  /** The owner with a token that has exactly these permissions, for this channel (null: all). */
  ownerWith(permissions: readonly Permission[], channelId: string | null): Promise<Person>;
  /** The owner with a token in test mode, at the test channel. */
  inTestMode(permissions: readonly Permission[]): Promise<Person>;
  /** Gives a person's token these permissions instead of those it has. */
  permit(who: Person, permissions: readonly Permission[]): Promise<void>;
  /** Another channel of the owner, by its UUID. */
  otherChannel(): Promise<string>;
  /** A new account with a session, as the operation needs it. */
  atHome(operation: string): Promise<Person>;
  /** Runs a query anonymously as a trusted document. */
  openly(query: string): Promise<{ readonly data: unknown; readonly codes: readonly string[] }>;
  /** As the owner; fails the test when there are errors. */
  ok(query: string): Promise<unknown>;
  close(): Promise<void>;
}

const DAY_MS = 24 * 3_600_000;
/** Queries that only a signed-in operator may send. */
const FOR_OPERATORS =
  /^\{ (accounts|invitations|mailMessages|operatorActions|server(Channels|Jobs|Reports|Status|Storage|Videos))\b/;

/** The downloader and the services are never used here. */
const SETTINGS = {
  ...{ YOUTUBE_DOWNLOADER: 'yt-dlp', SPEECH: 'openai', SPEECH_URL: 'http://127.0.0.1:9/v1' },
  ...{ TRANSLATION: 'openai', TRANSLATION_URL: 'http://127.0.0.1:9/v1', TRANSLATION_MODEL: 'example' },
};

/** Opens the whole API with a channel and all personas; `ofTests`: the example channel is the owner's test channel. */
export async function openSeededPlatform({ ofTests = false } = {}): Promise<SeededPlatform> {
  const documents = new Map<string, string>();
  const stripe = await FakeStripe.start();
  const catalog = await openTestCatalog({
    jobs: true,
    trustedDocuments: documents,
    google: await FakeGoogle.start(),
    env: { ...SETTINGS, ...stripe.env },
  });
  try {
    const seeded = await seedPlatform(catalog, documents, ofTests);
    return { ...seeded, close: async () => void (await Promise.all([catalog.close(), stripe.close()])) };
  } catch (error) {
    await Promise.all([catalog.close(), stripe.close()]); // otherwise their connections keep the process alive
    throw error;
  }
}

async function seedPlatform(
  catalog: TestCatalog,
  documents: Map<string, string>,
  ofTests: boolean,
): Promise<SeededPlatform> {
  const olivia = await catalog.person('olivia');
  const owner = ofTests ? await atTestChannel(catalog, olivia) : olivia;
  const things = createSeedData(catalog, owner);
  const privateThings = createSeedData(catalog, owner, true);
  const people = await inviteEverybody(catalog, owner);
  const atHome = await inBrowser(catalog, owner, DAY_MS);
  for (const person of Object.values(people)) if (person) await things.youtube(person);
  const queries = await fill(things);
  const { engine } = catalog.domains;
  let disk: ReturnType<typeof fillableDisk> | undefined;
  return {
    people,
    queries,
    schema: engine.schema,
    async fillDisk(isFull) {
      disk ??= fillableDisk(catalog.platform.db);
      await (await disk)(isFull);
    },
    changed: (work) => tablesChanged(catalog.platform.db, work),
    counted: (work) => catalog.counted(work),
    run: (who, query, variables) => catalog.run(who, query, variables),
    rows: (text, values) => catalog.rows(text, values),
    // Fields of the signed-in account are not available to its key.
    ok: (query) => {
      if (FOR_OPERATORS.test(query)) return catalog.ok(people.operator ?? owner, query);
      return catalog.ok(query.startsWith('{ developerSettings') ? atHome : owner, query);
    },
    ownerWith: (permissions, channelId) => withToken(catalog, owner, permissions, channelId),
    inTestMode: (permissions) => withTestToken(catalog, owner, permissions),
    async permit({ credential }, permissions) {
      if (credential.kind !== 'token') throw new TypeError('Only tokens have permissions of their own.');
      const given = [credential.lookupHash, permissions];
      await catalog.rows('update api_tokens set permissions = $2 where lookup_hash = $1', given);
    },
    hide: () => hideObjects(catalog, owner),
    seedFor: (person) => createSeedData(catalog, person),
    rest: () => catalog.clock.advance(60_000),
    async follow(who, query, variables) {
      const started = await subscribeBriefly(engine, { ...requestOf(who), query, variables });
      return started.kind === 'stream' ? null : started.result.body;
    },
    otherChannel: async () => uuidOf(await things.channel()),
    atHome: (operation) => freshAtHome(catalog, operation),
    execute: (who, query, variables) => engine.execute({ ...requestOf(who), query, variables }),
    async mutation(name, persona, caseName, unused) {
      const me = people[persona] ?? owner;
      if (persona === 'free' || persona === 'operator') await lapse(catalog, me); // it may have started its trial
      if (persona === 'free')
        // Or claimed the role.
        await catalog.rows('update accounts set is_operator = false where id = $1', [me.accountId]);
      // Some of these callers share an account, which may have few exports at a time.
      if (name === 'exportData') await catalog.rows('delete from data_exports where account_id = $1', [me.accountId]);
      if (name === 'createChatMessage') await catalog.rows('delete from chat_timeouts'); // of another case
      const cases = casesOf(name);
      const [found = '', prepare] = cases.find(([each]) => each === caseName) ?? cases[0] ?? [];
      if (!prepare) return null;
      const objects = persona === 'stranger_private' ? privateThings : things;
      if (!unused || prepare.length > 1) return prepare(objects, me);
      const key = [name, found, objects === things].join();
      const given = unused.get(key) ?? (await prepare(objects, me));
      unused.set(key, given);
      return given;
    },
    async subscribe(who, query) {
      const started = await subscribeBriefly(engine, { ...requestOf(who), query });
      return started.kind === 'stream' ? null : started.result.failure;
    },
    openly: (query) => runTrusted(engine, documents, query),
    close: () => catalog.close(),
  };
}

/** Starts a subscription that nobody listens to. */
async function subscribeBriefly(engine: Engine, request: Omit<Parameters<Engine['subscribe']>[0], 'signal'>) {
  const listening = new AbortController();
  const started = await engine.subscribe({ ...request, signal: listening.signal });
  listening.abort();
  return started;
}

/** Runs a query as a document that anyone may run. */
async function runTrusted(engine: Engine, documents: Map<string, string>, query: string) {
  const documentId = documentIdOf(query);
  documents.set(documentId, query);
  const { body } = await engine.execute({ ...requestOf(null), documentId });
  const codes = (body.errors ?? []).map(({ extensions }) => String(extensions?.['code']));
  return { data: body.data ?? null, codes };
}

/** A new account in its browser, in a state in which the operation is possible. */
async function freshAtHome(catalog: TestCatalog, operation: string): Promise<Person> {
  const person = await catalog.person(`home${newId().slice(-12)}`);
  if (operation === 'openBillingPortal') await addPaymentCustomer(catalog, person);
  if (operation === 'startTrial') await lapse(catalog, person);
  if (operation === 'generateApiKey')
    await catalog.rows('delete from api_keys where account_id = $1', [person.accountId]);
  return inBrowser(catalog, person, DAY_MS);
}

/** Makes the account a customer of the payment provider. */
async function addPaymentCustomer({ rows }: TestCatalog, { accountId }: Person): Promise<void> {
  await rows(
    `insert into payment_customers (account_id, customer_id, created_at) values ($1, 'cus_' || $1::uuid, now())
     on conflict do nothing`,
    [accountId],
  );
}

function requestOf(who: Person | null): GraphqlRequest {
  const credential = who?.credential ?? { kind: 'anonymous' as const };
  return { credential, queriesOnly: false, requestId: 'test', signal: new AbortController().signal };
}

/** Creates objects of every kind, and returns the arguments for reading them. */
async function fill(things: SeedData): Promise<Examples> {
  const { owner } = things;
  const feature = await things.content({ status: 'PUBLISHED' });
  await things.content({ status: 'PUBLISHED', title: 'Another' });
  const series = await things.series();
  await things.invitation();
  await things.invitation();
  await things.channelInvitation(owner, 'the-token-of-the-link');
  await things.signingKey();
  await things.simulcastTarget();
  await things.liveInput();
  await things.scheduled();
  await things.chatMessage();
  await things.heldMessage(await things.commenter());
  await things.token(owner);
  return {
    'Query.serie': `id: "${series.serie}"`,
    'Query.season': `id: "${series.season}"`,
    'Query.episode': `id: "${series.episode}"`,
    'Query.miniserie': `id: "${await things.content({ kind: 'MINISERIES', status: 'PUBLISHED' })}"`,
    'Query.short': `id: "${await things.content({ kind: 'SHORT', status: 'PUBLISHED' })}"`,
    'Query.stream': `id: "${await things.content({ kind: 'STREAM', status: 'PUBLISHED' })}"`,
    'Query.channelDashboard': `input: { channel: "${owner.channel}" }`,
    'Query.channel': `id: "${owner.channel}"`,
    'Query.channelInvitation': 'token: "the-token-of-the-link"',
    'Query.content': `id: "${feature}"`,
    'Query.job': `id: "${await things.job()}"`,
    'Query.dataExport': `id: "${await things.dataExport(owner)}"`,
    'Query.youtubePublishJob': `id: "${await things.publication()}"`,
    'Query.playlist': `id: "${(await things.playlist()).id}"`,
    'Query.feature': `id: "${feature}"`,
    'Query.node': `id: "${feature}"`,
    'Query.estimate': 'input: { durationMs: 60000, width: 1920, height: 1080 }',
    'Query.estimateTranscription': `id: "${await things.processed()}"`,
    'Query.estimateTranslation': `id: "${await things.processed()}", input: { from: "en", to: "de" }`,
    'Query.estimateUpmix': `id: "${await things.processed()}"`,
    'Query.estimateUpscale': `id: "${await things.processed()}"`,
    'Query.youtubeVideos': 'limit: 2',
    'Query.liveInputs': `channel: "${owner.channel}", first: 2`,
    'Query.scheduledStreams': `channel: "${owner.channel}", first: 2`,
    'Query.signingKeys': `channel: "${owner.channel}", first: 2`,
    'Query.webhooks': `channel: "${owner.channel}", first: 2`,
    'Query.events': `channel: "${owner.channel}", first: 2`,
    'Query.search': 'query: "video", first: 2',
    'Query.nodes': `ids: ["${feature}"]`,
    'Query.comments': `contentId: "${feature}", first: 2`,
    'Query.comment': `id: "${await things.comment()}"`,
    'Subscription.contentUpdated': `id: "${feature}"`,
    'Subscription.jobUpdated': `id: "${await things.job()}"`,
    'Subscription.chatMessageAdded': `id: "${await things.broadcast()}"`,
    'Subscription.commentAdded': `contentId: "${feature}"`,
    'Subscription.eventsAfter': `channel: "${owner.channel}"`,
  };
}
