/** `npm start`: the whole platform, or the part that --role names, in one process tree. */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { apiRoutes } from './api-routes.ts';
import type { Runner } from './media/index.ts';
import { openPlatform } from './open-platform.ts';
import { ConfigError, readConfig } from './platform/config/config.ts';
import { settleAddress } from './platform/config/free-port.ts';
import { prepareDataFolder } from './platform/data-folder.ts';
import { withReconnect } from './platform/db/with-reconnect.ts';
import { platformReadiness, workerReadiness } from './platform/health/platform-checks.ts';
import { InstanceCache } from './platform/instance/instance-cache.ts';
import { lockDataFolder } from './platform/instance-lock.ts';
import { createLogger, type Logger } from './platform/log.ts';
import { openLogOutput } from './platform/log-output.ts';
import { MessageBus } from './platform/message-bus/message-bus.ts';
import type { Platform } from './platform/platform.ts';
import { readVersion } from './platform/version.ts';
import { startApi } from './roles/api.ts';
import { banner } from './roles/banner.ts';
import { startDemo } from './roles/demo.ts';
import { demoFile } from './roles/demo-channel.ts';
import { openMediaRunner, sandboxHealth, whenUsable } from './roles/media-runner.ts';
import { pageHeadSources } from './roles/meta-tags.ts';
import { offerOperatorRole } from './roles/operator-offer.ts';
import { startProbeServer } from './roles/probe-server.ts';
import { type DomainWork, startWorker } from './roles/worker.ts';
import { type Domains, wireDomains } from './wiring.ts';

/** What a process of a role does: serves the API, receives live video, works. */
const ROLES = {
  all: { serves: true, receives: true, works: true },
  api: { serves: true, receives: false, works: false },
  live: { serves: false, receives: true, works: false },
  worker: { serves: false, receives: false, works: true },
} as const;
type Role = keyof typeof ROLES;
/** How long an interrupted start may take to complete its current step. */
const START_GRACE_MS = 15_000;

/** Started parts, in order; stopped in reverse. */
const started: (() => Promise<void> | void)[] = [];
let stopping: Promise<void> | null = null;
/** Ctrl-C during the start: what is being started is started, then stopped with the rest. */
const interruption = new AbortController();

const logOutput = openLogOutput();
process.on('exit', () => logOutput.flushSync());
// A second Ctrl-C exits immediately.
process.on('SIGINT', () => (stopping ? process.exit(130) : void end(0)));
process.on('SIGTERM', () => void end(0));
// The parent process with the IPC channel has exited, so nothing could stop this platform.
process.on('disconnect', () => void end(0));

const startup = start(interruption.signal);
await startup.catch((error: unknown) => {
  if (interruption.signal.aborted) return;
  const text = error instanceof Error ? error.message : String(error);
  const cause = error instanceof Error && !(error instanceof ConfigError) && error.cause;
  process.stderr.write(`${text}\n${cause ? `${String(cause)}\n` : ''}`);
  void end(1);
});

async function start(interrupted: AbortSignal): Promise<void> {
  const role = readRole();
  const { serves, receives, works } = ROLES[role];
  const config = await settleAddress(readConfig(process.env));
  const log = createLogger({ level: config.LOG_LEVEL, destination: logOutput });
  process.on('unhandledRejection', (error) => log.error({ error }, 'unhandled rejection'));
  if (role !== 'all' && !config.DATABASE_URL)
    throw new ConfigError([`--role ${role}: several processes need a shared database: set DATABASE_URL`]);
  prepareDataFolder(config.DATA_DIR, (path, error) =>
    log.warn({ error, path }, 'The permissions could not be restricted.'),
  );
  if (!config.DATABASE_URL) started.push(await lockDataFolder(config.DATA_DIR));
  const platform = await openPlatform(config, log, { worker: works, signal: interrupted });
  started.push(() => platform.close());
  interrupted.throwIfAborted();
  const version = readVersion();
  const runner = await openMediaRunner(platform);
  const instance = new InstanceCache({ url: platform.databaseUrl, db: platform.db, config, log });
  const domains = await wireDomains(platform, version, runner, {
    sandbox: () => sandboxHealth(runner),
    switchedOff: () => instance.current.featuresOff,
  });
  const { accounts, engine, readiness, trustedDocuments } = domains;
  const pageHeads = pageHeadSources(trustedDocuments, { namespace: config.DID_NAMESPACE, baseUrl: config.BASE_URL });
  started.push(...closingOf(domains));
  interrupted.throwIfAborted();
  started.push(() => platform.jobs.stop({ graceMs: 0 }));
  await platform.jobs.start();
  interrupted.throwIfAborted();
  const messageBus = new MessageBus({ url: platform.databaseUrl, db: platform.db, clock: platform.clock, log });
  started.push(() => messageBus.close());
  started.push(() => instance.stop());
  await instance.start();
  if (serves) await accounts.openSignIn();
  const api = serves
    ? await startApi({
        ...{ platform, version, engine, readiness, runner, pageHeads },
        instance: () => instance.current,
        credentials: accounts,
        endWaits: () => domains.media.waiter.stop(),
        routes: await apiRoutes({ platform, domains, instance: () => instance.current, messageBus, runner, version }),
      })
    : null;
  if (api) started.push(() => api.stop());
  interrupted.throwIfAborted();
  if (receives) await domains.live.listen();
  if (role === 'live') {
    const { routes } = domains.live;
    const offering = { platform, runner, version, port: config.PORT, readiness: platformReadiness(platform), routes };
    const server = await startProbeServer(offering);
    started.push(() => server.stop());
  }
  interrupted.throwIfAborted();
  const worker = works ? await startWorker(platform, runner, workOf(domains)) : null;
  if (worker) started.push(() => worker.stop());
  if (worker && config.WORKER_PORT !== undefined) {
    const readiness = workerReadiness(platform, runner);
    const probes = await startProbeServer({ platform, runner, version, port: config.WORKER_PORT, readiness });
    started.push(() => probes.stop());
  }
  // A worker checks the sandbox itself; an API process needs it for images.
  const mediaTools = worker ? null : await whenUsable(runner, log, async () => {});
  if (mediaTools) started.push(() => mediaTools.stop());
  interrupted.throwIfAborted();
  // Releases the memory that was needed only at startup, about a quarter. `npm start` exposes it.
  globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' });
  log.info({ role, version, address: api?.address }, 'started');
  if (api && worker) await welcome(api.address, runner, platform, log);
}

/** What closes the domains, in the order of their opening. */
function closingOf(domains: Domains): (() => Promise<void> | void)[] {
  const { accounts, media, catalog, live, social, engagement, discovery, integrations, publishing, ai, idempotency } =
    domains;
  return [
    () => accounts.stop(),
    () => media.close(),
    () => catalog.close(),
    () => live.close(),
    () => social.close(),
    () => engagement.close(),
    () => discovery.close(),
    () => integrations.close(),
    () => publishing.close(),
    () => ai.close(),
    () => idempotency.close(),
  ];
}

/** The parts of the domains that workers run. */
function workOf(domains: Domains): DomainWork[] {
  const { accounts, media, catalog, live, social, engagement, discovery, integrations, publishing, ai, idempotency } =
    domains;
  return [accounts, media, catalog, live, social, engagement, discovery, integrations, publishing, ai, idempotency];
}

/** The first start creates the demo channel and offers the operator role; every start prints the addresses. */
async function welcome(address: string, runner: Runner, platform: Platform, log: Logger): Promise<void> {
  const demo = platform.config.demo ? await startDemo({ platform, address, runner, log }) : null;
  if (demo) started.push(() => demo.stop());
  const isTerminal = process.stdout.isTTY;
  const { config } = platform;
  process.stdout.write(
    banner({
      config,
      demo: demo && { account: demo.account, file: demoFile(config.DATA_DIR) },
      operator: await withReconnect(() => offerOperatorRole(platform, isTerminal), { log, step: 'operator code' }),
      isTerminal,
    }),
  );
}

function readRole(): Role {
  const { values } = parseArgs({ options: { role: { type: 'string', default: 'all' } } });
  if (Object.hasOwn(ROLES, values.role)) return values.role as Role;
  throw new ConfigError([`--role: one of ${Object.keys(ROLES).join(', ')}, not ${values.role}`]);
}

/** Stops everything in reverse order, once, and ends the process. */
async function end(status: number): Promise<void> {
  stopping ??= stopAll();
  await stopping;
  process.exit(status);
}

async function stopAll(): Promise<void> {
  interruption.abort();
  await Promise.race([startup.catch(() => {}), sleep(START_GRACE_MS)]);
  for (const stop of started.reverse()) {
    try {
      await stop();
    } catch (error) {
      process.stderr.write(`While stopping: ${String(error)}\n`);
    }
  }
  await logOutput.flush();
}
