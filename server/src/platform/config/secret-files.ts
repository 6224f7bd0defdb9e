import { readFileSync, statSync } from 'node:fs';
import { oidcSecretSettings } from './oidc-settings.ts';
import { SETTINGS } from './settings.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** More than any secret has; a wrong path must not load a video into memory. */
const MAX_BYTES = 65_536;

/** Names of the settings that are secrets: each can be given by a file, as NAME_FILE. */
export const SECRET_SETTINGS: readonly string[] = Object.entries(SETTINGS).flatMap(([name, setting]) =>
  'secret' in setting ? [name] : [],
);

/**
 * The environment with the content of the files that NAME_FILE settings name, as Docker and Kubernetes mount secrets.
 * Problems contain paths, and never what is in a file.
 */
export function withSecretFiles(env: Environment): { readonly env: Environment; readonly problems: string[] } {
  const problems: string[] = [];
  const read: Record<string, string> = {};
  for (const name of [...SECRET_SETTINGS, ...oidcSecretSettings(env)]) {
    const path = env[`${name}_FILE`];
    if (!path) continue;
    const outcome = env[name] ? `${name} and ${name}_FILE are both set: remove one of them` : readSecret(path);
    if (typeof outcome === 'string') problems.push(`${name}_FILE: ${outcome}`);
    else read[name] = outcome.content;
  }
  return { env: { ...env, ...read }, problems };
}

/** What is in the file, without one final line break; else what is wrong, and what to do. */
function readSecret(path: string): string | { readonly content: string } {
  try {
    const { size } = statSync(path);
    if (size > MAX_BYTES) return `${path} is larger than ${MAX_BYTES} bytes: name the file that has only the secret`;
    const content = readFileSync(path, 'utf8').replace(/\r?\n$/, '');
    return content === '' ? `${path} is empty: write the secret into it` : { content };
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException; // node:fs throws these only
    if (code === 'ENOENT') return `there is no file ${path}: create it, or correct the path`;
    return `${path} cannot be read (${code}): let the user of the server read this file`;
  }
}
