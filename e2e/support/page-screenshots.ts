import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import sharp from 'sharp';
import { until } from '../../server/src/testing/until.ts';
import { newVisitor } from './browser.ts';
import { startComponents } from './components-server.ts';
import type { Platform } from './harness.ts';
import { makeMember, makeOperator } from './members.ts';
import { graphql, untilPlaying } from './steps.ts';

/** Who looks at a page: the owner of the demo channel, an operator, or a visitor. */
type Who = 'owner' | 'operator' | 'visitor';

interface Account {
  readonly email: string;
  readonly password: string;
}

/** WebP quality; text stays sharp and a page takes 10 to 60 kB. */
const QUALITY = 80;

const DEVICES = { desk: { width: 1280, height: 900 }, phone: { width: 390, height: 844 } } as const;

const VIEWS = (['dark', 'light'] as const).flatMap((colorScheme) =>
  Object.entries(DEVICES).map(([device, viewport]) => ({ name: `${device}-${colorScheme}`, colorScheme, viewport })),
);

/** Pages with their addresses; `video` is the path of a video of the demo channel. */
const pages = (video: string): Readonly<Record<string, readonly [who: Who, path: string]>> => ({
  home: ['owner', '/'],
  watch: ['visitor', `/watch/${video}`],
  search: ['visitor', '/search?q=colours'],
  channel: ['visitor', '/@demo'],
  playlists: ['owner', '/playlists'],
  notifications: ['owner', '/notifications'],
  'sign-in': ['visitor', '/sign-in'],
  studio: ['owner', '/studio'],
  videos: ['owner', '/studio/videos'],
  edit: ['owner', `/studio/content/${video}`],
  captions: ['owner', `/studio/content/${video}?tab=captions`],
  comments: ['owner', '/studio/comments'],
  analytics: ['owner', '/studio/analytics'],
  members: ['owner', '/studio/channel'],
  account: ['owner', '/settings/account'],
  security: ['owner', '/settings/security'],
  developer: ['owner', '/settings/developer'],
  admin: ['operator', '/admin'],
  'admin-accounts': ['operator', '/admin/accounts'],
  docs: ['visitor', '/docs'],
});

/**
 * Takes a screenshot of each page of a platform with the demo channel, and of the components: on a desk and on a phone,
 * in dark and in light colors, into `folder`.
 */
export async function screenshotPages(
  platform: Platform,
  browser: Browser,
  owner: Account & { readonly apiKey: string },
  folder: string,
): Promise<void> {
  await mkdir(folder, { recursive: true });
  const operator = await makeMember(platform, 'operator', 'FREE');
  await makeOperator(platform, operator);
  const video = await fillChannel(platform.baseUrl, owner.apiKey);
  const accounts: Readonly<Record<Who, Account | null>> = { owner, operator, visitor: null };
  for (const { name: view, ...options } of VIEWS)
    for (const who of ['owner', 'operator', 'visitor'] as const) {
      const { page, context } = await open(platform.baseUrl, browser, options, accounts[who]);
      for (const [name, [whose, path]] of Object.entries(pages(video))) {
        if (whose !== who) continue;
        await page.goto(path);
        await page.locator('h1').first().waitFor();
        await until(
          async () => (await page.locator('.animate-spin').count()) === 0,
          () => `${path} does not stop loading`,
          30_000,
        );
        if (who !== 'visitor') await page.getByRole('button', { name: /^Account / }).waitFor();
        if (name === 'watch') await untilPlaying(page);
        await shoot(page, join(folder, `${name}-${view}.webp`));
      }
      await context.close();
    }
  await screenshotComponents(browser, folder);
}

/** Comments and a playlist, so that lists are not empty; the path of the video with the comments. */
async function fillChannel(baseUrl: string, key: string): Promise<string> {
  const call = async (query: string, variables: object = {}): Promise<Record<string, unknown>> => {
    const { body } = await graphql(baseUrl, key, query, variables);
    assert.equal(body.errors, undefined, JSON.stringify(body.errors));
    return body.data as Record<string, unknown>; // as selected
  };
  const data = await call('{ contents(first: 3, sort: OLDEST) { nodes: edges { node { id } } } }');
  const [first, second] = (data.contents as { nodes: { node: { id: string } }[] }).nodes.map(({ node }) => node.id);
  for (const body of ['The colours at 0:05 are my favourite.', 'Which tool did you use to render this?'])
    await call('mutation ($id: DID!, $body: String!) { createComment(contentId: $id, body: $body) { id } }', {
      id: first,
      body,
    });
  const input = { title: 'Evening loops', contentIds: [first, second] };
  const fill =
    'mutation ($input: CreatePlaylistWithItemsInput!) { createPlaylistWithItems(input: $input) { itemCount } }';
  await call(fill, { input });
  return first?.split('/').at(-1) ?? assert.fail('the demo channel has no video');
}

async function open(
  baseUrl: string,
  browser: Browser,
  options: BrowserContextOptions,
  account: Account | null,
): Promise<{ page: Page; context: BrowserContext }> {
  const { page, context } = await newVisitor(browser, baseUrl, { ...options, reducedMotion: 'reduce' });
  if (account === null) return { page, context };
  const { email, password } = account;
  const headers = { origin: baseUrl };
  const response = await context.request.post('/api/auth/sign-in/email', { headers, data: { email, password } });
  assert.equal(response.status(), 200, await response.text());
  return { page, context };
}

async function screenshotComponents(browser: Browser, folder: string): Promise<void> {
  const components = await startComponents();
  const looks = [
    ['dark', {}],
    ['light', {}],
    ['dark', { contrast: 'more' }],
    ['light', { contrast: 'more' }],
  ] as const;
  for (const [colorScheme, more] of looks) {
    const options = { colorScheme, viewport: { width: 1000, height: 800 }, ...more };
    const { page, context } = await newVisitor(browser, components.url, options);
    await page.goto(components.url);
    await page.getByRole('heading', { level: 1 }).waitFor();
    const name = `components-${colorScheme}${'contrast' in more ? '-contrast' : ''}.webp`;
    await shoot(page, join(folder, name), true);
    await context.close();
  }
  await components.stop();
}

async function shoot(page: Page, path: string, fullPage = false): Promise<void> {
  await page.evaluate('Promise.all(Array.from(document.images, (image) => image.decode().catch(() => undefined)))');
  const picture = await page.screenshot({ animations: 'disabled', fullPage });
  await sharp(picture).webp({ quality: QUALITY }).toFile(path);
}
