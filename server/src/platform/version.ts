import { readFileSync } from 'node:fs';

/** The version of this program. */
export function readVersion(): string {
  // Our package.json has a version.
  return (JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string })
    .version;
}
