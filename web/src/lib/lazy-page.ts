import type { AsyncRouteComponent } from '@tanstack/react-router';
import { type ComponentType, createElement, use } from 'react';
import { unreachable } from './api.ts';

/**
 * The page of a route, loaded with the first visit. When it cannot be loaded, the page of errors says so and tries
 * again; the router's own function reloads the window then, of which nothing is left while there is no connection.
 */
export function lazyPage<File extends object, Name extends keyof File>(
  load: () => Promise<File>,
  name: Name,
): AsyncRouteComponent<object> {
  const file = lazyFile(load);
  let page: ComponentType | undefined;
  let loading: Promise<void> | undefined;
  const start = (): Promise<void> => {
    loading = file().then((loaded) => {
      page = loaded[name] as ComponentType; // not in the signature: a page's type depends on the routes
      delete Page.preload;
    });
    return loading;
  };
  const Page: AsyncRouteComponent<object> = () => {
    if (!page) use(loading ?? start());
    return page ? createElement(page) : null;
  };
  Page.preload = start;
  return Page;
}

/** Browsers never ask again for a module that they could not load: only another document can. */
let needsReload = false;

/** A file of the application, by a dynamic import. The function throws ApiError while it cannot be loaded. */
export function lazyFile<File>(load: () => Promise<File>): () => Promise<File> {
  let file: File | undefined;
  return async () => {
    if (file) return file;
    if (!navigator.onLine) throw unreachable();
    file = await load().catch(() => {
      needsReload = true;
      throw unreachable();
    });
    return file;
  };
}

/**
 * Reloads the window when the server has another build of the application than the one that runs, or, in a new attempt,
 * when a file of it could not be loaded. False when the window stays.
 */
export async function reloadIfNeeded(isNewAttempt: boolean): Promise<boolean> {
  if (isNewAttempt && !needsReload) return false;
  const script = document.querySelector('script[type="module"][src]')?.getAttribute('src');
  const response = await fetch('/', { cache: 'no-store' }).catch(() => null);
  if (!response?.ok || !(isNewAttempt || (script && !(await response.text()).includes(script)))) return false;
  location.reload();
  return true;
}
