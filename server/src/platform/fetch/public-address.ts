import ipaddr from 'ipaddr.js';

/**
 * Whether an IP address belongs to the public internet. Everything else (loopback, private, link-local with the cloud's metadata
 * services, carrier-grade NAT, unique local, multicast, documentation, tunnels that hide another address) is not for strangers to name.
 * Of the IPv6 addresses that carry an IPv4 address only the well-known NAT64 prefix (RFC 6052) is looked into: it is how public
 * hosts appear on IPv6-only networks.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text) || text.includes('%')) return false;
  const address = ipaddr.parse(text);
  const range: string = address.range();
  if (range === 'rfc6052' && address instanceof ipaddr.IPv6 && address.match(ipaddr.parse('64:ff9b::'), 96)) {
    return new ipaddr.IPv4(address.toByteArray().slice(12)).range() === 'unicast';
  }
  return range === 'unicast';
}
