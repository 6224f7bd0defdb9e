import { globSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';

/** Where Debian and others install nss_wrapper. */
const NSS_WRAPPER = '/usr/lib{/*,64,}/libnss_wrapper.so';

/**
 * Environment in which initdb finds a name for the user that runs it. A container may run as any number; initdb ends
 * where that has no entry in /etc/passwd. nss_wrapper then reads the entry from a file in `folder`. Empty where the
 * user has a name; throws an error with a suggested fix where nss_wrapper is missing.
 */
export function userNameFor(folder: string, libraries = NSS_WRAPPER): Record<string, string> {
  if (hasName()) return {};
  const [library] = globSync(libraries);
  const [user, group] = [process.getuid?.(), process.getgid?.()];
  if (library === undefined)
    throw new Error(
      `User ${user} has no name here, and PostgreSQL needs one: add it to /etc/passwd, or install libnss-wrapper.`,
    );
  const file = join(folder, 'initdb-passwd');
  writeFileSync(file, `reelgraph:x:${user}:${group}::/:/usr/sbin/nologin\n`, { mode: 0o600 });
  return { LD_PRELOAD: library, NSS_WRAPPER_PASSWD: file, NSS_WRAPPER_GROUP: '/etc/group' };
}

function hasName(): boolean {
  try {
    userInfo();
    return true;
  } catch {
    return false;
  }
}
