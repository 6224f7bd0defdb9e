import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { refusedLicenses, thirdPartyText } from './licenses.ts';

const refused = (license: string | null) => refusedLicenses([{ name: 'a', version: '1.0.0', license }]);

test('licenses on the list are accepted, by their expressions', () => {
  for (const license of ['MIT', 'Apache-2.0 AND MIT', '(MIT OR GPL-3.0-only)', 'GPL-2.0-only OR (MIT AND ISC)'])
    assert.deepEqual(refused(license), [], license);
});

test('other licenses, and none, are refused', () => {
  for (const license of ['GPL-3.0-only', 'MIT AND GPL-3.0-only', 'UNLICENSED', 'SEE LICENSE IN x', 'MIT AND'])
    assert.deepEqual(refused(license), [`a@1.0.0: ${license} is not an accepted license`]);
  assert.deepEqual(refused(null), ['a@1.0.0: no license is not an accepted license']);
});

test('every package of the lock file that is no development tool has an accepted license', () => {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
    packages: Record<string, { version: string; license?: string; dev?: boolean; link?: boolean }>;
  };
  const others = Object.entries(packages).filter(
    ([path, { dev, link }]) => path.includes('node_modules/') && dev !== true && link !== true,
  );
  assert.ok(others.length > 200);
  const found = others.map(([path, { version, license = null }]) => ({ name: path, version, license }));
  // The manifest of combine-errors has no license; it is MIT by its Readme.md, and no part of it is in a release.
  assert.deepEqual(refusedLicenses(found), [
    'node_modules/combine-errors@3.0.3: no license is not an accepted license',
  ]);
});

test('packages with the same text are listed together', () => {
  const text = thirdPartyText([
    { name: 'a', version: '1.0.0', license: 'MIT', text: 'Same.' },
    { name: 'b', version: '2.0.0', license: 'ISC', text: 'Other.' },
    { name: 'c', version: '3.0.0', license: 'MIT', text: 'Same.' },
  ]);
  assert.match(text, /\n\na 1\.0\.0 \(MIT\)\nc 3\.0\.0 \(MIT\)\n\nSame\.\n\n-{80}\n\nb 2\.0\.0 \(ISC\)\n\nOther\.\n$/);
});

test('LICENSE and the manifests agree that no license is granted', () => {
  assert.match(readFileSync('LICENSE', 'utf8'), /^No license has been granted\.$/m);
  const { workspaces, license } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    workspaces: string[];
    license: string;
  };
  const own = workspaces.map(
    (path) => (JSON.parse(readFileSync(`${path}/package.json`, 'utf8')) as { license: string }).license,
  );
  assert.deepEqual([...new Set([license, ...own])], ['UNLICENSED']);
});
