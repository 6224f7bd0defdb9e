import type { IncomingMessage } from 'node:http';
import { fileURLToPath } from 'node:url';
import { type Accounts, registerAccounts } from './domains/accounts/index.ts';
import { type AiDomain, registerAi } from './domains/ai/index.ts';
import { assetsServices } from './domains/assets/index.ts';
import {
  type CatalogDomain,
  makeChaptersFile,
  registerCatalog,
  requireContentTakes,
  uploadDrafts,
} from './domains/catalog/index.ts';
import { requireTokenChannels } from './domains/channels/index.ts';
import { type DiscoveryDomain, registerDiscovery } from './domains/discovery/index.ts';
import { type EngagementDomain, registerEngagement } from './domains/engagement/index.ts';
import { ingestServices } from './domains/ingest/index.ts';
import { type IntegrationsDomain, registerIntegrations } from './domains/integrations/index.ts';
import { type LiveDomain, registerLive } from './domains/live/index.ts';
import { type OperationsDomain, registerOperations } from './domains/operations/index.ts';
import { playlistsServices } from './domains/playlists/index.ts';
import { type PublishingDomain, registerPublishing } from './domains/publishing/index.ts';
import { registerSocial, type SocialDomain } from './domains/social/index.ts';
import { createEngine, type Engine, isForPrograms, loadTrustedDocuments, type TrustedDocuments } from './gql/index.ts';
import { credentialOf } from './http/credentials.ts';
import { AppError, ERROR_CATALOGUE } from './kernel/errors.ts';
import type { SwitchedOff } from './kernel/features.ts';
import { processing } from './kernel/key-budgets.ts';
import type { Permission } from './kernel/permissions.ts';
import type { DecoderRunner } from './media/index.ts';
import type { OpenPlatform } from './open-platform.ts';
import type { Readiness, SandboxHealth } from './platform/health/health.ts';
import { platformReadiness } from './platform/health/platform-checks.ts';
import { StoredIdempotencyKeys } from './platform/idempotency/idempotency-keys.ts';
import { queueMail } from './platform/mail/mail.ts';
import { platformSchema } from './schema.ts';
import { type MediaDomains, wireMedia } from './wire-media.ts';

const TRUSTED_DOCUMENTS = fileURLToPath(new URL('../../web/src/gql/generated/trusted-documents.json', import.meta.url));

/** The domains on a platform, and the engine over their schema. */
export interface Domains {
  readonly accounts: Accounts;
  /** The domains that files go through. */
  readonly media: MediaDomains;
  readonly catalog: CatalogDomain;
  readonly live: LiveDomain;
  /** Storage of Idempotency-Key claims. */
  readonly idempotency: StoredIdempotencyKeys;
  readonly engagement: EngagementDomain;
  readonly discovery: DiscoveryDomain;
  readonly integrations: IntegrationsDomain;
  readonly publishing: PublishingDomain;
  readonly social: SocialDomain;
  readonly ai: AiDomain;
  readonly operations: OperationsDomain;
  readonly engine: Engine;
  /** Whether this instance can serve requests. */
  readonly readiness: () => Promise<Readiness>;
  /** Documents of the web app, which anyone may run by id. */
  readonly trustedDocuments: TrustedDocuments;
}

/** What this process knows of its machine, and replacements of external services in tests. */
export interface Outside {
  /** Replace those of the web application. */
  readonly documents?: TrustedDocuments | undefined;
  /** Isolation of media tools on this machine; unknown by default. */
  readonly sandbox?: () => SandboxHealth;
  /** Features that are switched off; none by default. */
  readonly switchedOff?: SwitchedOff | undefined;
}

/** Connects each domain to its adapters and other domains. */
export async function wireDomains(
  platform: OpenPlatform,
  version: string,
  runner: DecoderRunner,
  outside: Outside = {},
): Promise<Domains> {
  const { db, clock, log, receiving, secrets } = platform;
  const switchedOff = outside.switchedOff ?? (() => []);
  const accounts = registerAccounts(platform, {
    databaseUrl: platform.databaseUrl,
    version,
    quotaOf: (accountId) => engine.quotaOf(accountId),
  });
  const callers = callersOf(platform, accounts);
  const live = registerLive(platform, runner, () => media.imageDecoder);
  for (const consumer of live.consumers) platform.events.subscribe(consumer);
  const media: MediaDomains = wireMedia(platform, {
    receiving,
    authenticate: callers.uploader,
    authenticateCreator: callers.creator,
    runner,
    files: [live.files, makeChaptersFile],
    requireContentTakes,
    drafts: uploadDrafts(clock),
    arriving: live.arriving,
    switchedOff,
  });
  const catalog = registerCatalog(platform, media, live.clips, switchedOff);
  const social = registerSocial(platform);
  const idempotency = new StoredIdempotencyKeys({ db, clock, secrets, log });
  const engagement = registerEngagement(platform, { authenticate: callers.viewerOrNull });
  const discovery = registerDiscovery(platform);
  const { person } = callers;
  const integrations = registerIntegrations(platform, { engine: () => engine, person });
  const publishing = registerPublishing(platform, { media, person });
  const ai = registerAi(platform, media);
  const readiness = platformReadiness(platform);
  const operations = registerOperations(
    platform,
    media,
    { readiness, sandbox: outside.sandbox ?? (() => null) },
    version,
  );
  const trustedDocuments = outside.documents ?? (await loadTrustedDocuments(TRUSTED_DOCUMENTS));
  const engine: Engine = openEngine(platform, {
    ...{ accounts, catalog, live, social, engagement, integrations, publishing, ai, operations },
    ...{ idempotency, trustedDocuments, switchedOff },
  });
  return {
    accounts,
    media,
    catalog,
    live,
    engagement,
    discovery,
    integrations,
    publishing,
    social,
    ai,
    operations,
    idempotency,
    engine,
    readiness,
    trustedDocuments,
  };
}

/** Finds out who sends a request outside of GraphQL, with the permission that it needs. */
function callersOf({ config, clock }: OpenPlatform, accounts: Accounts) {
  const ownOrigin = new URL(config.BASE_URL).origin;
  const viewerOf = async (request: IncomingMessage, permission: Permission) =>
    accounts.requireViewer(await credentialOf(request, accounts, ownOrigin), permission);
  return {
    uploader: (request: IncomingMessage) => viewerOf(request, 'asset:upload'),
    /** A draft is created and processed as by publishVideo. */
    async creator(request: IncomingMessage) {
      const credential = await credentialOf(request, accounts, ownOrigin);
      const viewer = await accounts.requireViewer(credential, 'content:create');
      if (isForPrograms(credential.kind)) await accounts.keyWatch.spend(viewer.accountId, processing(), clock.now());
      return viewer;
    },
    async viewerOrNull(request: IncomingMessage) {
      if (request.headers.authorization === undefined && request.headers.cookie === undefined) return null;
      return viewerOf(request, 'engagement:track').catch(asAnonymous);
    },
    /** Somebody who is signed in, and no program. */
    async person(request: IncomingMessage) {
      const token = accounts.sessionTokenFrom(request);
      return accounts.requireViewer(
        token === null ? { kind: 'anonymous' } : { kind: 'session', token },
        'account:update',
      );
    },
  };
}

/** An expired session or an unauthorized key counts as anonymous: events are still accepted. */
function asAnonymous(error: unknown): null {
  if (error instanceof AppError && ERROR_CATALOGUE[error.code].httpStatus < 500) return null;
  throw error;
}

type EngineParts = Omit<Domains, 'engine' | 'media' | 'discovery' | 'readiness'> & {
  readonly switchedOff: SwitchedOff;
};

/** The engine over the schema of all domains, with their services. */
function openEngine(platform: OpenPlatform, { accounts, switchedOff, ...domains }: EngineParts): Engine {
  const { config, db, clock, log } = platform;
  return createEngine({
    schema: platformSchema(),
    db,
    clock,
    log,
    viewerSource: accounts.viewerSource,
    authorize: accounts.authorize,
    onViewer: accounts.onViewer,
    explainRefusal: accounts.explainRefusal,
    usageLimits: accounts.keyWatch,
    requireChannels: (viewer, objects) => requireTokenChannels(db, viewer, objects),
    env: { baseUrl: config.BASE_URL, namespace: config.DID_NAMESPACE },
    services: {
      accounts: accounts.services,
      channels: { db, queueMail: (tx, mail, expiresAtMs) => queueMail(platform, tx, mail, expiresAtMs) },
      assets: assetsServices(platform, switchedOff),
      ingest: ingestServices(platform),
      catalog: domains.catalog.services,
      live: domains.live.services,
      social: domains.social.services,
      engagement: domains.engagement.services,
      integrations: domains.integrations.services,
      publishing: domains.publishing.services,
      ai: domains.ai.services,
      playlists: playlistsServices(platform),
      operations: domains.operations.services,
    },
    limits: { bucketCapacity: config.RATE_LIMIT_POINTS, bucketRefillPerSecond: config.RATE_LIMIT_RESTORE },
    trustedDocuments: domains.trustedDocuments,
    switchedOff,
    idempotencyKeys: domains.idempotency,
  });
}
