import { Agent, request as send } from 'node:http';
import type { GraphQLSchema } from 'graphql';
import { SHAPES } from '../../server/src/testing/parsers/shapes.ts';
import { table } from '../results.ts';
import { type BodyArguments, bodiesFor } from './bodies.ts';
import { cpuMs } from './cpu.ts';
import { type CostTarget, post } from './measure.ts';
import { restBodies } from './rest-bodies.ts';

/** CPU milliseconds per charged point. */
const GOAL = 1;
/** CPU of a text in relation to that of its half. */
const MOST_GROWTH = 2.3;
/** Less CPU than this is not compared: other work weighs more. */
const LEAST_MS = 4;
/** Latency of `/healthz` meanwhile. */
const MOST_HEALTH_MS = 200;
const HEALTH_EVERY_MS = 20;
const ROUNDS = 3;
/** Measurements of one that is above a goal: other load only adds. */
const ATTEMPTS = 4;
/** What a request to a route without points may take, as a mutation. */
const REST_POINTS = 11;
/** A request holds a MiB, with its escapes. */
const MOST_BYTES = 1_048_000;
const SHOWN = 15;

interface Measured {
  readonly name: string;
  readonly characters: number;
  readonly cpuMs: number;
  readonly points: number;
  readonly growth: number;
  readonly healthMs: number;
  readonly error: string;
}

/** A text at one place of a request. */
interface Sending {
  readonly name: string;
  readonly most: number;
  /** Bytes of the body. */
  readonly bytes: (text: string) => number;
  readonly send: (text: string) => Promise<{ readonly points: number; readonly error: string }>;
}

/** What is measured. */
interface MeasuredServer {
  readonly targetOf: (field: string) => CostTarget;
  /** The process and its database backends; those of transactions end when they are idle. */
  readonly pidsNow: () => Promise<readonly number[]>;
  /** Only texts with this in their names. */
  readonly only: string;
}

/** Every text of the schema and the other routes at its largest size, in each shape. False if one is above a goal. */
export async function measureBodies(
  schema: GraphQLSchema,
  places: BodyArguments,
  { targetOf, pidsNow, only }: MeasuredServer,
): Promise<boolean> {
  const agent = new Agent({ keepAlive: true, maxSockets: 4 });
  const health = new HealthProbe(targetOf('').url);
  const measured: Measured[] = [];
  for (const sending of [...sendings(agent, schema, places, targetOf), ...restSendings(agent, targetOf(''))]) {
    if (!sending.name.includes(only)) continue;
    for (const shape of Object.keys(SHAPES)) {
      const measure = async () => measureShape(sending, await pidsNow(), shape, health);
      let best = await measure();
      for (let attempt = 1; attempt < ATTEMPTS && isAbove(best); attempt += 1) best = better(best, await measure());
      measured.push(best);
    }
  }
  health.stop();
  agent.destroy();
  print(measured);
  return !measured.some(isAbove);
}

function isAbove({ cpuMs: cpu, points, growth, healthMs }: Measured): boolean {
  return cpu / points > GOAL || growth > MOST_GROWTH || healthMs > MOST_HEALTH_MS;
}

/** What is seen in one of several measurements is possible. */
function better(one: Measured, other: Measured): Measured {
  return {
    ...other,
    cpuMs: Math.min(one.cpuMs, other.cpuMs),
    growth: Math.min(one.growth, other.growth),
    healthMs: Math.min(one.healthMs, other.healthMs),
  };
}

function sendings(
  agent: Agent,
  schema: GraphQLSchema,
  places: BodyArguments,
  targetOf: (field: string) => CostTarget,
): Sending[] {
  return bodiesFor(schema, places).map(({ name, most, field, query, variables }) => {
    const target = targetOf(field);
    const bodyOf = (text: string) => JSON.stringify({ query, variables: variables(text) });
    return {
      ...{ name, most, bytes: (text) => Buffer.byteLength(bodyOf(text)) },
      async send(text) {
        const { extensions, errors } = JSON.parse(await post(agent, target, bodyOf(text))) as {
          extensions?: { cost?: { actual: number } };
          errors?: { message: string }[];
        }; // the response format of the API
        return { points: Math.max(1, extensions?.cost?.actual ?? 1), error: errors?.[0]?.message ?? '' };
      },
    };
  });
}

function restSendings(agent: Agent, target: CostTarget): Sending[] {
  return restBodies(target).map(({ name, most, request }) => ({
    ...{ name, most, bytes: () => 0 },
    send: (text) =>
      new Promise((done, fail) => {
        const { path, method, headers = {}, body = '' } = request(text);
        const outgoing = send(`${target.url}${path}`, { agent, method, headers }, (incoming) => {
          incoming.resume();
          incoming.on('end', () => done({ points: REST_POINTS, error: `status ${incoming.statusCode}` }));
        });
        outgoing.on('error', fail);
        outgoing.end(body);
      }),
  }));
}

async function measureShape(
  { name, most, bytes, send: sendText }: Sending,
  pids: readonly number[],
  shape: string,
  health: HealthProbe,
): Promise<Measured> {
  const make = SHAPES[shape] ?? (() => '');
  let characters = most;
  while (bytes(make(characters)) > MOST_BYTES) characters = Math.floor(characters * 0.9);
  let answer = { points: 1, error: '' };
  const costOf = async (length: number): Promise<number> => {
    const text = make(length);
    const costs: number[] = [];
    for (let round = 0; round <= ROUNDS; round += 1) {
      const before = cpuMs(pids);
      answer = await sendText(text);
      costs.push(cpuMs(pids) - before);
    }
    return Math.min(...costs.slice(1));
  };
  const half = await costOf(Math.floor(characters / 2));
  health.begin();
  const whole = await costOf(characters);
  return {
    ...{ name: `${name}, ${shape}`, characters, cpuMs: whole, ...answer },
    growth: whole < LEAST_MS ? 0 : whole / Math.max(half, LEAST_MS / 2),
    healthMs: await health.end(),
  };
}

/** Asks for `/healthz` all the time, on a connection of its own. */
class HealthProbe {
  readonly #url: string;
  readonly #agent = new AbortController();
  #slowestMs = 0;
  #asked: Promise<void> = Promise.resolve();
  readonly #timer: NodeJS.Timeout;

  constructor(url: string) {
    this.#url = `${url}/healthz`;
    this.#timer = setInterval(() => this.#ask(), HEALTH_EVERY_MS);
  }

  begin(): void {
    this.#slowestMs = 0;
  }

  /** The slowest response since the beginning, once the last request has one. */
  async end(): Promise<number> {
    await this.#asked;
    return this.#slowestMs;
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#agent.abort();
  }

  #ask(): void {
    const startedMs = performance.now();
    this.#asked = fetch(this.#url, { signal: this.#agent.signal })
      .then((response) => response.arrayBuffer())
      .then(
        () => {
          this.#slowestMs = Math.max(this.#slowestMs, performance.now() - startedMs);
        },
        () => {
          // Aborted at the end.
        },
      );
  }
}

function print(measured: readonly Measured[]): void {
  const rows = (sorted: readonly Measured[]) =>
    sorted
      .slice(0, SHOWN)
      .map(({ name, characters, cpuMs: cpu, points, growth, healthMs, error }) => [
        name,
        String(characters),
        cpu.toFixed(2),
        String(points),
        (cpu / points).toFixed(2),
        growth.toFixed(2),
        healthMs.toFixed(0),
        error.slice(0, 50),
      ]);
  const by = (value: (one: Measured) => number) => [...measured].sort((a, b) => value(b) - value(a));
  const head = ['text', 'characters', 'CPU ms', 'points', 'ms a point', '2n/n', 'healthz ms', ''];
  console.log(`\n${table([head, ...rows(by(({ cpuMs: cpu, points }) => cpu / points))])}`);
  console.log(`\n${table([['most growth', ...head.slice(1)], ...rows(by(({ growth }) => growth))])}`);
  const most = (value: (one: Measured) => number) => Math.max(0, ...measured.map(value));
  console.log(
    `\n${measured.length} texts: at most ${most(({ cpuMs: cpu, points }) => cpu / points).toFixed(2)} ms a point ` +
      `(goal ${GOAL.toFixed(2)}), ${most(({ growth }) => growth).toFixed(2)} times the half (goal ${MOST_GROWTH}), ` +
      `/healthz after ${most(({ healthMs }) => healthMs).toFixed(0)} ms (goal ${MOST_HEALTH_MS})`,
  );
}
