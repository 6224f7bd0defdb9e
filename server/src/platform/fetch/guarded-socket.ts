import { once } from 'node:events';
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { AppError } from '../../kernel/errors.ts';
import { t } from '../../kernel/languages/message.ts';
import type { FetchAllow } from './fetch-allow.ts';
import { checkedAddress, systemAddresses } from './guarded-fetch.ts';

/** Where a connection goes to. */
export interface SocketAddress {
  /** A name or an IP address, of version 6 without brackets. */
  readonly host: string;
  readonly port: number;
  /** Whether it is encrypted by TLS: the certificate must be valid, and for the host. */
  readonly isEncrypted: boolean;
}

export interface GuardedSockets {
  /**
   * Connects to the address that was checked, ready to be written to.
   * @throws AppError INVALID_INPUT where the host does not exist or is not public; system and TLS errors; AbortError.
   */
  connect(address: SocketAddress, signal: AbortSignal): Promise<Socket>;
  /** Throws INVALID_INPUT with `field` for an address that is refused. */
  check(address: SocketAddress, field: string): Promise<void>;
}

export interface GuardedSocketsOptions {
  readonly allow: FetchAllow;
  /** All addresses of a host name; defaults to the system's resolver. */
  readonly resolve?: (host: string) => Promise<readonly string[]>;
}

/**
 * As `createGuardedFetch`, for protocols other than HTTP: the host is resolved when connecting, every one of its
 * addresses must be public unless the operator allows the host, and the connection goes to exactly the address that was
 * checked.
 */
export function createGuardedSockets({ allow, resolve = systemAddresses }: GuardedSocketsOptions): GuardedSockets {
  return {
    async connect({ host, port, isEncrypted }, signal) {
      const address = await checkedAddress(host, port, allow, resolve);
      signal.throwIfAborted();
      const socket = isEncrypted
        ? connectTls({ host: address, port, servername: isIP(host) ? '' : host })
        : connectTcp({ host: address, port });
      try {
        await once(socket, isEncrypted ? 'secureConnect' : 'connect', { signal });
        return socket;
      } catch (error) {
        socket.on('error', () => {}).destroy();
        throw error;
      }
    },
    async check({ host, port }, field) {
      try {
        await checkedAddress(host, port, allow, resolve);
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        throw new AppError('INVALID_INPUT', error.text, {
          field,
          suggestedFix: t`Send the address of a server on the public internet. Operators can list trusted hosts in
            FETCH_ALLOW.`,
          cause: error,
        });
      }
    },
  };
}
