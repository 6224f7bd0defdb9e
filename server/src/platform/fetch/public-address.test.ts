import assert from 'node:assert/strict';
import { it } from 'node:test';
import ipaddr from 'ipaddr.js';
import { isPublicAddress } from './public-address.ts';
import { SERVICE_ADDRESSES } from './service-addresses.ts';

const CASES: readonly (readonly [string, boolean, string])[] = [
  ['8.8.8.8', true, 'a public IPv4 address'],
  ['2606:4700::1111', true, 'a public IPv6 address'],
  ['64:ff9b::808:808', true, 'a public IPv4 address behind NAT64'],
  ['127.0.0.1', false, 'loopback'],
  ['127.255.255.254', false, 'the rest of loopback'],
  ['0.0.0.0', false, 'the unspecified address'],
  ['0.1.2.3', false, 'this network'],
  ['10.1.2.3', false, 'a private network'],
  ['172.16.0.1', false, 'a private network'],
  ['172.31.255.255', false, 'a private network'],
  ['192.168.1.1', false, 'a private network'],
  ['169.254.169.254', false, 'the metadata service'],
  ['100.64.0.1', false, 'carrier-grade NAT'],
  ['100.100.100.200', false, "another cloud's metadata service"],
  ['192.0.0.192', false, 'protocol assignments'],
  ['192.0.2.1', false, 'documentation'],
  ['198.18.0.1', false, 'benchmarks'],
  ['224.0.0.1', false, 'multicast'],
  ['240.0.0.1', false, 'reserved'],
  ['255.255.255.255', false, 'broadcast'],
  ['::', false, 'the unspecified address'],
  ['::1', false, 'loopback'],
  ['fe80::1', false, 'link-local'],
  ['fe80::1%eth0', false, 'link-local with a zone'],
  ['fc00::1', false, 'unique local'],
  ['fd00:ec2::254', false, 'the metadata service over IPv6'],
  ['ff02::1', false, 'multicast'],
  ['::ffff:127.0.0.1', false, 'mapped loopback'],
  ['::ffff:8.8.8.8', false, 'any mapped address'],
  ['::127.0.0.1', false, 'compatible loopback'],
  ['::7f00:1', false, 'compatible loopback as addresses spell it'],
  ['::a9fe:a9fe', false, 'the compatible metadata service'],
  ['4000::1', false, 'an unassigned range'],
  ['64:ff9b::7f00:1', false, 'loopback behind NAT64'],
  ['64:ff9b::a9fe:a9fe', false, 'the metadata service behind NAT64'],
  ['64:ff9b:1::808:808', false, 'local NAT64'],
  ['2002:7f00:1::', false, '6to4'],
  ['2001::1', false, 'Teredo'],
  ['2001:db8::1', false, 'documentation'],
  ['fec0::1', false, 'site-local'],
  ['168.63.129.16', false, 'the agent of a cloud at a public address'],
  ['168.63.129.15', true, 'its neighbor'],
  ['64:ff9b::a83f:8110', false, 'that agent behind NAT64'],
  ['199.36.153.3', true, 'the neighbor of a range of services'],
  ['199.36.153.12', true, 'the neighbor of a range of services'],
  ['2600:2d00:2:3000::1', true, 'the neighbor of a range of services'],
  ['not an address', false, 'no address'],
  ['', false, 'nothing'],
];

for (const [address, expected, what] of CASES) {
  it(`${expected ? 'accepts' : 'refuses'} ${what}: ${JSON.stringify(address)}`, () =>
    assert.equal(isPublicAddress(address), expected));
}

for (const { range, what, source } of SERVICE_ADDRESSES) {
  it(`refuses the service addresses ${range} (${what})`, () => {
    const [network, bits] = ipaddr.parseCIDR(range);
    const first = network.toByteArray();
    const last = first.map((byte, index) => byte | (0xff >> Math.min(8, Math.max(0, bits - 8 * index))));
    for (const bytes of [first, last])
      assert.equal(isPublicAddress(ipaddr.fromByteArray(bytes).toString()), false, `${bytes}`);
    assert.match(source, /^https:\/\/\S+$/);
  });
}
