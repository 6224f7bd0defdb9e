import { describeSettings } from '../../server/src/platform/config/config.ts';

/** Names of the environment that are not settings of the platform: those of Node and of malloc in glibc. */
const OF_OTHERS = new Set(['NODE_ENV', 'NODE_COMPILE_CACHE', 'MALLOC_MMAP_THRESHOLD_', 'MALLOC_ARENA_MAX', 'PATH']);

/**
 * What is wrong with names in the environment of the platform, one line each: no such setting, or a secret that is not
 * given by its file.
 */
export function findWrongSettings(names: Iterable<string>): string[] {
  const secrets = new Map(describeSettings().map(({ name, isSecret }) => [name, isSecret]));
  return [...names].flatMap((name) => {
    if (OF_OTHERS.has(name)) return [];
    if (secrets.get(name)) return [`${name} is a secret: give ${name}_FILE`];
    if (secrets.has(name) || secrets.get(name.replace(/_FILE$/, ''))) return [];
    return [`${name} is no setting`];
  });
}
