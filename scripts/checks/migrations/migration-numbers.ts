import { readdir } from 'node:fs/promises';

const FOLDER = 'server/migrations';
const MIGRATION = /^(\d{4})_[a-z0-9_]+\.sql$/;
/** Written by `npm run gen`. */
const OTHERS = new Set(['schema.sql']);

/** Problems of the names of the migrations, one line each. */
export async function findMigrationProblems(folder = FOLDER): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  return migrationProblems(entries.filter((entry) => entry.isFile()).map(({ name }) => name));
}

/** Numbers begin at 1, have no gaps and are those of one migration each: they say in which order all are applied. */
export function migrationProblems(names: readonly string[]): string[] {
  const migrations = names.filter((name) => !OTHERS.has(name)).sort();
  return migrations.flatMap((name, index) => {
    const number = MIGRATION.exec(name)?.[1];
    const expected = String(index + 1).padStart(4, '0');
    if (number === undefined) return [`${FOLDER}/${name}: name it NNNN_some_words.sql`];
    return number === expected ? [] : [`${FOLDER}/${name}: the next number without a gap is ${expected}`];
  });
}
