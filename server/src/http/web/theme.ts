import type { IncomingMessage, ServerResponse } from 'node:http';
import { accentIn, channelsOf, hslOf } from '../../kernel/accent-color.ts';
import type { Route } from '../../platform/routing.ts';
import { sendText } from '../codings/send-text.ts';
import { digestOf } from './web-pages.ts';

/** The style sheet of the server's accent color as it is now, for pages whose HTML is the same for all servers. */
export const THEME_PATH = '/theme.css';

/** Its own path of the style sheet of an accent color, `#rrggbb`: what is there never changes. */
export function themePath(color: string): string {
  return `/theme/${color.slice(1)}-${digestOf(Buffer.from(themeStyles(color)))}.css`;
}

/**
 * Replaces the accent colors of web/src/styles.css, and those of the API explorer, whose palette its visitor chooses.
 */
export function themeStyles(color: string): string {
  const [dark, light] = [accentIn('dark', color), accentIn('light', color)];
  const block = ({ fill, onFill, text }: typeof dark, glow: number): string => {
    // A pointer makes a button darker below white text, and brighter below black text.
    const [hover, active] = onFill === '#ffffff' ? [92, 85] : [108, 115];
    return (
      `--accent:${fill};--on-accent:${onFill};--accent-text:${text};--accent-hover:${hover}%;` +
      `--accent-active:${active}%;--glow:rgb(${channelsOf(fill).join(' ')} / ${glow})`
    );
  };
  return (
    `:root:root{${block(dark, 0.09)};--accent-player:${dark.text};--accent-dark:${hslOf(dark.text)};` +
    `--accent-light:${hslOf(light.text)}}\n` +
    `@media (prefers-color-scheme: light){:root:root{${block(light, 0.14)}}}\n`
  );
}

const CSS = 'text/css; charset=utf-8';

/** The style sheets of accent colors; `current`: that of the server, null for ours. */
export function themeRoutes(current: () => string | null): Route[] {
  const now = (request: IncomingMessage, response: ServerResponse): void => {
    const color = current();
    const headers = { 'content-type': CSS, 'cache-control': 'public, max-age=60' };
    sendText(request, response, 200, color === null ? '' : themeStyles(color), headers);
  };
  const own: Route['handle'] = (request, response, { url }) => {
    const color = `#${/^\/theme\/([0-9a-f]{6})-/.exec(url.pathname)?.[1] ?? ''}`;
    // Of another version, or of nobody: the colors of now.
    if (color.length !== 7 || themePath(color) !== url.pathname) return now(request, response);
    const headers = { 'content-type': CSS, 'cache-control': 'public, max-age=31536000, immutable' };
    sendText(request, response, 200, themeStyles(color), headers);
  };
  return [
    { method: 'GET', path: THEME_PATH, handle: now },
    { method: 'GET', path: '/theme/:name', handle: own },
  ];
}
