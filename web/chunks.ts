import type { Rolldown } from 'vite';

type Context = { getModuleInfo(id: string): Rolldown.ModuleInfo | null };

/**
 * Puts what the first page needs into few files, because many small ones compress worse and are more requests: `core`
 * is what the application and the player on other sites share, `app` what the application alone needs before any page.
 */
export function initialChunk(id: string, context: Context): string | null {
  if (!/\/node_modules\/|\/web\/src\//.test(id) || id.includes('/gql/generated/')) return null;
  const pages = pagesOf(id, context);
  if (!pages.some((page) => page.endsWith('/web/index.html'))) return null;
  return pages.some((page) => page.endsWith('/web/embed.html')) ? 'core' : 'app';
}

/** The pages that import a module, however indirectly, but not those that load it only when it is used. */
function pagesOf(id: string, context: Context): string[] {
  const importers = new Set([id]);
  for (const module of importers)
    for (const importer of context.getModuleInfo(module)?.importers ?? []) importers.add(importer);
  return [...importers].filter((module) => module.endsWith('.html'));
}
