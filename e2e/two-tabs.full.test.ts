import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { until } from '../server/src/testing/until.ts';
import { accessibilityViolations } from './support/accessibility.ts';
import { makeClip } from './support/clips.ts';
import type { Member } from './support/members.ts';
import { sharedStage } from './support/stage.ts';
import { callApi, publishByProgram } from './support/steps.ts';

/** Two tabs edit the same object: what each has changed is kept, and a person chooses where both changed the same. */
const stage = sharedStage();
const SRT = '1\n00:00:00,500 --> 00:00:03,000\nThe tide comes in.\n';
const CONFLICT = 'This was changed since you opened it';
const paths = { content: '', serie: '', playlist: '', captions: '' };
let creator: Member;
let operator: Member;

before(async () => {
  [creator, operator] = [await stage.account(), await stage.operator()];
  makeClip(stage.folder, 'tide.mp4', 3);
  const { id } = await publishByProgram(stage, creator.key, { title: 'Tide', summary: '', filename: 'tide.mp4' });
  const call = <Data>(query: string, variables: object) => callApi<Data>(stage.baseUrl, creator.key, query, variables);
  const { createSerie, createPlaylist } = await call<Record<'createSerie' | 'createPlaylist', { id: string }>>(
    'mutation { createSerie(input: { title: "Tides" }) { id } createPlaylist(input: { title: "Waves" }) { id } }',
    {},
  );
  const captions =
    'mutation ($id: DID!, $text: String!) { createContentCaptions(id: $id, input: { language: "en", ' +
    'text: $text }) { id } }';
  await call(captions, { id, text: SRT });
  const tail = (did: string) => did.split('/').slice(-2).join('/').replace('feature/', '');
  paths.content = `/studio/content/${tail(id)}?tab=details`;
  paths.captions = `/studio/content/${tail(id)}?tab=captions`;
  paths.serie = `/studio/content/${tail(createSerie.id)}?tab=details`;
  paths.playlist = `/studio/playlists/${createPlaylist.id.split('/').at(-1)}`;
});

interface Form {
  readonly name: string;
  readonly path: () => string;
  readonly region: string;
  /** A field that both tabs change, and one that only the other tab changes; with two values of each. */
  readonly both: readonly [label: string, theirs: string, mine: string];
  readonly one: readonly [label: string, value: string] | null;
  readonly byOperator?: true;
  readonly open?: (page: Page) => Promise<void>;
}

const editCaptions = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Edit English' }).click();
  await page.getByLabel('Text of cue 1').waitFor();
};

const FORMS: readonly Form[] = [
  {
    ...{ name: 'content', path: () => paths.content, region: 'Details' },
    ...{ both: ['Title', 'Ebb', 'Flood'], one: ['Description', 'The sea twice a day.'] },
  },
  {
    ...{ name: 'series', path: () => paths.serie, region: 'Details' },
    ...{ both: ['Title', 'Ebbs', 'Floods'], one: ['Keywords', 'sea'] },
  },
  {
    ...{ name: 'channel', path: () => '/studio/channel', region: 'Profile' },
    ...{ both: ['Name', 'Harbour', 'Lighthouse'], one: ['Description', 'By the sea.'] },
  },
  {
    ...{ name: 'playlist', path: () => paths.playlist, region: 'Details' },
    ...{ both: ['Title', 'Big waves', 'Small waves'], one: ['Description', 'All of them.'] },
  },
  {
    ...{ name: 'moderation', path: () => '/studio/comments', region: 'Automated filters' },
    ...{ both: ['Blocked words', 'shark', 'jellyfish'], one: null },
  },
  {
    ...{ name: 'profile', path: () => '/settings/account', region: 'Profile' },
    ...{ both: ['Name', 'Harbourmaster', 'Lighthouse keeper'], one: ['Bio', 'Lives by the sea.'] },
  },
  {
    ...{ name: 'captions', path: () => paths.captions, region: 'Edit English' },
    ...{ both: ['Text of cue 1', 'The tide goes out.', 'The tide turns.'], one: null, open: editCaptions },
  },
  {
    ...{ name: 'server settings', path: () => '/admin/settings', region: 'General', byOperator: true },
    ...{ both: ['Name', 'Harbour TV', 'Lighthouse TV'], one: null },
  },
];

async function save(region: Locator): Promise<void> {
  await region.getByRole('button', { name: 'Save', exact: true }).click();
  await region.getByText('Saved.').waitFor();
}

for (const form of FORMS)
  describe(`two tabs with the form of ${form.name}`, () => {
    const [label, theirs, mine] = form.both;

    const formOf = (page: Page) => page.getByRole('region', { name: form.region, exact: true });

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
        await first.getByLabel(label, { exact: true }).fill(`${theirs} at first`);
        await save(first);
        await second.getByLabel(other, { exact: true }).fill(value);
        await save(second);
        assert.equal(await second.getByLabel(label, { exact: true }).inputValue(), `${theirs} at first`);
        await tabs[0].reload();
        assert.equal(await first.getByLabel(label, { exact: true }).inputValue(), `${theirs} at first`);
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
      await second.getByRole('button', { name: 'Save', exact: true }).click();
      const dialog = tabs[1].getByRole('dialog', { name: CONFLICT });
      await dialog.getByRole('radio', { name: theirs }).waitFor();
      assert.equal(await dialog.getByRole('radio', { name: mine }).isChecked(), true);
      assert.deepEqual(await accessibilityViolations(tabs[1]), []);
      await dialog.getByRole('button', { name: 'Keep editing' }).click();
      assert.equal(await second.getByLabel(label, { exact: true }).inputValue(), mine);

      await second.getByRole('button', { name: 'Save', exact: true }).click();
      await dialog.getByRole('radio', { name: mine }).waitFor();
      await dialog.getByRole('button', { name: 'Save', exact: true }).click();
      await second.getByText('Saved.').waitFor();

      // The first tab is the one that was opened earlier now.
      await first.getByLabel(label, { exact: true }).fill(`${theirs} once more`);
      await first.getByRole('button', { name: 'Save', exact: true }).click();
      const again = tabs[0].getByRole('dialog', { name: CONFLICT });
      await again.getByRole('radio', { name: mine }).check();
      await again.getByRole('button', { name: 'Save', exact: true }).click();
      await first.getByText('Saved.').waitFor();
      const field = first.getByLabel(label, { exact: true });
      await until(async () => (await field.inputValue()) === mine, 'the chosen value is not shown');
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
    await (await choose(second, /^Public/)).waitFor({ state: 'detached' });
    await (await choose(first, /^Unlisted/)).waitFor();
    await take(first, 'Public');
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
