import assert from 'node:assert/strict';
import { createPrivateKey, sign } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { until } from '../../server/src/testing/until.ts';
import { accessibilityViolations } from '../support/accessibility.ts';
import { makeClip } from '../support/clips.ts';
import { sharedStage } from '../support/stage.ts';
import { callApi, countNoPresses, publishByProgram } from '../support/steps.ts';

const stage = sharedStage();
const CHANGE = 'mutation ($id: DID!, $input: ContentInput!) { updateContent(id: $id, input: $input) { id } }';

/** A site whose page embeds the address in its query; returns its host. */
async function serveSite(after: (close: () => void) => void): Promise<string> {
  const site = createServer((request, response) => {
    const address = new URL(request.url ?? '/', 'http://site').searchParams.get('player') ?? '';
    response.setHeader('content-type', 'text/html');
    response.end(`<!doctype html><iframe title="Video" width="640" height="360" src="${address}"></iframe>`);
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  after(() => site.close().closeAllConnections());
  return `127.0.0.1:${(site.address() as AddressInfo).port}`; // it listens on a port, not on a path
}

test('a site plays a private video with tokens of a key from the studio, until the key is deleted', async (ended) => {
  const { page, member, errors } = await stage.signedIn();
  makeClip(stage.folder, 'private.mp4', 8);
  const video = await publishByProgram(stage, member.key, {
    title: 'Members only',
    summary: '',
    filename: 'private.mp4',
  });
  await callApi(stage.baseUrl, member.key, CHANGE, { id: video.id, input: { visibility: 'PRIVATE' } });

  await page.goto('/studio/channel');
  const panel = page.getByRole('region', { name: 'Signing keys' });
  await panel.getByLabel('Description').fill('The shop');
  await panel.getByRole('button', { name: 'Create signing key' }).click();
  const pem = await panel.getByLabel('Private key').innerText();
  const row = panel.getByRole('listitem', { name: 'The shop' });
  await row.getByText(/never used/).waitFor();
  const kid = await row.getByText(/^did:/).innerText();
  assert.deepEqual(await accessibilityViolations(page), []);

  const [shop, other] = [await serveSite(ended.after.bind(ended)), await serveSite(ended.after.bind(ended))];
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const claims = { sub: video.id, aud: 'playback', exp: Math.floor(Date.now() / 1_000) + 600, ref: [shop] };
  const text = `${encode({ alg: 'EdDSA', kid })}.${encode(claims)}`;
  const token = `${text}.${sign(null, Buffer.from(text), createPrivateKey(pem)).toString('base64url')}`;
  const player = `${stage.baseUrl}/embed/${video.id.slice(-36)}?token=${token}`;
  const viewer = await stage.visitor();
  await countNoPresses(viewer.page);
  const frame = viewer.page.frameLocator('iframe');
  const open = (site: string) => viewer.page.goto(`http://${site}/?player=${encodeURIComponent(player)}`);

  await open(shop);
  await frame
    .getByRole('button', { name: 'Play Members only' })
    .focus()
    .catch(async (cause) => {
      throw new Error(`The embedded player shows: ${await frame.locator('body').innerText()}`, { cause });
    });
  // A press of the button would be repeated on a slow machine, when it has gone away because the video plays.
  await viewer.page.keyboard.press('Enter');
  await until(
    () => frame.locator('video').evaluate((element) => (element as unknown as { currentTime: number }).currentTime > 1),
    () => 'the video does not play',
  );
  await page.reload();
  await row.getByText(/last used/).waitFor();
  assert.deepEqual(viewer.errors, []);

  await open(other);
  await frame.getByText('This playback token does not allow playback on this site.').waitFor();

  await row.getByRole('button', { name: 'Delete The shop' }).click();
  await page.getByRole('dialog', { name: 'Delete The shop?' }).getByRole('button', { name: 'Delete' }).click();
  await row.waitFor({ state: 'detached' });
  await open(shop);
  await frame.getByText('The key that signed the playback token does not exist, or was deleted.').waitFor();
  assert.deepEqual(errors, []);
  await viewer.context.close();
});
