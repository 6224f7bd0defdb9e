import { existsSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import type { Plugin, ProxyOptions } from 'vite';

/** First segments of paths of the platform that are opened as pages, too. */
const OF_PLATFORM = /^\/(?:api|docs|graphql|mcp|media|uploads)(?:[/?]|$)/;
/** Modules that Vite serves. */
const OF_VITE = /^\/(?:@|src\/|node_modules\/|i18n\/)/;
const PUBLIC = join(import.meta.dirname, 'public');

/** Whether Vite answers a request itself: a page of the application, a module or a public file. */
export function isOfApplication({ url = '/', headers }: Pick<IncomingMessage, 'url' | 'headers'>): boolean {
  if (OF_VITE.test(url)) return true;
  if (OF_PLATFORM.test(url)) return false;
  const path = url.split('?')[0] ?? '/';
  return (headers.accept ?? '').includes('text/html') || (path !== '/' && existsSync(join(PUBLIC, path)));
}

/** Sends to the platform what is not of the application; subscriptions are WebSockets. */
export function proxyTo(platform: string): Record<string, ProxyOptions> {
  return {
    '/graphql': { target: platform, ws: true },
    '^/': { target: platform, bypass: (request) => (isOfApplication(request) ? request.url : undefined) },
  };
}

/** Players in other sites have a page of their own. */
export function embedPages(): Plugin {
  return {
    name: 'embed-pages',
    configureServer({ middlewares }) {
      middlewares.use((request, _response, next) => {
        if (request.url?.startsWith('/embed/')) request.url = '/embed.html';
        next();
      });
    },
  };
}
