import ipaddr from 'ipaddr.js';
import type { ServiceLimit } from '../../../kernel/service-limits.ts';

/**
 * The number of free attempts, and the wait after each further one: doubled with every attempt, up to the longest. A
 * counter without attempts for `forgetSeconds` is reset. Documented in docs/limits.md.
 */
export interface AttemptLimit {
  readonly free: number;
  readonly firstWaitSeconds: number;
  readonly longestWaitSeconds: number;
  readonly forgetSeconds: number;
}

const MINUTE = 60;
const HOUR = 3_600;
/** Each sends a message, which a stranger may ask for. */
const RESETS = { free: 3, firstWaitSeconds: 5 * MINUTE, longestWaitSeconds: HOUR, forgetSeconds: 6 * HOUR };
const GUESSES = { free: 5, firstWaitSeconds: 30, longestWaitSeconds: 15 * MINUTE, forgetSeconds: HOUR };

/**
 * The limit per account is against guessing one password from anywhere, the limit per address against guessing many; an
 * address may be a household or an office.
 */
export const ATTEMPT_LIMITS = {
  SIGN_IN_ACCOUNT: GUESSES,
  SIGN_IN_ADDRESS: { free: 20, firstWaitSeconds: 30, longestWaitSeconds: HOUR, forgetSeconds: HOUR },
  SIGN_UP_ADDRESS: { free: 20, firstWaitSeconds: MINUTE, longestWaitSeconds: HOUR, forgetSeconds: HOUR },
  PASSWORD_CHANGE: GUESSES,
  OPERATOR_CODE: GUESSES,
  RESET_ACCOUNT: RESETS,
  RESET_ADDRESS: { free: 20, firstWaitSeconds: MINUTE, longestWaitSeconds: HOUR, forgetSeconds: HOUR },
  CONFIRM_EMAIL: RESETS,
  /** Per link and address; the other one is per link, from everywhere: its holders share it. */
  SHARE_LINK_ADDRESS: GUESSES,
  SHARE_LINK: { free: 50, firstWaitSeconds: 30, longestWaitSeconds: 15 * MINUTE, forgetSeconds: HOUR },
} as const satisfies Record<string, AttemptLimit>;

export type AttemptKind = keyof typeof ATTEMPT_LIMITS;

/** The limit whose quota clients see: the same for all that an endpoint counts, so that it reveals nothing. */
const SHOWN = {
  SIGN_IN_ACCOUNT: GUESSES,
  SIGN_IN_ADDRESS: GUESSES,
  SIGN_UP_ADDRESS: ATTEMPT_LIMITS.SIGN_UP_ADDRESS,
  PASSWORD_CHANGE: GUESSES,
  OPERATOR_CODE: GUESSES,
  RESET_ACCOUNT: RESETS,
  RESET_ADDRESS: RESETS,
  CONFIRM_EMAIL: RESETS,
  SHARE_LINK_ADDRESS: GUESSES,
  SHARE_LINK: GUESSES,
} as const satisfies Record<AttemptKind, AttemptLimit>;

/** The limit as clients see it, with so many free attempts left; without any, another one is possible after `wait`. */
export function attemptsLeft(kind: AttemptKind, remaining: number, waitSeconds: number): ServiceLimit {
  const { free: quota, forgetSeconds: windowSeconds } = SHOWN[kind];
  const resetSeconds = remaining > 0 ? windowSeconds : waitSeconds;
  return { name: 'attempts', quota, windowSeconds, remaining: Math.min(quota, remaining), resetSeconds };
}

/** Seconds until the next attempt is possible after this many. */
export function waitAfter(kind: AttemptKind, attempts: number): number {
  const { free, firstWaitSeconds, longestWaitSeconds } = ATTEMPT_LIMITS[kind];
  return attempts < free ? 0 : Math.min(longestWaitSeconds, firstWaitSeconds * 2 ** (attempts - free));
}

/** Sign-in endpoints where these limits replace those of the library, which are per instance. */
export const LIMITED_ENDPOINTS = [
  '/sign-up/email',
  '/sign-in/email',
  '/change-password',
  '/two-factor/enable',
  '/two-factor/disable',
  '/two-factor/generate-backup-codes',
  // Wrong codes lock the account for a quarter of an hour, on every instance.
  '/two-factor/verify-totp',
  '/two-factor/verify-backup-code',
];

/** Parts of 16 bits in the network that a household or a server is given (RFC 6177). */
const NETWORK_PARTS = 4;

/**
 * The subject that is counted for a client's address: an IPv4 address itself, or the /64 network of an IPv6 address.
 */
export function addressSubject(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv6
    ? `${parsed.parts
        .slice(0, NETWORK_PARTS)
        .map((part) => part.toString(16))
        .join(':')}::/64`
    : parsed.toString();
}
