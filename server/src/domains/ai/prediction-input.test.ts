import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { newId } from '../../kernel/ids.ts';
import type { Person, TestCatalog } from '../catalog/testing.ts';

import { greyImage, type ImageSite, openImageSite, PREDICT } from './predictions.fixture.ts';

const DAY_MS = 86_400_000;

describe('input of predictions', () => {
  let site: ImageSite;
  let api: TestCatalog;
  let address = '';
  let ada: Person;
  before(async () => {
    site = await openImageSite(
      new Map([
        [
          '/svg.png',
          Buffer.from(
            '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>',
          ),
        ],
        ['/broken.png', (await greyImage(90)).subarray(0, 900)],
        ['/heavy.png', Buffer.alloc(25 * 1024 * 1024 + 1)],
      ]),
    );
    ({ api, address } = site);
    ada = await api.person('ada');
  });
  after(() => site.close());

  const predict = async (input: Record<string, unknown>, who = ada) =>
    (await api.ok(who, PREDICT, { input })).predictVirality;

  const refusals: [string, () => Record<string, unknown>, string, string, RegExp][] = [
    ['a blank title', () => ({ title: ' ' }), 'FIELD_REQUIRED', 'input.title', /200/],
    ['a title too long', () => ({ title: 'x'.repeat(201) }), 'INVALID_INPUT', 'input.title', /200/],
    [
      'a description too long',
      () => ({ title: 'x', description: 'x'.repeat(5_001) }),
      'INVALID_INPUT',
      'input.description',
      /5000/,
    ],
    [
      'an unknown category',
      () => ({ title: 'x', category: 'Knitting' }),
      'INVALID_INPUT',
      'input.category',
      /Music, Nature/,
    ],
    ['no address', () => ({ title: 'x', imageUrl: 'a.png' }), 'INVALID_INPUT', 'input.imageUrl', /http or https/],
    [
      'a file address',
      () => ({ title: 'x', imageUrl: 'file:///etc/passwd' }),
      'INVALID_INPUT',
      'input.imageUrl',
      /http or https/,
    ],
    [
      'an address of the machine',
      () => ({ title: 'x', imageUrl: 'http://127.0.0.1:1/a.png' }),
      'INVALID_INPUT',
      'input.imageUrl',
      /anyone can download/,
    ],
    [
      'an address without a file',
      () => ({ title: 'x', imageUrl: `${address}/missing.png` }),
      'INVALID_INPUT',
      'input.imageUrl',
      /anyone can download/,
    ],
    ['a renamed SVG', () => ({ title: 'x', imageUrl: `${address}/svg.png` }), 'INVALID_INPUT', 'input.imageUrl', /SVG/],
    [
      'a truncated image',
      () => ({ title: 'x', imageUrl: `${address}/broken.png` }),
      'INVALID_INPUT',
      'input.imageUrl',
      /export it again/,
    ],
    [
      'a file too large',
      () => ({ title: 'x', imageUrl: `${address}/heavy.png` }),
      'INVALID_INPUT',
      'input.imageUrl',
      /anyone can download/,
    ],
    [
      'an unknown image of the platform',
      () => ({ title: 'x', imageUrl: `http://reelgraph.test/media/images/${newId()}/w1280.jpg` }),
      'RESOURCE_NOT_FOUND',
      'input.imageUrl',
      /ImageAsset/,
    ],
  ];
  for (const [what, input, code, field, fix] of refusals) {
    it(`refuses ${what}`, async () => {
      const error = await api.refused(ada, PREDICT, { input: input() });
      assert.deepEqual([error.code, error.field], [code, field]);
      assert.match(error.suggestedFix, fix);
    });
  }

  it('has a limit of analyzed images per account', async () => {
    const eve = await api.person('eve');
    const input = { title: 'x', imageUrl: `${address}/svg.png` };
    for (let index = 0; index < 30; index += 1)
      assert.equal((await api.refused(eve, PREDICT, { input })).code, 'INVALID_INPUT');
    const error = await api.refused(eve, PREDICT, { input });
    assert.deepEqual([error.code, error.field], ['RATE_LIMIT_EXCEEDED', 'input.imageUrl']);
    assert.ok((await predict({ title: 'x' }, eve)).clickThroughRate > 0);
    api.clock.advance(2_000);
    assert.equal((await api.refused(eve, PREDICT, { input })).code, 'INVALID_INPUT');
  });

  it('requires Creator+ or a trial', async () => {
    const signedIn = await api.signedIn(ada);
    const setPlan = (plan: string, state: string, until: string | null) =>
      api.rows(
        `update subscriptions set plan = $2, state = $3, trial_ends_at = $4::timestamptz where account_id = $1`,
        [ada.accountId, plan, state, until],
      );
    for (const plan of ['FREE', 'PREMIUM', 'PREMIUM_PLUS']) {
      await setPlan(plan, 'ACTIVE', null);
      const error = await api.refused(signedIn, PREDICT, { input: { title: 'x' } });
      assert.deepEqual([error.code, /trial.*Creator\+/.test(error.suggestedFix)], ['UNAUTHORIZED', true]);
    }
    await setPlan('CREATOR_PLUS', 'TRIALING', new Date(api.clock.now() + DAY_MS).toISOString());
    assert.ok((await predict({ title: 'x' }, signedIn)).clickThroughRate > 0);
  });
});
