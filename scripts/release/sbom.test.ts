import assert from 'node:assert/strict';
import { test } from 'node:test';
import { billOfMaterials, debianPackages } from './sbom.ts';

const STATUS = `Package: ffmpeg
Status: install ok installed
Architecture: amd64
Version: 7:5.1.9-0+deb12u1
Description: Tools
 for media

Package: gone
Status: deinstall ok config-files
Architecture: amd64
Version: 1.0

Package: bubblewrap
Status: install ok installed
Architecture: amd64
Version: 0.8.0-2
`;

test('packages of Debian are read from its status', () => {
  assert.deepEqual(debianPackages(STATUS), [
    { name: 'bubblewrap', version: '0.8.0-2', architecture: 'amd64' },
    { name: 'ffmpeg', version: '7:5.1.9-0+deb12u1', architecture: 'amd64' },
  ]);
});

test('a bill of materials names what a release contains, by package URLs', () => {
  const options = {
    version: '1.2.3',
    created: '2026-01-02T03:04:05.000Z',
    packages: [
      { name: '@scope/a', version: '1.0.0', license: 'MIT', text: '' },
      { name: 'node', version: '24.0.0', license: 'MIT', text: '' },
    ],
    debian: debianPackages(STATUS),
  };
  const bill = JSON.parse(billOfMaterials(options));
  assert.deepEqual(
    [bill.bomFormat, bill.specVersion, bill.metadata.component.version, bill.metadata.timestamp],
    ['CycloneDX', '1.6', '1.2.3', '2026-01-02T03:04:05.000Z'],
  );
  assert.match(bill.serialNumber, /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/);
  assert.deepEqual(
    bill.components.map(({ purl }: { purl: string }) => purl),
    [
      'pkg:npm/%40scope/a@1.0.0',
      'pkg:generic/node@24.0.0',
      'pkg:deb/debian/bubblewrap@0.8.0-2?arch=amd64&distro=debian-12',
      'pkg:deb/debian/ffmpeg@7%3A5.1.9-0%2Bdeb12u1?arch=amd64&distro=debian-12',
    ],
  );
  assert.deepEqual(bill.components[0].licenses, [{ expression: 'MIT' }]);
  assert.equal(billOfMaterials(options), billOfMaterials(options));
});
