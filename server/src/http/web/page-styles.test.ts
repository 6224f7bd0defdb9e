import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { pageStyles } from './page-styles.ts';

const SAME = {
  ground: 'ink',
  raised: 'surface',
  line: 'line',
  text: 'fore',
  soft: 'muted',
  'accent-text': 'accent-text',
};

/** The values of a property in both palettes: dark, then light. */
const valuesOf = (styles: string, name: string): (string | undefined)[] =>
  [...styles.matchAll(new RegExp(`--${name}: (#\\w{6})`, 'g'))].map(([, value]) => value).slice(0, 2);

test('documentation pages have the palette of the web application', () => {
  const web = readFileSync(resolve(import.meta.dirname, '../../../../web/src/styles.css'), 'utf8');
  assert.deepEqual(valuesOf(web, 'ink'), ['#101315', '#f8f6f1']);
  for (const [name, ofWeb] of Object.entries(SAME)) assert.deepEqual(valuesOf(pageStyles, name), valuesOf(web, ofWeb));
});
