import type { Rolldown } from 'vite';

type Context = { getModuleInfo(id: string): Rolldown.ModuleInfo | null };

/**
 * Puts what the first page needs into few files, because many small ones compress worse and are more requests: `core`
 * is what the application and the player on other sites share, `app` what the application alone needs before any page.
 */
export function initialChunk(id: string, context: Context): string | null {
  if (!/\/node_modules\/|\/web\/src\//.test(id) || id.includes('/gql/generated/')) return null;
  if (!isReached(id, /\/web\/index\.html$/, context)) return null;
  return isReached(id, /\/web\/embed\.html$/, context) ? 'core' : 'app';
}

/** Whether a page imports a module, however indirectly, and not only when it is used. */
function isReached(id: string, page: RegExp, context: Context): boolean {
  const seen = new Set([id]);
  for (const module of seen) {
    if (page.test(module)) return true;
    for (const importer of context.getModuleInfo(module)?.importers ?? []) seen.add(importer);
  }
  return false;
}
