import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, it } from 'node:test';
import { accentIn, contrastOf, GROUNDS, hslOf, readAccentColor } from './accent-color.ts';
import { AppError } from './errors.ts';

describe('an accent color', () => {
  it('is measured as WCAG does', () => {
    const pairs = [
      ['#000000', '#ffffff', 21],
      ['#777777', '#ffffff', 4.48],
      ['#ff0000', '#ffffff', 4],
      ['#ffb84d', '#241600', 10.08],
    ] as const;
    for (const [one, other, expected] of pairs)
      assert.ok(Math.abs(contrastOf(one, other) - expected) < 0.25, `${one} ${contrastOf(one, other)}`);
  });

  it('has hue, saturation and lightness', () => {
    const colors = { '#0b57d0': '216.9, 90%, 42.9%', '#ff0000': '0, 100%, 50%', '#777777': '0, 0%, 46.7%' };
    assert.deepEqual(Object.keys(colors).map(hslOf), Object.values(colors));
    assert.deepEqual(['#ff00aa', '#12d8a0'].map(hslOf), ['320, 100%, 50%', '163, 84.6%, 45.9%']);
  });

  it('knows the palettes of the web application', () => {
    const web = readFileSync(resolve(import.meta.dirname, '../../../web/src/styles.css'), 'utf8');
    const values = (name: string) => [...web.matchAll(new RegExp(`--${name}: (#\\w{6});`, 'g'))].map(([, hex]) => hex);
    const [dark, light] = [0, 1].map((place) => ['ink', 'surface', 'raised'].map((name) => values(name)[place]));
    assert.deepEqual([GROUNDS.dark, GROUNDS.light], [dark, light]);
  });

  it('can be read in both palettes, as text and below text, or is refused', () => {
    const steps = ['00', '20', '48', '70', '98', 'c0', 'e0', 'ff'];
    const colors = steps.flatMap((r) => steps.flatMap((g) => steps.map((b) => `#${r}${g}${b}`)));
    let accepted = 0;
    for (const color of colors) {
      try {
        readAccentColor(color, 'x');
      } catch (error) {
        assert.ok(error instanceof AppError && error.code === 'INVALID_INPUT' && error.field === 'x');
        continue;
      }
      accepted += 1;
      for (const scheme of ['dark', 'light'] as const) {
        const { fill, onFill, text } = accentIn(scheme, color);
        const least = Math.min(...GROUNDS[scheme].map((ground) => contrastOf(text, ground)), contrastOf(fill, onFill));
        assert.ok(least >= 4.5, `${color} ${scheme} ${least}`);
        const seen = Math.min(...GROUNDS[scheme].slice(0, 2).map((ground) => contrastOf(fill, ground)));
        assert.ok(seen >= 1.5, `${color} ${scheme} ${seen}`);
      }
    }
    assert.ok(accepted > 400 && accepted < colors.length, `${accepted} of ${colors.length}`);
  });

  it('stays as it is where it can be read', () => {
    assert.deepEqual(accentIn('dark', '#ff8a3d'), { fill: '#ff8a3d', onFill: '#000000', text: '#ff8a3d' });
    assert.deepEqual(accentIn('light', '#0b57d0'), { fill: '#0b57d0', onFill: '#ffffff', text: '#0b57d0' });
  });

  for (const [value, stored] of [
    ['#1F6FEB', '#1f6feb'],
    [' #1a8 ', '#11aa88'],
    ['#e53935', '#e53935'],
    ['#000080', '#000080'],
    ['#ffb84d', '#ffb84d'],
  ] as const)
    it(`may be ${value}`, () => assert.equal(readAccentColor(value, 'x'), stored));

  for (const [value, why] of [
    ['red', /is not a color/],
    ['#12345', /is not a color/],
    ['#12345g', /is not a color/],
    ['url(x)', /is not a color/],
    ['#ffffff', /too bright: on light pages/],
    ['#fff5cc', /too bright: on light pages/],
    ['#000000', /too dark: on dark pages/],
  ] as const)
    it(`may not be ${value}`, () => assert.throws(() => readAccentColor(value, 'x'), { message: why }));
});
