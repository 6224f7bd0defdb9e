import { accessSync, constants } from 'node:fs';
import { delimiter, isAbsolute, join, resolve } from 'node:path';

/** Debian's usual folders of programs. */
export const DEFAULT_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** Absolute path of an executable: as given, or found on PATH; null where there is none. */
export function findExecutable(nameOrPath: string, searchPath: string): string | null {
  const candidates =
    isAbsolute(nameOrPath) || nameOrPath.includes('/')
      ? [resolve(nameOrPath)]
      : searchPath.split(delimiter).flatMap((folder) => (folder === '' ? [] : [join(folder, nameOrPath)]));
  for (const candidate of candidates) {
    try {
      accessSync(candidate, constants.X_OK);
      return candidate;
    } catch {
      // Not here; look further.
    }
  }
  return null;
}
