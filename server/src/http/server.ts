import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { type ApiVersions, apiVersions, PREVIEW } from '../kernel/api-versions.ts';
import type { Config } from '../platform/config/config.ts';
import { createReadiness, type Readiness, type SandboxHealth, type WorkerHealth } from '../platform/health/health.ts';
import { platformChecks } from '../platform/health/platform-checks.ts';
import { defaultInstance, type InstanceSettings, isSquare, logoPath } from '../platform/instance/instance-settings.ts';
import { type Listening, listenOn } from '../platform/listen.ts';
import type { Logger } from '../platform/log.ts';
import type { Platform } from '../platform/platform.ts';
import type { Route } from '../platform/routing.ts';
import { Connections, refuse } from './connections.ts';
import { openingOf } from './cors.ts';
import type { CredentialSource } from './credentials.ts';
import { type DispatchOptions, dispatch } from './dispatch.ts';
import { graphqlErrorBody } from './errors.ts';
import { EventStreams, STREAM_LIMITS, type StreamLimits } from './graphql/event-streams.ts';
import { GraphqlEndpoint, type GraphqlEngine } from './graphql/graphql-endpoint.ts';
import { StreamCapacity } from './graphql/stream-capacity.ts';
import { WebSockets } from './graphql/web-sockets/web-sockets.ts';
import { type AccessLog, createAccessLog } from './health/access-log.ts';
import { edgeRoutes } from './health/health.routes.ts';
import { createMetrics, type MeasuredGauge, type Metrics } from './metrics.ts';
import { proxyWarning } from './proxy-warning.ts';
import { Exchange } from './request-context.ts';
import { createRouter } from './router.ts';
import { commonHeaders } from './security-headers.ts';
import { type PageHeadSource, PageHeads } from './web/meta-tags.ts';
import { oembedRoute } from './web/oembed.ts';
import { robotsRoute } from './web/robots.ts';
import { type StaticFiles, staticFiles } from './web/static-files.ts';
import { themePath, themeRoutes } from './web/theme.ts';

export interface HttpServerOptions {
  readonly platform: Pick<Platform, 'config' | 'log' | 'db' | 'store' | 'space'>;
  readonly version: string;
  /** REST routes of the domains. */
  readonly routes: readonly Route[];
  readonly engine: GraphqlEngine;
  readonly credentials: CredentialSource;
  /** Default: that of database, schema and object store. */
  readonly readiness?: () => Promise<Readiness>;
  /** Isolation of media tools on this machine. */
  readonly sandbox?: () => SandboxHealth;
  /** The workers of all machines, for `/readyz`. */
  readonly workers?: () => Promise<readonly WorkerHealth[]>;
  readonly gauges?: readonly MeasuredGauge[];
  /** Pages of web application with meta tags; default none. */
  readonly pageHeads?: readonly PageHeadSource[];
  /** Settings of the server; those of the environment by default. */
  readonly instance?: () => InstanceSettings;
  /** Folder of the built web app; default web/dist. */
  readonly webRoot?: string;
  readonly timeouts?: Timeouts;
  readonly streams?: StreamLimits;
  /** Those of the platform by default. */
  readonly versions?: ApiVersions;
}

export interface Timeouts {
  /** Until the headers of a request are complete; default 10 s. */
  readonly headersMs: number;
  /** Idle timeout in both directions, unless the server is working on the response; default 60 s. */
  readonly idleMs: number;
}

export interface HttpServer {
  /** Starts listening on these addresses; resolves with the port, which is chosen by the system for port 0. */
  listen(port: number, ...hosts: [string, ...string[]]): Promise<number>;
  /**
   * From now on `/readyz` returns 503, and each response ends its connection. Requests are answered as before, so that
   * a proxy has time to send them elsewhere.
   */
  announceEnd(): void;
  /** Accepts no new connections, lets running requests finish, and closes those that last longer than `graceMs`. */
  close(options: { graceMs: number }): Promise<void>;
}

const TIMEOUTS: Timeouts = { headersMs: 10_000, idleMs: 60_000 };
/** Longer than the usual 60 s of load balancers, so that they close idle connections before the server does. */
const KEEP_ALIVE_MS = 65_000;
/** The status of a connection that became a WebSocket. */
const SWITCHING_PROTOCOLS = 101;
const WEB_ROOT = fileURLToPath(new URL('../../../web/dist/', import.meta.url));

/** The HTTP server of the platform: API, uploads, media, pages and probes. */
export function createHttpServer(options: HttpServerOptions): HttpServer {
  const { config, log, db } = options.platform;
  const baseUrl = config.BASE_URL;
  const versions = options.versions ?? apiVersions;
  const instance = options.instance ?? (() => defaultInstance(config));
  const metrics = createMetrics({
    version: options.version,
    databaseStatistics: db.statistics,
    ...(options.gauges ? { gauges: options.gauges } : {}),
  });
  const connections = new Connections((options.timeouts ?? TIMEOUTS).idleMs);
  const headers = commonHeaders(baseUrl);
  const accessLog = createAccessLog(log);
  const heads = new PageHeads(options.pageHeads ?? [], options.engine);
  const routes = allRoutes(options, { heads, metrics, instance, isDraining: () => connections.isEnding });
  const { engine, credentials, streams: limits = STREAM_LIMITS } = options;
  const streams = new EventStreams((error) => graphqlErrorBody(error, baseUrl, engine.noCost), limits);
  const capacity = new StreamCapacity(limits);
  const graphql = new GraphqlEndpoint({
    ...{ engine, credentials, streams, capacity, metrics, baseUrl, versions },
    headers: { ...headers, ...openingOf('/graphql')?.headers },
  });
  const dispatching: DispatchOptions = {
    baseUrl,
    log,
    headers,
    credentials,
    graphql,
    router: createRouter(routes),
    siteName: () => instance().name,
    web: webApp(options, { routes, heads, versions, instance }),
  };
  const closing = new AbortController();
  const context = { baseUrl, trustProxy: config.TRUST_PROXY === 'on', closing: closing.signal };
  const sockets = new WebSockets({
    ...{ engine, credentials, capacity, metrics, baseUrl, limits, log },
    exchangeOf: (request) => new Exchange(request, context),
    choose: (request, address) => graphql.choose(request, address),
    currentVersion: versions.current,
    track(request, exchange) {
      metrics.requestStarted();
      return () => finished(request, exchange, SWITCHING_PROTOCOLS, metrics, accessLog);
    },
  });
  const server = openServer({
    ...{ connections, context, sockets, dispatching, metrics, accessLog, log },
    timeouts: options.timeouts ?? TIMEOUTS,
  });
  let listening: Listening | null = null;
  return {
    listen: async (port, ...hosts) => {
      listening = await listenOn(server, port, hosts);
      return listening.port;
    },
    announceEnd: () => {
      connections.isEnding = true;
    },
    close: async ({ graceMs }) => {
      capacity.close();
      streams.close();
      sockets.close();
      closing.abort();
      const forced = setTimeout(() => sockets.terminate(), graceMs);
      await Promise.all([connections.drain(server, graceMs), listening?.closeFurther()]);
      clearTimeout(forced);
    },
  };
}

interface RouteParts {
  readonly heads: PageHeads;
  readonly metrics: Metrics;
  readonly instance: () => InstanceSettings;
  readonly isDraining: () => boolean;
}

/** The routes of the domains, and those that describe this server, its pages and its health. */
function allRoutes(options: HttpServerOptions, { heads, metrics, instance, isDraining }: RouteParts): Route[] {
  const { config, log } = options.platform;
  const baseUrl = config.BASE_URL;
  return [
    ...options.routes,
    oembedRoute(heads, baseUrl, () => instance().name),
    robotsRoute(baseUrl),
    ...themeRoutes(() => instance().accentColor),
    ...edgeRoutes({
      baseUrl,
      version: options.version,
      metrics,
      metricsAccess: config.METRICS,
      readiness: options.readiness ?? createReadiness(platformChecks(options.platform), log),
      ...(options.sandbox ? { sandbox: options.sandbox } : {}),
      ...(options.workers ? { workers: options.workers } : {}),
      isDraining,
    }),
  ];
}

interface WebParts extends Pick<RouteParts, 'heads' | 'instance'> {
  readonly routes: readonly Route[];
  readonly versions: ApiVersions;
}

/** The providers for the sign-in page, as JSON; empty without one. */
function providersOf({ oidcProviders }: Config): string {
  const providers = oidcProviders.map(({ name, LABEL: label }) => ({ name, label }));
  return providers.length === 0 ? '' : JSON.stringify(providers);
}

/** The built web app; the first segments of routes are outside of it. */
function webApp(options: HttpServerOptions, { routes, heads, versions, instance }: WebParts): StaticFiles {
  const { config } = options.platform;
  return staticFiles({
    root: options.webRoot ?? WEB_ROOT,
    baseUrl: config.BASE_URL,
    connectTo: config.WHIP_URL === undefined ? [] : [new URL(config.WHIP_URL).origin],
    reserved: new Set(['graphql', 'mcp', ...routes.map((route) => route.path.split('/')[1] ?? '')]),
    facts: () => {
      const { name, signUp, featuresOff, accentColor, logo, ...legal } = instance();
      return {
        'did-namespace': config.DID_NAMESPACE,
        'site-name': name,
        'sign-up': signUp,
        'terms-url': legal.termsChangedAt ? '/terms' : (legal.termsUrl ?? ''),
        'privacy-url': legal.privacyChangedAt ? '/privacy' : (legal.privacyUrl ?? ''),
        'features-off': featuresOff.join(' '),
        'theme-css': accentColor === null ? '' : themePath(accentColor),
        'site-logo': logo === null ? '' : logoPath(logo),
        icon: logo && isSquare(logo) ? logoPath(logo) : '',
        'sign-in-providers': providersOf(config),
        mail: config.MAIL,
        'api-versions': [...versions.supported, PREVIEW].join(' '),
      };
    },
    heads,
  });
}

interface ServerParts {
  readonly connections: Connections;
  readonly context: ConstructorParameters<typeof Exchange>[1];
  readonly sockets: WebSockets;
  readonly dispatching: DispatchOptions;
  readonly metrics: Metrics;
  readonly accessLog: AccessLog;
  readonly log: Logger;
  readonly timeouts: Timeouts;
}

/** Node's server, which passes requests to `dispatch`, and tells connections, metrics and log of them. */
function openServer(parts: ServerParts): Server {
  const { connections, context, sockets, dispatching, metrics, accessLog } = parts;
  const { headersMs, idleMs } = parts.timeouts;
  const warnOfProxy = context.trustProxy ? ignore : proxyWarning(parts.log);
  const server = createServer(
    // Uploads have no total limit; API bodies have their own, and idle connections are closed.
    {
      headersTimeout: headersMs,
      requestTimeout: 0,
      keepAliveTimeout: KEEP_ALIVE_MS,
      connectionsCheckingInterval: headersMs / 2,
      shouldUpgradeCallback: (request) => !connections.draining && sockets.accepts(request),
    },
    (request, response) => {
      const exchange = new Exchange(request, context);
      connections.opened(request, response);
      warnOfProxy(request);
      metrics.requestStarted();
      response.on('error', ignore);
      response.on('close', () => {
        connections.closed(request, response);
        ended(request, response, exchange, metrics, accessLog);
      });
      void dispatch(dispatching, request, response, exchange);
    },
  );
  server.on('upgrade', (request, socket, head) => sockets.open(request, socket, head));
  server.on('connection', (socket) => connections.accepted(socket));
  server.setTimeout(idleMs, (socket: Socket) => connections.idle(socket));
  server.on('clientError', (error: NodeJS.ErrnoException, socket) =>
    refuse(error, socket, connections, context.baseUrl),
  );
  return server;
}

/** A client that disconnected; 'close' follows. */
function ignore(): void {}

/** Records a response that is complete or was aborted. */
function ended(
  request: IncomingMessage,
  response: ServerResponse,
  exchange: Exchange,
  metrics: Metrics,
  accessLog: AccessLog,
): void {
  const complete = response.writableFinished;
  if (!complete) exchange.abandon();
  finished(request, exchange, complete ? response.statusCode : 499, metrics, accessLog);
}

function finished(
  request: IncomingMessage,
  exchange: Exchange,
  status: number,
  metrics: Metrics,
  accessLog: AccessLog,
): void {
  const ms = performance.now() - exchange.startedAt;
  metrics.requestEnded(request.method ?? '', exchange.route, status, ms / 1000);
  accessLog(request, exchange, status, ms);
}
