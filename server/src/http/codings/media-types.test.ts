import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { negotiate, wantsHtml } from './media-types.ts';

const JSON_TYPE = 'application/json';
const GRAPHQL = 'application/graphql-response+json';
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8';

describe('negotiate', () => {
  const cases: [accept: string | undefined, expected: string | null][] = [
    [undefined, JSON_TYPE],
    ['', JSON_TYPE],
    ['*/*', JSON_TYPE],
    ['application/*', JSON_TYPE],
    [JSON_TYPE, JSON_TYPE],
    [GRAPHQL, GRAPHQL],
    ['Application/JSON; charset=utf-8', JSON_TYPE],
    [`${GRAPHQL}, ${JSON_TYPE};q=0.9`, GRAPHQL],
    [`${JSON_TYPE};q=0.9, ${GRAPHQL}`, GRAPHQL],
    [`${GRAPHQL}, ${JSON_TYPE}`, GRAPHQL],
    [`${JSON_TYPE}, ${GRAPHQL}`, JSON_TYPE],
    [`*/*, ${GRAPHQL}`, GRAPHQL],
    [`${JSON_TYPE};q=0, */*`, GRAPHQL],
    ['text/plain', null],
    [`${JSON_TYPE};q=0`, null],
    [`${JSON_TYPE};q=nonsense`, null],
    [BROWSER, JSON_TYPE],
  ];
  for (const [accept, expected] of cases) {
    it(`maps ${accept ?? 'no header'} to ${expected ?? 'nothing'}`, () =>
      assert.equal(negotiate(accept, [JSON_TYPE, GRAPHQL]), expected));
  }
});

describe('wantsHtml', () => {
  const cases: [accept: string | undefined, expected: boolean][] = [
    [BROWSER, true],
    ['text/html', true],
    ['*/*', false],
    [undefined, false],
    ['application/json, text/html;q=0.5', false],
  ];
  for (const [accept, expected] of cases)
    it(`returns ${expected} for ${accept ?? 'no header'}`, () => assert.equal(wantsHtml(accept), expected));
});
