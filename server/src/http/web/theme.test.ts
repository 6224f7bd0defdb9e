import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { defaultInstance, type LogoFacts } from '../../platform/instance/instance-settings.ts';
import { SESSION_COOKIE, startTestServer, type TestServer } from '../testing.ts';

const BROWSER = { accept: 'text/html,*/*;q=0.8' };
const PAGE =
  '<!doctype html><html><head><meta name="site-logo" content="" /><link rel="icon" href="/favicon.svg" ' +
  'type="image/svg+xml" /><link rel="stylesheet" href="/a.css" /></head><body></body></html>';

describe('the look of a server', () => {
  let root: string;
  let at: TestServer;
  let accentColor: string | null = null;
  let logo: LogoFacts | null = null;
  let name = 'Reelgraph';
  before(async () => {
    root = await mkdtemp(join(tmpdir(), 'theme-'));
    await Promise.all(['index', 'embed'].map((page) => writeFile(join(root, `${page}.html`), PAGE)));
    await writeFile(join(root, 'graphiql.html'), await readFile(resolve('web/graphiql.html')));
    const settings = defaultInstance({ SIGN_UP: 'open' });
    at = await startTestServer({ webRoot: root, instance: () => ({ ...settings, name, accentColor, logo }) });
  });
  after(async () => {
    await at.close();
    await rm(root, { recursive: true });
  });
  const sheetOf = async (path: string) => {
    const response = await at.fetch(path, { headers: BROWSER });
    const page = await response.text();
    assert.match(response.headers.get('content-security-policy') ?? '', /style-src 'self';/);
    return [...page.matchAll(/<link rel="stylesheet" href="([^"]*)"/g)].map(([, href]) => href);
  };

  it('has no style sheet until operators choose a color', async () => {
    assert.deepEqual(await sheetOf('/'), ['/a.css']);
    const response = await at.fetch('/theme.css');
    assert.deepEqual([response.status, await response.text()], [200, '']);
  });

  it('is a style sheet of all pages after their own, at an address that never changes', async () => {
    accentColor = '#0b57d0';
    const [, path = ''] = await sheetOf('/');
    assert.match(path, /^\/theme\/0b57d0-[\w-]{16}\.css$/);
    assert.deepEqual(await sheetOf('/embed/0198c0de'), ['/a.css', path]);
    const response = await at.fetch(path);
    const styles = await response.text();
    assert.deepEqual(
      [response.headers.get('content-type'), response.headers.get('cache-control')],
      ['text/css; charset=utf-8', 'public, max-age=31536000, immutable'],
    );
    const light = styles.slice(styles.indexOf('light'));
    assert.match(light, /--accent:#0b57d0;--on-accent:#ffffff;--accent-text:#0b57d0;--accent-hover:92%/);
    assert.match(styles, /--accent-light:216.9, 90%, 42.9%}/, 'for the explorer');
    assert.equal(await (await at.fetch('/theme.css')).text(), styles);
    accentColor = '#ff8a3d';
    assert.equal(await (await at.fetch(path)).text(), styles, 'of pages that are still open');
    assert.match((await sheetOf('/'))[1] ?? '', /^\/theme\/ff8a3d-/);
    const old = await at.fetch('/theme/0b57d0-ofanotherversion.css');
    assert.match(await old.text(), /--accent:#ff8a3d/);
    assert.equal(old.headers.get('cache-control'), 'public, max-age=60');
  });

  it('is in the title of the explorer and of error pages', async () => {
    name = 'Bird & Film';
    const titleOf = async (path: string, headers: Record<string, string>) =>
      /<title>(.*)<\/title>/.exec(await (await at.fetch(path, { headers: { ...BROWSER, ...headers } })).text())?.[1];
    assert.equal(await titleOf('/graphql', { cookie: SESSION_COOKIE }), 'API explorer · Bird &amp; Film');
    assert.equal(await titleOf('/nothing.txt', {}), 'There is nothing at this address. · Bird &amp; Film');
    name = 'Reelgraph';
  });

  it('is a logo, which is the icon too if it is square', async () => {
    const stated = async () => {
      const page = await (await at.fetch('/', { headers: BROWSER })).text();
      return [/name="site-logo" content="([^"]*)"/, /rel="icon" href="([^"]*)"/].map((one) => one.exec(page)?.[1]);
    };
    assert.deepEqual(await stated(), ['', '/favicon.svg']);
    logo = { digest: '0123456789abcdef', width: 300, height: 100 };
    assert.deepEqual(await stated(), ['/logo/0123456789abcdef.png', '/favicon.svg']);
    logo = { ...logo, width: 101 };
    assert.deepEqual(await stated(), ['/logo/0123456789abcdef.png', '/logo/0123456789abcdef.png']);
  });
});
