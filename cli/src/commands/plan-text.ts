import type { Client } from '../../../clients/typescript/src/index.ts';

type Subscription = Awaited<ReturnType<Client['verifyConnection']>>['subscription'];

/** Plan and state, such as `Creator+ (ACTIVE)`; null for a token without account:read. */
export function planText({ plan, state }: Subscription): string | null {
  return plan === null ? null : `${plan} (${state})`;
}
