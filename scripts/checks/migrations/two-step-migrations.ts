import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { NewObjects, SchemaChange } from '../../../server/src/platform/db/upgrade/schema-change.ts';
import { changesOf } from '../../../server/src/platform/db/upgrade/schema-changes.ts';
import { unusedSince } from '../../../server/src/platform/db/upgrade/second-step.ts';

const FOLDER = 'server/migrations';
const MIGRATION = /^\d{4}_[a-z0-9_]+\.sql$/;
/** The last migration from before the first release, when no other version was running beside. */
const LAST_FREE = '0034_arriving_videos.sql';
const LOCK = /^Locks (\S+): \S/;
const APPLIED = /"name":"(\d{4}_[a-z0-9_]+\.sql)"/g;

/** A release, with the names of the migrations that it has. */
interface Release {
  readonly version: string;
  readonly migrations: ReadonlySet<string>;
}

/** A migration with its statements. */
interface MigrationText {
  readonly name: string;
  readonly text: string;
}

/** Statements that a program of the release before cannot survive beside the new one, one line each. */
export async function findOneStepMigrations(folder = FOLDER): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => MIGRATION.test(name)).sort();
  const read = async (name: string) => ({ name, text: await readFile(join(folder, name), 'utf8') });
  return oneStepMigrations(await Promise.all(names.map(read)), await readReleases(join(folder, 'releases')));
}

async function readReleases(folder: string): Promise<Release[]> {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.sql'));
  const releases = files.map(async (name) => {
    const text = await readFile(join(folder, name), 'utf8');
    return {
      version: name.replace(/\.sql$/, ''),
      migrations: new Set([...text.matchAll(APPLIED)].map(([, at]) => at ?? '')),
    };
  });
  return (await Promise.all(releases)).sort((one, other) => one.migrations.size - other.migrations.size);
}

/** Those of migrations in their order; `releases` has the oldest first. Pure. */
export function oneStepMigrations(migrations: readonly MigrationText[], releases: readonly Release[]): string[] {
  const isFree = (name: string) => name <= LAST_FREE || releases[0]?.migrations.has(name) === true;
  return migrations
    .filter(({ name }) => !isFree(name))
    .flatMap(({ name, text }) => {
      const earlier = releases.filter((release) => !release.migrations.has(name));
      const before = earlier.at(-1);
      // What the release before does not have, none of its programs can use.
      const since = migrations.filter(
        (other) => other.name < name && !isFree(other.name) && before?.migrations.has(other.name) !== true,
      );
      const fresh: NewObjects = new Set();
      for (const other of since) changesOf(other.text, fresh);
      return problemsOf(
        { name, text },
        fresh,
        earlier.map(({ version }) => version),
      );
    });
}

function problemsOf({ name, text }: MigrationText, fresh: NewObjects, earlier: readonly string[]): string[] {
  return changesOf(text, fresh).flatMap(({ statement, changes }) =>
    changes.flatMap((change) => {
      const problem = problemOf(change, statement.comments, earlier);
      return problem === null ? [] : [`${FOLDER}/${name}:${statement.line} ${change.what}: ${problem}`];
    }),
  );
}

function problemOf({ hazard, table }: SchemaChange, comments: readonly string[], earlier: readonly string[]) {
  if (hazard === null) return null;
  if (hazard !== 'breaks') {
    if (comments.some((comment) => LOCK.exec(comment)?.[1] === table)) return null;
    return (
      `${table} cannot be written meanwhile. Use NOT VALID and validate it in a later migration, or say above the ` +
      `statement why that is short: "-- Locks ${table}: …"`
    );
  }
  const named = unusedSince(comments);
  if (named.some((version) => earlier.includes(version))) return null;
  if (named.length > 0) return `${named.join(', ')} is no earlier release; those are ${earlier.join(', ')}`;
  return (
    'programs of the release before, which run meanwhile, may need it. Stop using it in one release and change it in ' +
    'a later one, with "-- Step 2 of 2: unused since VERSION" above the statement'
  );
}
