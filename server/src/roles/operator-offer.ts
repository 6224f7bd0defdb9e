import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isOperatorCodeValid, makeOperatorCode, needsOperator } from '../domains/accounts/index.ts';
import type { Platform } from '../platform/platform.ts';

/** The one-time code with which a signed-in account becomes the first operator: the code, or its file. */
export type OperatorOffer = { readonly code: string } | { readonly file: string };

type Needs = Pick<Platform, 'db' | 'clock' | 'secrets' | 'config'>;

/**
 * A code while the server has no operator; null once it has one. On a terminal it is a new one at each start, because
 * only its HMAC is stored; elsewhere, where the output is kept as a log, it is in a file of mode 0600, which stays as
 * long as its code is valid.
 */
export async function offerOperatorRole(platform: Needs, isTerminal: boolean): Promise<OperatorOffer | null> {
  const file = join(platform.config.DATA_DIR, 'operator-code');
  if (!(await needsOperator(platform))) {
    rmSync(file, { force: true });
    return null;
  }
  if (isTerminal) {
    rmSync(file, { force: true });
    return { code: await makeOperatorCode(platform) };
  }
  const kept = existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
  if (!(await isOperatorCodeValid(platform, kept))) {
    rmSync(file, { force: true });
    writeFileSync(file, `${await makeOperatorCode(platform)}\n`, { mode: 0o600, flag: 'wx' });
  }
  return { file };
}
