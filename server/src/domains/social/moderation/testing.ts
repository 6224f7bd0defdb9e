import assert from 'node:assert/strict';
import { openTestCatalog, type Person, type TestCatalog } from '../../catalog/testing.ts';
import { member } from '../testing.ts';

/** A channel with its team, and accounts that have no role in it. */
export interface Cast {
  readonly api: TestCatalog;
  /** Owner of the channel. */
  readonly anna: Person;
  /** A stranger. */
  readonly bert: Person;
  readonly cleo: Person;
  /** EDITOR and VIEWER of the channel. */
  readonly emil: Person;
  readonly vera: Person;
}

/** Opens a platform with these accounts. */
export async function openCast(): Promise<Cast> {
  const api = await openTestCatalog();
  const [anna, bert, cleo, emil, vera] = await Promise.all(
    ['anna', 'bert', 'cleo', 'emil', 'vera'].map((name) => api.person(name)),
  );
  assert.ok(anna && bert && cleo && emil && vera);
  await member(api, anna, emil, 'EDITOR');
  await member(api, anna, vera, 'VIEWER');
  return { api, anna, bert, cleo, emil, vera };
}
