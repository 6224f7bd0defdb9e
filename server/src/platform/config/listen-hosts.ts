import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';

/**
 * The addresses of `localhost`: the server listens on both, so that no other program on this machine can take one of
 * them.
 */
const LOOPBACK = ['127.0.0.1', '::1'];
/** All addresses of the machine, IPv4 and IPv6; `createHttpServer` falls back to 0.0.0.0 where there is no IPv6. */
const ALL = ['::'];
/** Hosts that mean all addresses of the machine. */
export const EVERYWHERE: readonly string[] = ['::', '0.0.0.0'];

/** The addresses the HTTP server listens on: HOST when set; otherwise loopback, unless BASE_URL has another host. */
export function listenHostsOf(host: string | undefined, baseUrl: string): readonly string[] {
  if (host === 'localhost') return LOOPBACK;
  if (host !== undefined) return [host];
  return isLoopback(hostOf(baseUrl)) ? LOOPBACK : ALL;
}

/** Host of an address, an IPv6 one without its brackets. */
export function hostOf(url: string): string {
  return new URL(url).hostname.replace(/^\[|\]$/g, '');
}

/** A host as it stands in an address: an IPv6 one in brackets. */
export function hostInUrl(host: string): string {
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
}

/** The addresses at which other machines reach this one: those of its network interfaces, without link-local ones. */
export function ownAddresses(): string[] {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return all.filter(({ internal, address }) => !internal && !address.startsWith('fe80:')).map(({ address }) => address);
}

/**
 * Whether only this machine reaches `host`: 127.0.0.0/8, ::1 (RFC 6890), `localhost` and names below it (RFC 6761
 * section 6.3).
 */
export function isLoopback(host: string): boolean {
  if (isIP(host) === 0) return host === 'localhost' || host.endsWith('.localhost');
  return ipaddr.process(host).range() === 'loopback';
}
