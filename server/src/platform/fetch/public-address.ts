import ipaddr from 'ipaddr.js';
import { SERVICE_ADDRESSES } from './service-addresses.ts';

const SERVICES = SERVICE_ADDRESSES.map(({ range }) => ipaddr.parseCIDR(range));
const GLOBAL_UNICAST = ipaddr.IPv6.parse('2000::');

/**
 * Whether an IP address belongs to the public internet. Everything else (loopback, private, link-local with the
 * cloud's metadata services, SERVICE_ADDRESSES, carrier-grade NAT, unique local, multicast, documentation, tunnels
 * that hide another address) is refused. Of the IPv6 addresses that carry an IPv4 address only the well-known NAT64
 * prefix (RFC 6052) is looked into: it is how public hosts appear on IPv6-only networks. Beyond it only 2000::/3 is
 * handed out (RFC 4291 section 2.4): `::7f00:1` would be loopback in the old IPv4-compatible form.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text) || text.includes('%')) return false;
  const address = ipaddr.parse(text);
  const range: string = address.range();
  if (range === 'rfc6052' && address instanceof ipaddr.IPv6 && address.match(ipaddr.parse('64:ff9b::'), 96)) {
    return isPublicVersion4(new ipaddr.IPv4(address.toByteArray().slice(12)));
  }
  if (address instanceof ipaddr.IPv4) return isPublicVersion4(address);
  return range === 'unicast' && address.match(GLOBAL_UNICAST, 3) && !isOfService(address);
}

function isPublicVersion4(address: ipaddr.IPv4): boolean {
  return address.range() === 'unicast' && !isOfService(address);
}

function isOfService(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  return SERVICES.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits));
}
