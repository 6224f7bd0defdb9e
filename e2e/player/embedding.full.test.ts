import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { until } from '../../server/src/testing/until.ts';
import { makeClip } from '../support/clips.ts';
import { sharedStage } from '../support/stage.ts';
import { countNoPresses, publishByProgram } from '../support/steps.ts';

const stage = sharedStage();

/** What the page's script sees of the element. */
interface Element {
  readonly currentTime: number;
  readonly duration: number;
  readonly paused: boolean;
  readonly muted: boolean;
  readonly volume: number;
}

/** Notes the events of the element, and the messages of errors, in their order. */
const NOTE_EVENTS = `
  globalThis.seen = [];
  for (const name of ['ready', 'play', 'pause', 'timeupdate', 'volumechange', 'ratechange', 'ended', 'error'])
    document.addEventListener(name, (event) => seen.push(event.detail?.message ?? name), true);
`;

describe('the player element on the page of another site', () => {
  /** The attributes of the element are the query of the page, its policy forbids everything inline. */
  const site = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? '/', 'http://site');
    const attributes = [...searchParams].map(([name, value]) => `${name}="${value}"`).join(' ');
    response.setHeader('content-type', 'text/html');
    response.setHeader(
      'content-security-policy',
      `default-src 'none'; script-src ${stage.baseUrl}; frame-src ${stage.baseUrl}`,
    );
    response.end(
      `<!doctype html><title>A site</title><script async src="${stage.baseUrl}/player.js"></script>` +
        `<reelgraph-player ${attributes}></reelgraph-player>`,
    );
  });
  let id = '';
  before(async () => {
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
    const { key } = await stage.account();
    makeClip(stage.folder, 'embedded.mp4', 8);
    ({ id } = await publishByProgram(stage, key, { title: 'On a site', summary: '', filename: 'embedded.mp4' }));
  });
  after(() => site.close().closeAllConnections());

  /** A visitor's page with the element; `events` are those that it dispatched. */
  async function visit(attributes: Readonly<Record<string, string>>) {
    const { page, context, errors } = await stage.visitor();
    await countNoPresses(page);
    await page.addInitScript({ content: NOTE_EVENTS });
    const { port } = site.address() as AddressInfo;
    await page.goto(`http://127.0.0.1:${port}/?${new URLSearchParams(attributes)}`);
    const player = page.locator('reelgraph-player');
    const read = () =>
      player.evaluate((element) => {
        const { currentTime, duration, paused, muted, volume } = element as unknown as Element;
        return { currentTime, duration, paused, muted, volume };
      });
    const seen = () => page.evaluate<string[]>('seen');
    const wait = (name: string) =>
      until(
        async () => (await seen()).includes(name),
        () => `the page did not see ${name}`,
      );
    return { page, context, errors, player, read, seen, wait };
  }

  it('plays, seeks, stays muted and pauses as the page asks, and tells what happens', async () => {
    const { context, errors, player, read, seen, wait } = await visit({ content: id, controls: 'none', muted: '' });
    await wait('ready');
    await player.evaluate((element) => (element as unknown as { play(): Promise<void> }).play());
    await wait('timeupdate');
    assert.equal((await read()).paused, false);
    await player.evaluate((element) => Object.assign(element, { currentTime: 5, playbackRate: 2, volume: 0.5 }));
    await until(
      async () => (await read()).currentTime > 5,
      () => 'it did not seek',
    );
    await player.evaluate((element) => (element as unknown as { pause(): void }).pause());
    await wait('pause');
    const state = await read();
    assert.deepEqual([state.paused, state.muted, state.volume, Math.round(state.duration)], [true, true, 0.5, 8]);
    const frame = await player.locator('iframe').boundingBox();
    assert.deepEqual(await player.boundingBox(), frame, 'the frame fills the element');
    assert.ok((await seen()).includes('ratechange'));
    assert.equal(await player.locator('iframe').contentFrame().getByRole('button').count(), 0, 'it has no controls');
    assert.deepEqual(errors, []);
    await context.close();
  });

  it('starts by itself where it may, plays to the end, and again from the start', async () => {
    const { context, player, read, wait } = await visit({ content: id, autoplay: '', muted: '', start: '6' });
    await wait('ended');
    assert.ok((await read()).paused);
    await player.evaluate((element) => (element as unknown as { play(): Promise<void> }).play());
    assert.ok((await read()).currentTime < 6);
    await context.close();
  });

  it('says why there is nothing to play, and plays the content that it is given then', async () => {
    const { context, player, seen, wait } = await visit({ content: '0198c0de-7a11-7000-8000-000000000000' });
    await wait('This video is not available.');
    assert.ok(!(await seen()).includes('ready'));
    await player.evaluate((element, content) => element.setAttribute('content', content), id);
    await wait('ready');
    await player.locator('iframe').contentFrame().getByRole('button', { name: 'Play On a site' }).waitFor();
    await context.close();
  });

  it('ends what was asked when its address is removed', async () => {
    const { context, player, wait } = await visit({ content: id, muted: '' });
    await wait('ready');
    const error = await player.evaluate((element) => {
      const played = (element as unknown as { play(): Promise<void> }).play();
      element.removeAttribute('content');
      return played.then(
        () => null,
        (failed: Error) => failed.name,
      );
    });
    assert.equal(error, 'AbortError');
    await player.locator('iframe').waitFor({ state: 'detached' });
    await context.close();
  });
});
