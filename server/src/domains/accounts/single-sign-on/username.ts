import { randomInt } from 'node:crypto';
import { isHandle, isReservedHandle } from '../../../kernel/handles.ts';
import type { Executor } from '../../../platform/db/database.ts';
import { namesTaken } from '../accounts.store.ts';

/** Leaves space for what makes a name unique. */
const LONGEST = 32;
const ATTEMPTS = 20;

/** A free username made from the first of the nicknames that has letters or digits for one. */
export async function freeUsername(db: Executor, nicknames: readonly string[]): Promise<string> {
  const base = nicknames.map(asHandle).find((name) => isHandle(name)) ?? 'member';
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const name = attempt === 0 ? base : `${base}_${randomInt(10 ** Math.min(9, attempt + 2))}`;
    if (!isReservedHandle(name) && !(await namesTaken(db, '', name)).username) return name;
  }
  throw new Error('no free username was found');
}

/** ASCII letters, digits, underscore, dot and hyphen; accents are dropped. */
export function asHandle(nickname: string): string {
  return nickname
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/\s+/g, '_')
    .replace(/[^A-Za-z0-9_.-]/g, '')
    .replace(/^[.-]+/, '')
    .slice(0, LONGEST);
}
