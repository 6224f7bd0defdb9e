import { basename } from 'node:path';

/**
 * Libraries that define most of the symbols which Debian's ffmpeg looks up as it starts (`LD_DEBUG=bindings`). No other
 * library defines these symbols otherwise, so that the order changes nothing but the time.
 */
const SEARCHED_MOST = [
  ...['libc', 'libm', 'libstdc++', 'libcrypto', 'libglib-2.0', 'libgobject-2.0', 'libgio-2.0', 'libepoxy', 'liblapack'],
  ...['libasound', 'libgnutls', 'libnettle', 'libcairo', 'libpango-1.0', 'libdbus-1', 'libavutil'],
];
/** With fewer libraries nothing is gained. */
const MANY_LIBRARIES = 100;

/**
 * What starts a program with many libraries sooner, by env(1): the loader looks a symbol up in one library after the
 * other, in the order in which they were loaded, and loads these first. A fifth of the time that ffmpeg takes before it
 * does anything. Empty for programs with fewer libraries. Pure.
 */
export function preloadCommand(env: string | null, libraries: readonly string[]): string[] {
  if (env === null || libraries.length < MANY_LIBRARIES) return [];
  const first = SEARCHED_MOST.flatMap(
    (name) => libraries.find((path) => basename(path).startsWith(`${name}.so`)) ?? [],
  );
  return [env, `LD_PRELOAD=${first.join(':')}`];
}
