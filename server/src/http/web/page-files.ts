import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { Route } from '../../platform/routing.ts';
import { sendText } from '../codings/send-text.ts';
import { SCRIPT_PATH, STYLES_PATH } from './page-shell.ts';
import { FONTS, pageStyles } from './page-styles.ts';

/** Adds a copy button to each code block. */
const SCRIPT = `for (const block of document.querySelectorAll('.code')) {
  const button = document.createElement('button');
  button.className = 'copy';
  button.type = 'button';
  button.textContent = 'Copy';
  button.setAttribute('aria-live', 'polite');
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(block.querySelector('code').textContent);
      button.textContent = 'Copied';
    } catch {
      button.textContent = 'Not allowed';
    }
    setTimeout(() => { button.textContent = 'Copy'; }, 2000);
  });
  block.append(button);
}
`;

/** The style sheet, the fonts and the script of the documentation pages. */
export function pageFileRoutes(): Route[] {
  return [
    file(STYLES_PATH, 'text/css; charset=utf-8', pageStyles),
    file(SCRIPT_PATH, 'text/javascript; charset=utf-8', SCRIPT),
    ...FONTS.map(({ path, file }) => font(path, file)),
  ];
}

function file(path: string, type: string, text: string): Route {
  const headers = { 'content-type': type, 'cache-control': 'public, max-age=300' };
  const handle = (request: IncomingMessage, response: ServerResponse) =>
    sendText(request, response, 200, text, headers);
  return { method: 'GET', path, handle };
}

function font(path: string, name: string): Route {
  const file = createRequire(import.meta.url).resolve(`@fontsource-variable/instrument-sans/files/${name}`);
  const headers = { 'content-type': 'font/woff2', 'cache-control': 'public, max-age=86400' };
  const handle = async (_request: IncomingMessage, response: ServerResponse) => {
    response.writeHead(200, headers).end(await readFile(file));
  };
  return { method: 'GET', path, handle };
}
