import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { frameAddress, type PlayerAttributes } from '../src/address.ts';

const NOTHING: PlayerAttributes = {
  ...{ src: null, content: null, server: null, token: null, start: null, controls: null, chat: false },
  ...{ autoplay: false, muted: false, loop: false },
};
const ID = '0198c0de-7a11-7000-8000-000000000000';
const SITE = 'https://site.example/blog/';

describe('the address of the frame', () => {
  const cases: [what: string, attributes: Partial<PlayerAttributes>, address: string | null][] = [
    ['of nothing', {}, null],
    ['of a content without a server', { content: ID }, null],
    ['of a page of the player', { src: `https://v.example/embed/${ID}` }, `https://v.example/embed/${ID}`],
    ['of the page of a video', { src: 'https://v.example/w/aB3-_xYz019' }, 'https://v.example/embed/aB3-_xYz019'],
    [
      'of a former page of a video',
      { src: `https://v.example/watch/short/${ID}` },
      `https://v.example/embed/short/${ID}`,
    ],
    ['relative to the page', { src: `/embed/${ID}` }, `https://site.example/embed/${ID}`],
    ['of an id', { content: ID, server: 'https://v.example' }, `https://v.example/embed/${ID}`],
    [
      'of the DID of a feature',
      { content: `did:reelgraph:content/feature/${ID}`, server: 'https://v.example/' },
      `https://v.example/embed/${ID}`.replace('content/', ''),
    ],
    [
      'with everything',
      {
        ...{ src: `https://v.example/embed/${ID}`, token: 'a.b.c', start: '90', controls: 'none', chat: true },
        ...{ autoplay: true, muted: true, loop: true },
      },
      `https://v.example/embed/${ID}?token=a.b.c&t=90&controls=0&chat=1&autoplay=1&muted=1&loop=1`,
    ],
  ];
  for (const [what, attributes, address] of cases)
    it(what, () => {
      assert.equal(frameAddress({ ...NOTHING, ...attributes }, SITE)?.href ?? null, address);
    });

  it('is refused where it is none', () => {
    assert.throws(() => frameAddress({ ...NOTHING, src: 'https://:' }, SITE), TypeError);
  });
});

describe('the element', () => {
  it('can be imported where there are no elements', async () => {
    const { ReelgraphPlayer } = await import('../src/index.ts');
    assert.equal(typeof ReelgraphPlayer, 'function');
  });
});
