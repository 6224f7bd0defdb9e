import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { addressName, deviceName } from './device-name.ts';

const AGENTS: readonly (readonly [name: string | null, userAgent: string | null])[] = [
  ['Firefox on Windows', 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:135.0) Gecko/20100101 Firefox/135.0'],
  [
    'Chrome on macOS',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 ' +
      'Safari/537.36',
  ],
  [
    'Edge on Windows',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 ' +
      'Edg/140.0.0.0',
  ],
  [
    'Safari on iPhone',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_3 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.3 ' +
      'Mobile/15E148 Safari/604.1',
  ],
  ['Chrome on Android', 'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/140.0.0.0 Mobile Safari/537.36'],
  ['Linux', 'curl on Linux'],
  [null, 'node'],
  [null, null],
];

describe('the name of a device', () => {
  for (const [name, userAgent] of AGENTS)
    test(`is ${name} for ${userAgent}`, () => {
      assert.equal(deviceName(userAgent), name);
    });
});

describe('an address', () => {
  const ADDRESSES: readonly (readonly [address: string | null, name: string | null])[] = [
    ['192.0.2.7', '192.0.2.7'],
    ['2001:0db8:0001:0002:0000:0000:0000:0000', '2001:db8:1:2::/64'],
    ['0000:0000:0000:0000:0000:0000:0000:0000', 'this machine'],
    ['not:an:address', 'not:an:address'],
    ['', null],
    [null, null],
  ];
  for (const [address, name] of ADDRESSES)
    test(`${address} is shown as ${name}`, () => {
      assert.equal(addressName(address), name);
    });
});
