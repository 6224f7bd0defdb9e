import assert from 'node:assert/strict';
import { test } from 'node:test';
import { healthText, healthWarnings } from './health-text.ts';

const GOOD = {
  bitrateBps: 2_830_000,
  frameRate: 29.97,
  keyframeMs: 2_000,
  lagMs: 40,
  leftOutSizes: [] as string[],
  minutesLeft: 31,
};

const SENT: readonly (readonly [rates: Partial<typeof GOOD> | { frameRate: null }, text: string])[] = [
  [{}, '2.8 Mbit/s, 30 pictures a second'],
  [{ frameRate: 1.2 }, '2.8 Mbit/s, 1 picture a second'],
  [{ frameRate: null }, '2.8 Mbit/s'],
  [{ bitrateBps: 3_000_000 }, '3 Mbit/s, 30 pictures a second'],
  [{ bitrateBps: 999_499 }, '999 kbit/s, 30 pictures a second'],
  [{ bitrateBps: 999_500 }, '1 Mbit/s, 30 pictures a second'],
  [{ bitrateBps: 0 }, '0 kbit/s, 30 pictures a second'],
];

for (const [rates, text] of SENT)
  test(`what an encoder sends in words: ${text}`, () => assert.equal(healthText({ ...GOOD, ...rates }), text));

const WARNINGS: readonly (readonly [what: string, facts: object, texts: readonly RegExp[]])[] = [
  ['nothing is wrong', {}, []],
  ['keyframes that are not known', { keyframeMs: null }, []],
  ['keyframes at the bound', { keyframeMs: 4_000 }, []],
  ['keyframes far apart', { keyframeMs: 8_333 }, [/^Keyframes are 8\.3 seconds apart: .* viewers wait less\.$/]],
  ['an upload at the bound', { lagMs: 2_000 }, []],
  ['an upload that is behind', { lagMs: 3_149 }, [/^Your upload is 3\.1 seconds behind: .* faster connection\.$/]],
  [
    'sizes that are left out',
    { leftOutSizes: ['720p', '480p'] },
    [/do not get 720p and 480p: this server has no CPU time/],
  ],
  ['minutes that are not known', { minutesLeft: null }, []],
  ['few minutes', { minutesLeft: 30 }, [/^30 minutes of broadcasts are left this month\./]],
  ['the last minute', { minutesLeft: 1 }, [/^1 minute of broadcasts/]],
  ['both', { keyframeMs: 10_000, lagMs: 12_000 }, [/^Keyframes are 10 seconds/, /^Your upload is 12 seconds/]],
];

for (const [what, facts, texts] of WARNINGS)
  test(`warnings: ${what}`, () => {
    const found = healthWarnings({ ...GOOD, ...facts }).map(({ text }) => text);
    assert.equal(found.length, texts.length, found.join('\n'));
    for (const [index, pattern] of texts.entries()) assert.match(found[index] ?? '', pattern);
  });
