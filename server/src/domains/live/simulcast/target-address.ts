import { hostOf } from '../../../platform/config/listen-hosts.ts';
import type { SocketAddress } from '../../../platform/fetch/guarded-socket.ts';

/** Ports of RTMP, and of RTMPS as it is used. */
const PORTS = { plain: 1_935, encrypted: 443 } as const;

/** Where a target with this address is connected to. */
export function socketAddressOf(url: string): SocketAddress {
  const { protocol, port } = new URL(url);
  const isEncrypted = protocol === 'rtmps:';
  const usual = isEncrypted ? PORTS.encrypted : PORTS.plain;
  return { host: hostOf(url), port: port === '' ? usual : Number(port), isEncrypted };
}
