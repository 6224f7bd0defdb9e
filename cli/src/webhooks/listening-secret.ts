import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { type Environment, readPrivate, stateFolder, writePrivate } from '../folders.ts';

/** The secret with which `webhook listen` signs: the same every time on this machine. */
export async function listeningSecret(env: Environment): Promise<string> {
  const file = join(stateFolder(env), 'webhook-secret.json');
  const saved = await readPrivate(file);
  if (typeof saved?.secret === 'string') return saved.secret;
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  await writePrivate(file, { secret });
  return secret;
}
