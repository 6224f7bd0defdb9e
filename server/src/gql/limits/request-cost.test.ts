import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { listPoints, requestPoints } from './request-cost.ts';

describe('points for the text of a request', () => {
  const query = (length: number) => ({ query: 'x'.repeat(length) });
  const cases: Array<[name: string, size: Parameters<typeof requestPoints>[0], points: number]> = [
    ['a small request', { ...query(200), bytes: 400 }, 0],
    ['a document of one KiB', { ...query(1_024), bytes: 1_100 }, 0],
    ['a document of a little more', { ...query(1_025), bytes: 1_100 }, 1],
    ['a document of 100 KiB', { ...query(102_400), bytes: 102_500 }, 99],
    ['variables of 4 KiB', { ...query(100), bytes: 4_196 }, 0],
    ['variables of a little more', { ...query(100), bytes: 4_197 }, 1],
    ['a body of 1 MiB', { ...query(100), bytes: 1_048_576 }, 255],
    ['a trusted document, whose text is ours', { documentId: 'sha256:00', bytes: 300 }, 0],
    ['a request that did not come over HTTP', query(100), 0],
  ];
  for (const [name, size, points] of cases) test(`${name}: ${points}`, () => assert.equal(requestPoints(size), points));
});

describe('points for the lists of a mutation', () => {
  const ids = (count: number) => Array.from({ length: count }, () => 'did:x');
  const cases: Array<[name: string, args: unknown, points: number]> = [
    ['no arguments', {}, 0],
    ['ten entries', { ids: ids(10) }, 0],
    ['a hundred entries', { ids: ids(100) }, 90],
    ['entries in an input', { input: { items: ids(30) } }, 20],
    ['lists in entries', { input: { items: [{ keywords: ids(8) }, { keywords: ids(8) }] } }, 8],
    ['null', { ids: null }, 0],
  ];
  for (const [name, args, points] of cases) test(`${name}: ${points}`, () => assert.equal(listPoints(args), points));
});
