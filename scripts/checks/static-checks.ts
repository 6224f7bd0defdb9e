import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { inspect } from 'node:util';
import { staleFiles } from '../gen/generated-files.ts';
import type { Tally } from '../test-runner/run-tests.ts';
import { runTool } from '../test-runner/run-tool.ts';
import { findArchitectureViolations } from './architecture-checks.ts';
import { findLongSubjects } from './commit-subjects.ts';
import { findUndeclaredPackages } from './declared-packages.ts';
import { findDocProblems } from './docs-checks.ts';
import { findFixedSleeps } from './fixed-sleeps.ts';
import { findLongLines } from './line-length.ts';
import { findMigrationProblems } from './migrations/migration-numbers.ts';
import { findOneStepMigrations } from './migrations/two-step-migrations.ts';
import { findWrongNames } from './named-paths.ts';
import { findBreakingChanges, findLifecycleProblems, findSchemaErrors } from './schema-rules.ts';
import { findFullFolders, findLongFiles } from './sizes.ts';
import { findSlowPatterns } from './slow-patterns.ts';
import { findStaleLocks } from './stale-locks.ts';
import { findExampleProblems } from './worked-example.ts';

interface StaticCheck {
  readonly name: string;
  /** Whether it plants files in the tree: then nothing else runs, which could find them or read one that is gone. */
  readonly plants?: true;
  /** Null on success, otherwise the problems. */
  run(): Promise<string | null>;
}

const CRUISE = ['--config', '.dependency-cruiser.cjs', '--output-type', 'err'];
const CRUISE_FOLDERS = ['--config', '.dependency-cruiser.folders.cjs', '--output-type', 'err'];
const CRUISED = ['server', 'scripts', 'bench', 'e2e', 'deploy', 'web/src', 'clients', 'cli', 'packages'];

/** By the native compiler (ADR 0094), which keeps its incremental state of each project. */
const checkTypes = (project: string) =>
  runTool(
    '../typescript-native/bin/tsc',
    '-p',
    project,
    '--noEmit',
    '--incremental',
    '--tsBuildInfoFile',
    `node_modules/.cache/reelgraph/types-${project.replace('/', '-')}.tsbuildinfo`,
  );

const STATIC_CHECKS: readonly StaticCheck[] = [
  { name: 'types of server and scripts', run: () => checkTypes('.') },
  { name: 'types of the packages', run: () => checkTypes('packages') },
  { name: 'types of the web application', run: () => checkTypes('web') },
  { name: 'types of the client, without Node', run: () => checkTypes('clients/typescript') },
  { name: 'types of the player', run: () => checkTypes('clients/player') },
  { name: 'types of the command line', run: () => checkTypes('cli') },
  {
    name: 'lint and format',
    run: () => runTool('biome', 'check', '--diagnostic-level=warn', '--error-on-warnings', '.'),
  },
  { name: 'import rules', run: () => runTool('depcruise', ...CRUISE, ...CRUISED) },
  { name: 'folders depend one way', run: () => runTool('depcruise', ...CRUISE_FOLDERS, ...CRUISED) },
  { name: 'nothing unused (files, exports, packages)', run: () => runTool('knip', '--no-progress') },
  { name: 'packages declare those that they import', run: async () => errorList(await findUndeclaredPackages()) },
  { name: 'import rules notice a violation', plants: true, run: noticesPlantedImport },
  { name: 'a cycle of folders is noticed', plants: true, run: noticesPlantedFolderCycle },
  {
    name: 'architecture checks (environment, SQL and sharp only where they belong)',
    run: async () => errorList(await findArchitectureViolations()),
  },
  { name: 'architecture checks notice a violation', plants: true, run: noticesPlantedViolation },
  { name: 'the check of waits notices a fixed sleep', plants: true, run: noticesPlantedSleep },
  { name: 'schema keeps the rules of Relay and of good schemas', run: () => findSchemaErrors() },
  { name: 'schema rules notice a violation', plants: true, run: noticesPlantedSchema },
  { name: 'every version of the API keeps its contract', run: findBreakingChanges },
  { name: 'deprecations have dates, and elements versions that exist', run: async () => findLifecycleProblems() },
  { name: 'documentation (decisions, links, length of lines)', run: async () => errorList(await findDocProblems()) },
  { name: 'decisions and paths that are named exist', run: async () => errorList(await findWrongNames()) },
  { name: 'a decision and paths that do not exist are noticed', plants: true, run: noticesPlantedNames },
  { name: 'the example of CONTRIBUTING.md is its commit', run: async () => errorList(await findExampleProblems()) },
  { name: 'numbers of migrations (each once, no gap)', run: async () => errorList(await findMigrationProblems()) },
  { name: 'migrations let the release before go on', run: async () => errorList(await findOneStepMigrations()) },
  { name: 'a migration that breaks the release before is noticed', plants: true, run: noticesPlantedMigration },
  { name: 'commit subjects of at most 72 characters', run: async () => errorList(await findLongSubjects()) },
  { name: 'lines of code of at most 120 columns', run: async () => errorList(await findLongLines()) },
  { name: 'files of at most 400 lines', run: async () => errorList(await findLongFiles()) },
  { name: 'folders of at most 30 files', run: async () => errorList(await findFullFolders()) },
  { name: 'tests wait for conditions, not for time', run: async () => errorList(await findFixedSleeps()) },
  { name: 'patterns take linear time', run: async () => errorList(await findSlowPatterns()) },
  { name: 'locks see what they waited for', run: async () => errorList(await findStaleLocks()) },
  { name: 'generated files are fresh', run: async () => staleList(await staleFiles()) },
];

const PLANTED = 'server/src/kernel/planted-violation.ts';
const PLANTED_FIELDS = 'server/src/kernel/planted-violation.graphql.ts';

/** Plants a file for as long as `check` runs. */
async function withPlanted<T>(text: string, check: () => Promise<T>, file = PLANTED): Promise<T> {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  try {
    return await check();
  } finally {
    rmSync(file, { force: true });
  }
}

function noticesPlantedImport(): Promise<string | null> {
  return withPlanted(
    [
      "import '../platform/log.ts';\nimport 'pg';\nimport 'typescript';\n",
      "import '../gql/account-in-scope.ts';\nimport 'node:child_process';\n",
    ].join(''),
    async () => {
      const report = await runTool('depcruise', ...CRUISE, 'server/src/kernel', 'server/src/platform');
      const rules = [
        'no-import-upwards',
        'no-account-in-resolvers',
        'kernel-stands-alone',
        'production-installs-what-it-imports',
        'programs-inherit-nothing',
      ];
      const missed = rules.filter((rule) => !report?.includes(rule));
      return missed.length === 0 ? null : `Planted imports went unnoticed by ${missed.join(', ')}.`;
    },
  );
}

/** Without a cycle of files: the folder of GraphQL needs the other one. */
function noticesPlantedFolderCycle(): Promise<string | null> {
  return withPlanted(
    "import '../graphql/event-streams.ts';\n",
    async () => {
      const report = await runTool('depcruise', ...CRUISE_FOLDERS, 'server/src/http');
      return report?.includes('no-folder-cycles') ? null : 'A planted cycle of folders went unnoticed.';
    },
    'server/src/http/codings/planted-violation.ts',
  );
}

async function noticesPlantedViolation(): Promise<string | null> {
  return (await noticesPlantedCode()) ?? (await noticesPlantedField());
}

/** Each kind of SQL that a field may only name, in a file of its own. */
async function noticesPlantedField(): Promise<string | null> {
  const kinds = ['(select count(*) from likes)', 'exists (values (1))', "case when a then 'b' end", 'coalesce(a, b)'];
  for (const kind of kinds) {
    const errors = await withPlanted(
      `export const sql = ${JSON.stringify(kind)};\n`,
      findArchitectureViolations,
      PLANTED_FIELDS,
    );
    if (!errors.some((error) => error.startsWith(PLANTED_FIELDS))) return `A planted field went unnoticed: ${kind}`;
  }
  return null;
}

function noticesPlantedCode(): Promise<string | null> {
  return withPlanted(
    "export const url = process.env.DATABASE_URL;\nexport const text = 'select id from " +
      "accounts where id = $1';\nexport { default as sharp } from 'sharp';\n" +
      "export const role = 'select role from channel_members m where m.account_id = $1';\n",
    async () => {
      const errors = (await findArchitectureViolations()).filter((error) => error.startsWith(PLANTED));
      return errors.length === 4 ? null : `Four planted violations gave ${errors.length} findings.`;
    },
  );
}

const PLANTED_TEST = 'server/src/kernel/planted-violation.test.ts';

async function noticesPlantedSleep(): Promise<string | null> {
  writeFileSync(PLANTED_TEST, 'await new Promise((resolve) => setTimeout(resolve, 50));\n');
  try {
    const problems = await findFixedSleeps();
    return problems.some((problem) => problem.startsWith(PLANTED_TEST)) ? null : 'A planted sleep went unnoticed.';
  } finally {
    rmSync(PLANTED_TEST, { force: true });
  }
}

const PLANTED_MIGRATION = 'server/migrations/9999_planted_violation.sql';

function noticesPlantedMigration(): Promise<string | null> {
  return withPlanted(
    'alter table contents drop column title;\n',
    async () => {
      const problems = await findOneStepMigrations();
      return problems.some((problem) => problem.startsWith(`${PLANTED_MIGRATION}:1 drops column contents.title`))
        ? null
        : 'A planted migration went unnoticed.';
    },
    PLANTED_MIGRATION,
  );
}

const PLANTED_SCHEMA = 'planted-violation.graphql';

/** A list without page information and arguments, a type without description, a name that is none. */
async function noticesPlantedSchema(): Promise<string | null> {
  writeFileSync(
    PLANTED_SCHEMA,
    'type Query {\n  things: bad_nameConnection!\n}\n\ntype bad_nameConnection {\n  edges: [String!]!\n}\n',
  );
  try {
    const report = (await findSchemaErrors(PLANTED_SCHEMA)) ?? '';
    const rules = [
      'naming-convention',
      'require-description',
      'relay-arguments',
      'relay-connection-types',
      'relay-edge-types',
    ];
    const missed = rules.filter((rule) => !report.includes(rule));
    return missed.length === 0 ? null : `A planted schema went unnoticed by ${missed.join(', ')}.`;
  } finally {
    rmSync(PLANTED_SCHEMA, { force: true });
  }
}

const PLANTED_PAGE = 'docs/planted-violation.md';
const PLANTED_COMMENT = 'scripts/planted-violation.mjs';

/** A decision and a path in Markdown, and both in a comment. */
function noticesPlantedNames(): Promise<string | null> {
  const decision = `ADR ${'9'.repeat(4)}`;
  const path = 'server/src/planted-violation.ts';
  const check = async () => {
    const problems = await findWrongNames();
    const missed = [PLANTED_PAGE, PLANTED_COMMENT].filter(
      (file) => problems.filter((problem) => problem.startsWith(`${file}:`)).length !== 2,
    );
    return missed.length === 0 ? null : `Planted names went unnoticed in ${missed.join(', ')}.`;
  };
  return withPlanted(
    `See ${decision} and \`${path}\`.\n`,
    () => withPlanted(`// See ${decision} and ${path}.\n`, check, PLANTED_COMMENT),
    PLANTED_PAGE,
  );
}

function errorList(errors: readonly string[]): string | null {
  return errors.length === 0 ? null : errors.join('\n');
}

function staleList(files: readonly string[]): string | null {
  return files.length === 0 ? null : `Run npm run gen and commit: ${files.join(', ')}`;
}

/**
 * Runs the checks two at a time, afterwards those that plant something, one after the other; prints each result.
 * Returns how many passed and failed. Begins none once the signal is aborted.
 */
export async function runStaticChecks(signal: AbortSignal): Promise<Tally> {
  const tally: Tally = { passed: 0, failed: 0 };
  const lane = async (waiting: StaticCheck[]) => {
    for (let check = waiting.shift(); check && !signal.aborted; check = waiting.shift()) await runCheck(check, tally);
  };
  const waiting = STATIC_CHECKS.filter(({ plants }) => !plants);
  await Promise.all([lane(waiting), lane(waiting)]);
  await lane(STATIC_CHECKS.filter(({ plants }) => plants));
  return tally;
}

async function runCheck({ name, run }: StaticCheck, tally: Tally): Promise<void> {
  const startedAt = Date.now();
  const error = await run().catch((thrown: unknown) => inspect(thrown));
  const seconds = ((Date.now() - startedAt) / 1000).toFixed(1);
  console.log(error === null ? `✔ ${name} (${seconds} s)` : `✖ ${name} (${seconds} s)\n${error}`);
  tally[error === null ? 'passed' : 'failed'] += 1;
}
