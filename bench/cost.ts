import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildSchema, type GraphQLSchema } from 'graphql';
import { adversarialDocuments } from './cost/adversarial-documents.ts';
import { type CostArguments, findCostArguments } from './cost/arguments.ts';
import { addCaptions } from './cost/captions.ts';
import { type CostCase, documentsFor } from './cost/documents.ts';
import { type CostTarget, measureCost, post } from './cost/measure.ts';
import { measureBodies } from './cost/measure-bodies.ts';
import { mutationsFor } from './cost/mutations.ts';
import { OPERATOR_FIELDS, OPERATOR_MUTATIONS, signInOperator } from './cost/operator.ts';
import { measureRefused } from './cost/refused.ts';
import { backendsOf } from './graphql/load.ts';
import { table } from './results.ts';
import { openScaleDatabase } from './scale/database.ts';
import { startServer, stopServer } from './server.ts';

/** CPU milliseconds of server and database per charged point. */
const GOAL = 1;
/** CPU milliseconds for an unauthenticated megabyte. */
const REFUSED_GOAL_MS = 3;
/** Default number of printed rows. */
const SHOWN = 40;

/**
 * CPU time per charged point of the database backends and the API process, for every root field of Query with expensive
 * arguments and for each field below it. `--keep FOLDER` keeps the database there for the next run, `--only TEXT`
 * measures fields with that text, `--all` prints every row, `--bodies only` measures texts at their largest size alone,
 * `--bodies none` all but them. Ends with status 1 where a ratio is above its goal.
 */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      contents: { type: 'string', default: '100000' },
      comments: { type: 'string', default: '500000' },
      only: { type: 'string', default: '' },
      all: { type: 'boolean', default: false },
      bodies: { type: 'string', default: '' },
      keep: { type: 'string' },
    },
  });
  const folder = values.keep ?? (await mkdtemp(join(tmpdir(), 'reelgraph-bench-')));
  await mkdir(folder, { recursive: true });
  const database = await openScaleDatabase(
    folder,
    { contents: Number(values.contents), comments: Number(values.comments) },
    console.log,
  );
  const { child, url } = await startServer('../server/src/main.ts', ['--role', 'api'], {
    ...{ DATABASE_URL: database.postgres.url, SECRET_KEY: database.secretKey, DATA_DIR: join(folder, 'data') },
    ...{ RATE_LIMIT_POINTS: String(10 ** 12), RATE_LIMIT_RESTORE: String(10 ** 12) },
  });
  try {
    const schema = buildSchema(await readFile(new URL('../schema.graphql', import.meta.url), 'utf8'));
    const places = await findCostArguments(database);
    const cases = [...documentsFor(schema, places), ...mutationsFor(places), ...adversarialDocuments()].filter(
      ({ field }) => values.only.split(',').some((text) => field.includes(text)),
    );
    const target = {
      url,
      pid: child.pid ?? 0,
      databaseUrl: database.postgres.url,
      credential: { authorization: `Bearer ${database.apiKey}` },
    };
    if (values.bodies !== 'only') await fields(target, cases, values.all);
    if (values.bodies !== 'none') await bodies(schema, places, target, values.only);
    if (values.bodies !== 'only') await refused(target);
  } finally {
    await stopServer(child);
    await database.postgres.stop();
    if (!values.keep) await rm(folder, { recursive: true, force: true });
  }
}

/** Every text of the schema at its largest size. */
async function bodies(
  schema: GraphQLSchema,
  places: CostArguments,
  target: Omit<CostTarget, 'pids'>,
  only: string,
): Promise<void> {
  const operator = { cookie: await signInOperator(target), origin: target.url };
  const captions = await addCaptions(target, places);
  const pids = [target.pid, ...(await backendsOf(target.databaseUrl, 'reelgraph'))];
  const targetOf = (field: string) => ({
    ...{ ...target, pids },
    credential: OPERATOR_FIELDS.includes(field) || OPERATOR_MUTATIONS.includes(field) ? operator : target.credential,
  });
  const pidsNow = async () => [target.pid, ...(await backendsOf(target.databaseUrl, 'reelgraph'))];
  if (!(await measureBodies(schema, { ...places, captions }, { targetOf, pidsNow, only }))) process.exitCode = 1;
}

/** Limits of the CPU time that a request may cause. */
async function refused(target: Omit<CostTarget, 'pids'>): Promise<void> {
  const pids = [target.pid, ...(await backendsOf(target.databaseUrl, 'reelgraph'))];
  const measured = await measureRefused({ ...target, pids });
  console.log(
    `\n${table([
      ['a request of 1 MiB', 'status', 'CPU ms'],
      ...measured.map(({ name, status, cpuMs }) => [name, String(status), cpuMs.toFixed(2)]),
    ])}`,
  );
  const worst = Math.max(...measured.map(({ cpuMs }) => cpuMs));
  console.log(`worst ${worst.toFixed(2)} ms (goal: under ${REFUSED_GOAL_MS.toFixed(2)})`);
  if (worst >= REFUSED_GOAL_MS) process.exitCode = 1;
}

async function fields(target: Omit<CostTarget, 'pids'>, cases: readonly CostCase[], all: boolean): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 8 });
  // The first concurrent requests open the connections, and the first requests of a process include compilation.
  const warm = JSON.stringify({
    query: '{ features(first: 20) { edges { node { id metadata { title } } } totalCount } }',
  });
  for (let round = 0; round < 100; round += 1)
    await Promise.all(Array.from({ length: 8 }, () => post(agent, target, warm)));
  const pids = [target.pid, ...(await backendsOf(target.databaseUrl, 'reelgraph'))];
  const measured: { item: CostCase; cpuMs: number; points: number; error?: string | undefined }[] = [];
  const operator = { cookie: await signInOperator(target), origin: target.url };
  const measure = (item: CostCase) => {
    const [root = ''] = item.field.split('.');
    const credential = OPERATOR_FIELDS.includes(root) ? operator : target.credential;
    return measureCost(agent, { ...target, credential, pids }, item);
  };
  for (const item of cases) measured.push({ item, ...(await measure(item)) });
  // Garbage collection can last longer than all rounds of one document: a result above the goal is measured again.
  for (const one of measured)
    if (one.cpuMs / one.points > GOAL) one.cpuMs = Math.min(one.cpuMs, (await measure(one.item)).cpuMs);
  agent.destroy();
  measured.sort((a, b) => b.cpuMs / b.points - a.cpuMs / a.points);
  const rows = measured.map(({ item, cpuMs, points, error }) => [
    `${item.field}: ${item.name}`,
    cpuMs.toFixed(2),
    String(points),
    (cpuMs / points).toFixed(2),
    error?.slice(0, 60) ?? '',
  ]);
  console.log(
    table([
      ['CPU of server and database for each point', 'CPU ms', 'points', 'ms a point', ''],
      ...(all ? rows : rows.slice(0, SHOWN)),
    ]),
  );
  const [worst] = measured;
  const ratio = worst ? worst.cpuMs / worst.points : 0;
  console.log(`\n${measured.length} documents, worst ratio ${ratio.toFixed(2)} (goal: at most ${GOAL.toFixed(2)})`);
  if (ratio > GOAL) process.exitCode = 1;
}
