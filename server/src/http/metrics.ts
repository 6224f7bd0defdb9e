import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';
import { Counter, Gauge, Registry } from 'prom-client';
import { Durations } from './health/durations.ts';
import { addProcessMetrics } from './health/process-metrics.ts';

/** A gauge read on demand: queue depth, running encodes. */
export interface MeasuredGauge {
  readonly name: string;
  readonly help: string;
  read(): number | Promise<number>;
}

export interface MetricsOptions {
  readonly version: string;
  /** Counters of the database layer. */
  readonly databaseStatistics: { readonly roundTrips: number; readonly statements: number };
  readonly gauges?: readonly MeasuredGauge[];
}

export interface Metrics {
  requestStarted(): void;
  /** `status` 499 means that the client disconnected first. */
  requestEnded(method: string, route: string, status: number, seconds: number): void;
  graphqlOperation(name: string | undefined, outcome: string, seconds: number): void;
  /** Prometheus text exposition. */
  render(): Promise<{ contentType: string; text: string }>;
}

/** Names of operations come from clients; beyond this many they share one label. */
const MAX_OPERATION_NAMES = 200;
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Metrics of one server in a registry of their own, so that several servers can live in one process. */
export function createMetrics(options: MetricsOptions): Metrics {
  const registry = new Registry();
  const registers = [registry];
  addProcessMetrics(registry);
  const requests = new Durations({
    name: 'http_request_duration_seconds',
    help: 'Time from the request line to the end of the answer, by route pattern.',
    labels: ['method', 'route', 'status'],
  });
  const operations = new Durations({
    name: 'graphql_operation_duration_seconds',
    help: 'Time spent executing GraphQL operations, by operation name and outcome (ok, partial or the error code).',
    labels: ['operation', 'outcome'],
  });
  let inFlight = 0;
  new Gauge({
    name: 'http_requests_in_flight',
    help: 'Requests in progress.',
    registers,
    collect() {
      this.set(inFlight);
    },
  });
  new Gauge({ name: 'reelgraph_info', help: 'Version of the platform.', labelNames: ['version'], registers }).set(
    { version: options.version },
    1,
  );
  const { databaseStatistics } = options;
  for (const [name, help, key] of [
    ['database_round_trips_total', 'Round trips to the database since the start.', 'roundTrips'],
    ['database_statements_total', 'Statements sent to the database since the start.', 'statements'],
  ] as const) {
    new Counter({
      name,
      help,
      registers,
      collect() {
        this.reset();
        this.inc(databaseStatistics[key]);
      },
    });
  }
  for (const gauge of options.gauges ?? []) {
    new Gauge({
      name: gauge.name,
      help: gauge.help,
      registers,
      async collect() {
        // A gauge that cannot be read is absent, and does not affect the others.
        const value = await Promise.resolve()
          .then(() => gauge.read())
          .catch(() => null);
        if (value === null) this.remove();
        else this.set(value);
      },
    });
  }
  const names = new Set<string>();
  const bounded = (name: string): string => {
    if (names.has(name)) return name;
    if (names.size >= MAX_OPERATION_NAMES) return 'other';
    names.add(name);
    return name;
  };
  return {
    requestStarted() {
      inFlight += 1;
    },
    requestEnded(method, route, status, seconds) {
      inFlight -= 1;
      requests.observe(seconds, METHODS.has(method) ? method : 'other', route, status);
    },
    graphqlOperation: (name, outcome, seconds) =>
      operations.observe(seconds, name === undefined ? 'anonymous' : bounded(name), outcome),
    render: async () => ({
      contentType: registry.contentType,
      text: [requests.text(), operations.text(), await registry.metrics()].join('\n'),
    }),
  };
}

/**
 * Whether metrics may be shown: to everyone if they are public, otherwise to direct peers on loopback and private
 * networks. A request through a proxy comes from someone else.
 */
export function mayReadMetrics(request: IncomingMessage, access: 'private' | 'public'): boolean {
  if (access === 'public') return true;
  const { headers } = request;
  if (headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined || headers.via !== undefined)
    return false;
  const peer = request.socket.remoteAddress ?? '';
  if (!ipaddr.isValid(peer)) return false;
  return ['loopback', 'private', 'uniqueLocal', 'linkLocal'].includes(ipaddr.process(peer).range());
}
