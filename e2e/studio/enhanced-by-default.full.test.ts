import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../server/src/testing/until.ts';
import { makeCounterClip } from '../support/clips.ts';
import { sharedStage } from '../support/stage.ts';
import { callApi, play, publishByProgram, untilPlaying } from '../support/steps.ts';

const stage = sharedStage();

const ENHANCE =
  'mutation ($id: DID!) { upscaleContent(id: $id, input: { target: 480 }) { job { id } } upmixContent(id: $id) ' +
  '{ job { id } } }';
const STATES =
  'query ($id: DID!) { content(id: $id) { assets { videos(first: 1) { edges { node ' +
  '{ upscale { status } upmix { status } } } } } } }';

interface States {
  readonly content: {
    readonly assets: {
      readonly videos: {
        readonly edges: readonly {
          readonly node: Readonly<Record<'upscale' | 'upmix', { readonly status: string }>>;
        }[];
      };
    };
  };
}

test('the player chooses enhanced video and sound by itself where the channel prefers them', async () => {
  makeCounterClip(stage.folder, 'detailed.mp4', 12);
  const { page: studio, context, errors, member } = await stage.signedIn();
  const video = { title: 'Detailed', summary: '', filename: 'detailed.mp4' };
  const { path, id } = await publishByProgram(stage, member.key, video);
  await callApi(stage.baseUrl, member.key, ENHANCE, { id });
  let states = '';
  const isMade = async () => {
    const { content } = await callApi<States>(stage.baseUrl, member.key, STATES, { id });
    states = content.assets.videos.edges.map(({ node }) => `${node.upscale.status} ${node.upmix.status}`).join();
    return states === 'COMPLETE COMPLETE';
  };
  await until(isMade, () => states);

  /** What a new visitor is sent and shown, until the picture has so many lines. */
  async function watch(lines: number) {
    const visitor = await stage.visitor();
    const { page } = visitor;
    const folders = new Set<string>();
    page.on('request', (request) => {
      const [, folder] = /\/(v\d+|audio[^/]*)\/[^/]+\.m4s$/.exec(request.url()) ?? [];
      if (folder) folders.add(folder);
    });
    await page.goto(path);
    await play(page);
    await untilPlaying(page);
    const height = () => page.evaluate("document.querySelector('video').videoHeight");
    await until(
      async () => (await height()) === lines,
      () => `there are never ${lines} lines`,
    );
    const chosen = async (menu: string) => {
      await page.getByRole('button', { name: menu }).click();
      const [text = ''] = await page.getByRole('menuitemradio', { checked: true }).allInnerTexts();
      await page.keyboard.press('Escape');
      return text.split('\n')[0];
    };
    const shown = { quality: await chosen('Quality'), audio: await chosen('Audio'), folders: [...folders].sort() };
    return { ...visitor, shown };
  }

  const plain = await watch(180);
  assert.deepEqual([plain.shown.quality, plain.shown.audio], ['Auto', 'Main']);
  assert.ok(
    !plain.shown.folders.some((folder) => ['v480', 'audio-5.1'].includes(folder)),
    plain.shown.folders.join(' '),
  );
  await plain.context.close();

  await studio.goto('/studio/channel');
  const choice = studio.getByLabel('Play enhanced video and sound by default');
  const choose = async (isOn: boolean) => {
    await choice.click();
    await until(
      async () => (await choice.isChecked()) === isOn,
      () => 'the choice is not saved',
    );
  };
  await choose(true);
  await studio.reload();
  await choice.waitFor();
  assert.ok(await choice.isChecked());

  const enhanced = await watch(480);
  assert.deepEqual([enhanced.shown.quality, enhanced.shown.audio], ['Auto', '5.1 upmix']);
  assert.ok(enhanced.shown.folders.includes('audio-5.1') && !enhanced.shown.folders.includes('audio'));
  assert.deepEqual([...plain.errors, ...enhanced.errors, ...errors], []);
  await enhanced.context.close();

  await choose(false);
  const again = await watch(180);
  assert.ok(!again.shown.folders.includes('audio-5.1'), again.shown.folders.join(' '));
  await again.context.close();
  await context.close();
});
