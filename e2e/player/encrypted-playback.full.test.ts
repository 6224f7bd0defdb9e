import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { until } from '../../server/src/testing/until.ts';
import { accessibilityViolations } from '../support/accessibility.ts';
import { makeClip } from '../support/clips.ts';
import { sharedStage } from '../support/stage.ts';
import { callApi, play, publishByProgram } from '../support/steps.ts';

const stage = sharedStage();
const CHANGE = 'mutation ($id: DID!, $input: ContentInput!) { updateContent(id: $id, input: $input) { id } }';
const PLAYLIST = 'query ($id: DID!) { content(id: $id) { assets { videos { edges { node { playlistUrl } } } } } }';

interface Addresses {
  readonly content: { readonly assets: { readonly videos: { readonly edges: { node: { playlistUrl: string } }[] } } };
}

/** Digests of the decoded pictures and sound, one line each, by ffmpeg. */
function decoded(address: string): string {
  const options = ['-v', 'error', '-allowed_extensions', 'ALL', '-i', address];
  return execFileSync('ffmpeg', [...options, '-map', '0:v:0', '-map', '0:a:0', '-f', 'framemd5', '-'], {
    encoding: 'utf8',
  });
}

test('a private video plays encrypted in the browser, and ffmpeg decodes the same from it as in the clear', async () => {
  const { page, member, errors } = await stage.signedIn();
  await page.goto('/studio/channel');
  const panel = page.getByRole('region', { name: 'Private playback' });
  await panel.getByLabel('Encrypt private videos').click();
  await page.reload();
  assert.ok(await panel.getByLabel('Encrypt private videos').isChecked());
  assert.deepEqual(await accessibilityViolations(page), []);

  makeClip(stage.folder, 'secret.mp4', 9);
  const video = await publishByProgram(stage, member.key, { title: 'Secret', summary: '', filename: 'secret.mp4' });
  const change = (visibility: string) =>
    callApi(stage.baseUrl, member.key, CHANGE, { id: video.id, input: { visibility } });
  const playlist = async () => {
    const { content } = await callApi<Addresses>(stage.baseUrl, member.key, PLAYLIST, { id: video.id });
    return content.assets.videos.edges[0]?.node.playlistUrl ?? assert.fail('it is playable');
  };
  await change('PRIVATE');
  const requested: string[] = [];
  page.on('request', (request) => requested.push(new URL(request.url()).pathname));
  await page.goto(video.path);
  await play(page);
  const keys = requested.filter((path) => path.endsWith('/segments.key'));
  const segments = requested.filter((path) => path.endsWith('.m4s'));
  assert.ok(keys.length > 0 && segments.length > 0);
  assert.ok([...keys, ...segments].every((path) => path.startsWith('/media/e/')));
  assert.deepEqual(errors, []);

  const encrypted = await playlist();
  assert.match(encrypted, /\/media\/s\//);
  const frames = decoded(encrypted);
  assert.equal(frames.split('\n').filter((line) => line.startsWith('0,')).length, 9 * 15);
  await change('PUBLIC');
  const clear = await playlist();
  assert.doesNotMatch(clear, /\/media\/[se]\//);
  // That it was private is remembered for two seconds.
  await until(
    async () => (await fetch(clear)).ok,
    () => 'the public playlist is not found',
  );
  assert.equal(decoded(clear), frames);
});
