import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loggablePath } from './access-log.ts';

const UUID = '0198c0de-7a11-7000-8000-000000000000';
const KEY = 'rg_0123456789abcdefghijklmnopqrstuvwxyzAB';

describe('logged paths', () => {
  const cases: [path: string, logged: string][] = [
    ['/graphql', '/graphql'],
    ['/docs/errors/graphql_validation_failed', '/docs/errors/graphql_validation_failed'],
    ['/assets/index-Dk29f_x1.js', '/assets/index-Dk29f_x1.js'],
    [`/media/${UUID}/${UUID}/v1080/seg-00001.m4s`, `/media/${UUID}/${UUID}/v1080/seg-00001.m4s`],
    [`/uploads/${UUID}`, `/uploads/${UUID}`],
    [`/uploads/${UUID}-Q2hlY2sgdGhpcyBvdXQ`, `/uploads/${UUID}-…`],
    [`/media/s/1786000000.c2lnbmF0dXJlc2lnbmF0dXJl/${UUID}/master.m3u8`, `/media/s/…/${UUID}/master.m3u8`],
    [`/things/${KEY}`, '/things/…'],
    [`/things/x${KEY}y`, '/things/…'],
    ['/things/5f2c1d9b5f2c1d9b5f2c1d9b5f2c1d9b5f2c1d9b5f2c1d9b', '/things/…'],
  ];
  for (const [path, logged] of cases) it(`show ${path} as ${logged}`, () => assert.equal(loggablePath(path), logged));

  it('are truncated', () => assert.ok(loggablePath(`/${'a/'.repeat(5_000)}`).length <= 512));
});
