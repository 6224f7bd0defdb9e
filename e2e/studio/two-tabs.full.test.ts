import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import sharp from 'sharp';
import { until } from '../../server/src/testing/until.ts';
import { accessibilityViolations } from '../support/accessibility.ts';
import { makeClip } from '../support/clips.ts';
import type { Member } from '../support/members.ts';
import { sharedStage } from '../support/stage.ts';
import { ask, callApi, publishByProgram, uploadDock } from '../support/steps.ts';

/** Two tabs edit the same object: what each has changed is kept, and a person chooses where both changed the same. */
const stage = sharedStage();
const SRT = '1\n00:00:00,500 --> 00:00:03,000\nThe tide comes in.\n';
const CONFLICT = 'This was changed since you opened it';
const paths = { content: '', serie: '', playlist: '', captions: '', chapters: '' };
let creator: Member;
let operator: Member;

before(async () => {
  [creator, operator] = [await stage.account(), await stage.operator()];
  makeClip(stage.folder, 'tide.mp4', 31, '64x36'); // long enough for three chapters
  const { id } = await publishByProgram(stage, creator.key, { title: 'Tide', summary: '', filename: 'tide.mp4' });
  const call = <Data>(query: string, variables: object) => callApi<Data>(stage.baseUrl, creator.key, query, variables);
  const { createSeries, createPlaylist } = await call<{
    createSeries: { content: { id: string } };
    createPlaylist: { id: string };
  }>(
    'mutation { createSeries(input: { title: "Tides" }) { content { id } } createPlaylist(input: ' +
      '{ title: "Waves" }) { id } }',
    {},
  );
  const captions =
    'mutation ($id: DID!, $text: String!) { createContentCaptions(id: $id, input: { language: "en", ' +
    'text: $text }) { captions { id } } }';
  await call(captions, { id, text: SRT });
  const tail = (did: string) => did.split('/').slice(-2).join('/').replace('feature/', '');
  paths.content = `/studio/content/${tail(id)}?tab=details`;
  paths.captions = `/studio/content/${tail(id)}?tab=captions`;
  paths.chapters = `/studio/content/${tail(id)}?tab=chapters`;
  paths.serie = `/studio/content/${tail(createSeries.content.id)}?tab=details`;
  paths.playlist = `/studio/playlists/${createPlaylist.id.split('/').at(-1)}`;
});

interface Form {
  readonly name: string;
  readonly path: () => string;
  readonly region: string;
  /** A field that both tabs change, with three values, and one that only the other tab changes. */
  readonly both: readonly [label: string, theirs: string, mine: string, third: string];
  readonly one: readonly [label: string, value: string] | null;
  readonly byOperator?: true;
  /** The button that saves, if it is not Save. */
  readonly button?: string;
  readonly open?: (page: Page) => Promise<void>;
  /** Undoes what other journeys would notice. */
  readonly restore?: () => Promise<void>;
}

async function restoreName(): Promise<void> {
  const { page, context } = await stage.signedIn({}, operator);
  await page.goto('/admin/settings');
  await ask(page, 'mutation { updateInstance(input: { name: null }) { instance { name } } }');
  await context.close();
}

const editCaptions = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Edit English' }).click();
  await page.getByLabel('Text of cue 1').waitFor();
};

const chaptersOf = (last: string): string => `0:00 Dawn\n0:10 Noon\n0:20 ${last}`;

const FORMS: readonly Form[] = [
  {
    ...{ name: 'content', path: () => paths.content, region: 'Details' },
    ...{ both: ['Title', 'Ebb', 'Flood', 'Slack water'], one: ['Description', 'The sea twice a day.'] },
  },
  {
    ...{ name: 'series', path: () => paths.serie, region: 'Details' },
    ...{ both: ['Title', 'Ebbs', 'Floods', 'Slack waters'], one: ['Keywords', 'sea'] },
  },
  {
    ...{ name: 'channel', path: () => '/studio/channel', region: 'Profile' },
    ...{ both: ['Name', 'Harbour', 'Lighthouse', 'Pier'], one: ['Description', 'By the sea.'] },
  },
  {
    ...{ name: 'playlist', path: () => paths.playlist, region: 'Details' },
    ...{ both: ['Title', 'Big waves', 'Small waves', 'No waves'], one: ['Description', 'All of them.'] },
  },
  {
    ...{ name: 'moderation', path: () => '/studio/comments', region: 'Automated filters' },
    ...{ both: ['Blocked words', 'shark', 'jellyfish', 'whale'], one: null },
  },
  {
    ...{ name: 'profile', path: () => '/settings/account', region: 'Profile' },
    ...{ both: ['Name', 'Harbourmaster', 'Lighthouse keeper', 'Captain'], one: ['Bio', 'Lives by the sea.'] },
  },
  {
    ...{ name: 'captions', path: () => paths.captions, region: 'Edit English' },
    ...{
      both: ['Text of cue 1', 'The tide goes out.', 'The tide turns.', 'The tide waits.'],
      one: null,
      open: editCaptions,
    },
  },
  {
    ...{ name: 'chapters', path: () => paths.chapters, region: 'Chapters' },
    ...{
      both: ['Timestamps and titles', chaptersOf('Ebb'), chaptersOf('Flood'), chaptersOf('Slack water')],
      one: null,
    },
  },
  {
    ...{ name: 'usage limits', path: () => '/settings/developer', region: 'Usage limits', button: 'Save limits' },
    ...{ both: ['Deletions per 24 hours', '10', '20', '30'], one: ['Videos published per hour', '5'] },
  },
  {
    ...{ name: 'server settings', path: () => '/admin/settings', region: 'General', byOperator: true },
    ...{ both: ['Name', 'Harbour TV', 'Lighthouse TV', 'Pier TV'], one: null, restore: restoreName },
  },
];

for (const form of FORMS)
  describe(`two tabs with the form of ${form.name}`, () => {
    const [label, theirs, mine, third] = form.both;
    if (form.restore) after(form.restore);

    const formOf = (page: Page) => page.getByRole('region', { name: form.region, exact: true });
    const send = (region: Locator) => region.getByRole('button', { name: form.button ?? 'Save', exact: true }).click();

    async function save(region: Locator): Promise<void> {
      await send(region);
      await region.getByText('Saved.').waitFor();
    }

    async function openTabs() {
      const visitor = await stage.signedIn({}, form.byOperator ? operator : creator);
      const tabs = [visitor.page, await visitor.context.newPage()] as const;
      for (const page of tabs) {
        await page.goto(form.path());
        await form.open?.(page);
        // Both have loaded the same values before one of them saves.
        await formOf(page).getByLabel(label, { exact: true }).waitFor();
      }
      const regions = tabs.map(formOf);
      return { ...visitor, tabs, regions: regions as [Locator, Locator] }; // of two tabs
    }

    if (form.one !== null) {
      const [other, value] = form.one;
      test('keep what each of them has changed', async () => {
        const { context, tabs, regions, errors } = await openTabs();
        const [first, second] = regions;
        await first.getByLabel(label, { exact: true }).fill(third);
        await save(first);
        await second.getByLabel(other, { exact: true }).fill(value);
        await save(second);
        assert.equal(await second.getByLabel(label, { exact: true }).inputValue(), third);
        await tabs[0].reload();
        assert.equal(await first.getByLabel(label, { exact: true }).inputValue(), third);
        assert.equal(await first.getByLabel(other, { exact: true }).inputValue(), value);
        assert.deepEqual(errors, []);
        await context.close();
      });
    }

    test('show both values where both have changed the same, and keep the chosen one', async () => {
      const { context, tabs, regions } = await openTabs();
      const [first, second] = regions;
      await first.getByLabel(label, { exact: true }).fill(theirs);
      await save(first);
      await second.getByLabel(label, { exact: true }).fill(mine);
      await send(second);
      const dialog = tabs[1].getByRole('dialog', { name: CONFLICT });
      await dialog.getByRole('radio', { name: theirs }).waitFor();
      assert.equal(await dialog.getByRole('radio', { name: mine }).isChecked(), true);
      assert.deepEqual(await accessibilityViolations(tabs[1]), []);
      await dialog.getByRole('button', { name: 'Keep editing' }).click();
      assert.equal(await second.getByLabel(label, { exact: true }).inputValue(), mine);

      await send(second);
      await dialog.getByRole('radio', { name: mine }).waitFor();
      await dialog.getByRole('button', { name: 'Save', exact: true }).click();
      await second.getByText('Saved.').waitFor();

      // The first tab is the one that was opened earlier now.
      await first.getByLabel(label, { exact: true }).fill(third);
      await send(first);
      const again = tabs[0].getByRole('dialog', { name: CONFLICT });
      await again.getByRole('radio', { name: mine }).check();
      await again.getByRole('button', { name: 'Save', exact: true }).click();
      await first.getByText('Saved.').waitFor();
      const field = first.getByLabel(label, { exact: true });
      await until(async () => (await field.inputValue()) === mine, 'the chosen value is not shown');
      await context.close();
    });
  });

describe('two tabs with forms that are closed by saving', () => {
  const conflict = (page: Page) => page.getByRole('dialog', { name: CONFLICT });

  test('ask about a webhook', async () => {
    const create = 'mutation ($input: CreateWebhookInput!) { createWebhook(input: $input) { webhook { id } } }';
    const url = `http://127.0.0.1:${stage.silentPort}/tides`;
    const input = { channel: creator.channelId, url, description: 'Tides', events: ['CONTENT_PUBLISHED'] };
    await callApi(stage.baseUrl, creator.key, create, { input });
    const { page: first, context, errors } = await stage.signedIn({}, creator);
    const second = await context.newPage();
    const form = (page: Page) => page.getByRole('form', { name: 'Edit webhook' });
    const save = (page: Page) => form(page).getByRole('button', { name: 'Save', exact: true }).click();
    for (const page of [first, second]) {
      await page.goto('/settings/developer/webhooks');
      await page.getByRole('listitem', { name: url }).getByRole('button', { name: 'Edit', exact: true }).click();
    }
    await form(first).getByLabel('Description').fill('Ebb');
    await save(first);
    await first.getByRole('listitem', { name: url }).getByText('Ebb').waitFor();
    await form(second).getByLabel('Endpoint URL').fill(`${url}/2`);
    await form(second).getByLabel('Description').fill('Flood');
    await save(second);
    await conflict(second).getByRole('radio', { name: 'Saved version Ebb' }).check();
    assert.equal(await conflict(second).getByRole('radio').count(), 2, 'only one of them has changed the address');
    assert.deepEqual(await accessibilityViolations(second), []);
    await conflict(second).getByRole('button', { name: 'Save', exact: true }).click();
    const card = second.getByRole('listitem', { name: `${url}/2` });
    await card.getByText('Ebb').waitFor();
    assert.deepEqual(errors, []);
    await context.close();
  });

  test('ask about the details of a video that is uploaded', async () => {
    const { page: first, context, errors } = await stage.signedIn({}, creator);
    await first.goto('/studio/videos');
    await first.getByLabel('Video files').setInputFiles(makeClip(stage.folder, 'Cliffs.mp4', 3));
    const details = first.getByRole('dialog', { name: 'Details', exact: true });
    await details.getByLabel('Title').waitFor();
    const path = await details.getByRole('link', { name: 'page of the video' }).getAttribute('href');
    const second = await context.newPage();
    await second.goto(path ?? assert.fail('the dialog does not lead to the page of the video'));
    const form = second.getByRole('region', { name: 'Details', exact: true });
    await form.getByLabel('Title', { exact: true }).fill('White cliffs');
    await form.getByLabel('Description', { exact: true }).fill('Chalk.');
    await form.getByRole('button', { name: 'Save', exact: true }).click();
    await form.getByText('Saved.').waitFor();

    await details.getByLabel('Title').fill('Red cliffs');
    await details.getByRole('button', { name: 'Save', exact: true }).click();
    await conflict(first).getByRole('radio', { name: 'Saved version White cliffs' }).waitFor();
    assert.equal(await conflict(first).getByRole('radio').count(), 2, 'only one of them has changed the description');
    await conflict(first).getByRole('button', { name: 'Save', exact: true }).click();
    await details.waitFor({ state: 'detached' });
    await uploadDock(first).getByRole('listitem', { name: 'Red cliffs' }).waitFor();
    await second.reload();
    assert.equal(await form.getByLabel('Title', { exact: true }).inputValue(), 'Red cliffs');
    assert.equal(await form.getByLabel('Description', { exact: true }).inputValue(), 'Chalk.');
    assert.deepEqual(errors, []);
    await context.close();
  });
});

describe('two tabs with choices that are saved at once', () => {
  async function openTabs(tab: string) {
    const visitor = await stage.signedIn({}, creator);
    const second = await visitor.context.newPage();
    for (const page of [visitor.page, second]) {
      await page.goto(paths.content.replace('details', tab));
      await page.getByRole('button', { name: 'Change visibility' }).waitFor();
    }
    return { ...visitor, first: visitor.page, second };
  }

  /** Takes what the other tab has saved. */
  async function take(page: Page, saved: string): Promise<void> {
    const dialog = page.getByRole('dialog', { name: CONFLICT });
    await dialog.getByRole('radio', { name: `Saved version ${saved}` }).check();
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
  }

  test('ask who can watch', async () => {
    const { first, second, context } = await openTabs('details');
    const choose = async (page: Page, name: RegExp): Promise<Locator> => {
      await page.getByRole('button', { name: 'Change visibility' }).click();
      const dialog = page.getByRole('dialog', { name: 'Visibility' });
      await dialog.getByLabel(name).check();
      await dialog.getByRole('button', { name: 'Save', exact: true }).click();
      return dialog;
    };
    await (await choose(first, /^Private/)).waitFor({ state: 'detached' });
    const dialog = await choose(second, /^Unlisted/);
    await take(second, 'Private');
    await dialog.waitFor({ state: 'detached' });
    // The dialog opens with what the page shows.
    await second.getByRole('complementary', { name: 'Summary' }).getByText('Private', { exact: true }).waitFor();
    await (await choose(second, /^Public/)).waitFor({ state: 'detached' });
    await (await choose(first, /^Unlisted/)).waitFor();
    await take(first, 'Public');
    await context.close();
  });

  test('ask which logo the server has', async () => {
    const { page: first, context } = await stage.signedIn({}, operator);
    const second = await context.newPage();
    const logo = (page: Page) => page.getByRole('region', { name: 'Logo', exact: true });
    const choose = async (page: Page, background: string): Promise<void> => {
      const buffer = await sharp({ create: { width: 32, height: 32, channels: 3, background } })
        .png()
        .toBuffer();
      const file = { name: 'logo.png', mimeType: 'image/png', buffer };
      await logo(page).getByLabel('Image of the logo').setInputFiles(file);
    };
    const shown = (page: Page) => logo(page).getByRole('img', { name: 'Logo of the server' });
    for (const page of [first, second]) {
      await page.goto('/admin/settings');
      await logo(page).getByText('The server has the logo of Reelgraph.').waitFor();
    }
    await choose(first, '#0b57d0');
    await shown(first).waitFor();
    const address = await shown(first).getAttribute('src');
    await choose(second, '#a72a1b');
    await take(second, 'Another image');
    await shown(second).waitFor();
    assert.equal(await shown(second).getAttribute('src'), address);
    await logo(second).getByRole('button', { name: 'Remove' }).click();
    await logo(second).getByText('The server has the logo of Reelgraph.').waitFor();
    await context.close();
  });

  test('ask who can comment', async () => {
    const { first, second, context } = await openTabs('comments');
    const saved = first.waitForResponse((response) => !!response.request().postData()?.includes('UpdateCommentMode'));
    await first.getByLabel('Who can comment').selectOption('DISABLED');
    await saved;
    await second.getByLabel('Who can comment').selectOption('MEMBERS_ONLY');
    await take(second, 'No one');
    assert.equal(await second.getByLabel('Who can comment').inputValue(), 'DISABLED');
    await context.close();
  });
});
