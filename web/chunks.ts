import type { Rolldown } from 'vite';

type Context = { getModuleInfo(id: string): Rolldown.ModuleInfo | null };

/** Of libraries whose first module exports everything: what only some pages use. */
const RARE = /\/(?:queriesObserver|useQueries|useBlocker)\.js$/;
const FOR_ACTIONS = /\/(?:mutationObserver|useMutation)\.js$/;

/**
 * Puts what the home page and the page of a video need into few files, because many small ones compress worse and are
 * more requests. `libraries` and `index` are loaded before any page; `libraries` has no text and changes only with a
 * dependency, so that browsers keep it. Of what pages share, `ui` and `cards` are what the home page needs, `controls`
 * and `player` what the page of a video needs besides. A file never needs one that is named after it here. Everything
 * else is left to Rolldown.
 */
export function chunkOf(id: string, context: Context): string | null {
  if (RARE.test(id)) return null;
  if (FOR_ACTIONS.test(id)) return 'controls';
  const users = usersOf(id, context);
  const isUsedBy = (file: string): boolean => users.some((user) => user.endsWith(file));
  if (isUsedBy('/web/index.html')) return id.includes('/node_modules/') ? 'libraries' : 'index';
  const isShared = users.filter((user) => context.getModuleInfo(user)?.dynamicImporters.length).length > 1;
  const layer = /\/web\/src\/(ui|lib|player|features)\//.exec(id)?.[1];
  if (!isShared || !layer) return null;
  const isBasic = layer === 'ui' || layer === 'lib';
  if (isUsedBy('/home-page.tsx')) return isBasic ? 'ui' : 'cards';
  if (!isUsedBy('/watch-page.tsx') || layer === 'features') return null;
  return isBasic ? 'controls' : 'player';
}

/** A module and those that import it, however indirectly, but not those that load it only when it is used. */
function usersOf(id: string, context: Context): string[] {
  const users = new Set([id]);
  for (const user of users)
    for (const importer of context.getModuleInfo(user)?.importers ?? [])
      if (!importer.endsWith('/operations.gen.ts')) users.add(importer); // it exports the operations of all folders
  return [...users];
}
