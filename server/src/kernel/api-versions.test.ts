import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ApiVersions, apiVersions, monthsAfter } from './api-versions.ts';

const version = (name: string, publishedOn: string | null, retiredOn: string | null = null) => ({
  name,
  publishedOn,
  retiredOn,
});

describe('versions of the API', () => {
  test('before the first publication: the preview is current, and the only one', () => {
    for (const [all, latest] of [
      [[], 'preview'],
      [[version('2027-01', null)], '2027-01'],
    ] as const) {
      const versions = new ApiVersions(all);
      assert.deepEqual([versions.current, versions.latest, versions.supported], ['preview', latest, []]);
      assert.equal(versions.supportedUntil('preview'), null);
      assert.deepEqual(
        ['2027-01', 'preview', '2027-04', ''].map((name) => versions.isSupported(name)),
        [false, true, false, false],
      );
    }
  });

  test('one in preparation is in the preview only', () => {
    const versions = new ApiVersions([version('2027-01', '2027-01-12'), version('2027-04', null)]);
    assert.deepEqual([versions.current, versions.latest, versions.supported], ['2027-01', '2027-04', ['2027-01']]);
    assert.equal(versions.isSupported('2027-04'), false);
    assert.equal(versions.supportedUntil('2027-01'), null);
  });

  test('are supported for twelve months after the next one', () => {
    const versions = new ApiVersions([
      version('2027-01', '2027-01-12', '2028-05-01'),
      version('2027-04', '2027-04-02'),
      version('2028-01', '2028-01-31'),
    ]);
    assert.deepEqual([versions.current, versions.supported], ['2028-01', ['2028-01', '2027-04']]);
    assert.equal(versions.supportedUntil('2027-01'), '2028-04-02');
    assert.equal(versions.supportedUntil('2027-04'), '2029-01-31');
    assert.equal(versions.supportedUntil('2028-01'), null);
    assert.equal(versions.retiredOn('2027-01'), '2028-05-01');
    assert.equal(versions.isSupported('2027-01'), false);
  });

  test('of the platform begin a quarter, are in order, and are retired only after their support', () => {
    const names = apiVersions.all.map(({ name }) => name);
    assert.deepEqual(names, [...names].sort());
    for (const { name, retiredOn } of apiVersions.all) {
      assert.match(name, /^20\d{2}-(01|04|07|10)$/);
      if (retiredOn !== null) assert.ok(retiredOn >= (apiVersions.supportedUntil(name) ?? '9999'), name);
    }
    assert.deepEqual(
      apiVersions.all.slice(0, -1).filter(({ publishedOn }) => publishedOn === null),
      [],
    );
  });
});

test('months end with the month', () => {
  assert.deepEqual(
    [monthsAfter('2027-01-31', 1), monthsAfter('2027-12-15', 12), monthsAfter('2028-02-29', 12)],
    ['2027-02-28', '2028-12-15', '2029-02-28'],
  );
});
