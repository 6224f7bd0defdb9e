import type { AroundMutation, MutationCall } from '@reelgraph/sql-planner';
import { UNMET } from '@reelgraph/sql-planner';
import type { UsageCharge } from '../../kernel/key-budgets.ts';
import { codeOf } from '../errors/render-errors.ts';
import type { GraphqlRequest } from '../requests.ts';
import { agentName, subjectOf, type UsageLimits } from './usage-limits.ts';

/**
 * Calls of keys and connected applications are checked against the account's usage limits first and written to its
 * audit log afterwards, also when refused.
 */
export function limitUsage(
  usageLimits: UsageLimits,
  request: GraphqlRequest,
  nowMs: number,
): AroundMutation | undefined {
  const { kind } = request.credential;
  if (kind !== 'key' && kind !== 'oauth') return undefined;
  return async (call) => {
    let outcome = 'OK';
    try {
      return await performWithin(usageLimits, call, nowMs);
    } catch (error) {
      outcome = codeOf(error);
      // Invalid input is refused before authentication.
      await call.identify();
      throw error;
    } finally {
      record(usageLimits, call, request, { outcome, atMs: nowMs });
    }
  };
}

async function performWithin(usageLimits: UsageLimits, call: MutationCall, nowMs: number): Promise<unknown> {
  const charges = call.extras?.charges?.(call.args);
  if (!charges?.length) return call.perform(true);
  // A statement by itself checks whether the account limits its key.
  const value = call.isStatement ? await call.perform(false) : UNMET;
  return value === UNMET ? spend(usageLimits, call, charges, nowMs) : value;
}

/** Charges the account's usage limits first, and refunds when the work failed and certainly had no effect. */
async function spend(
  usageLimits: UsageLimits,
  call: MutationCall,
  charges: readonly UsageCharge[],
  nowMs: number,
): Promise<unknown> {
  const viewer = await call.identify();
  const giveBack = viewer ? await usageLimits.spend(viewer.accountId, charges, nowMs) : null;
  try {
    return await call.perform(true);
  } catch (error) {
    // After a time-out or a lost connection the work may continue, or be done.
    if (!call.mayHaveActed && codeOf(error) !== 'SERVICE_UNAVAILABLE') await giveBack?.();
    throw error;
  }
}

function record(
  usageLimits: UsageLimits,
  { viewer, extras, name, args }: MutationCall,
  { client }: GraphqlRequest,
  what: { readonly outcome: string; readonly atMs: number },
): void {
  if (!viewer || !extras?.isRecorded) return;
  const { via = 'API', agent = client?.userAgent ?? '' } = client ?? {};
  usageLimits.record({
    ...what,
    accountId: viewer.accountId,
    via,
    agent: agentName(agent),
    operation: name,
    subject: subjectOf(args),
  });
}
