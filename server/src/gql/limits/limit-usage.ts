import type { AroundMutation, MutationCall } from '@reelgraph/sql-planner';
import { UNMET } from '@reelgraph/sql-planner';
import type { KeySpending } from '../../kernel/key-budgets.ts';
import { codeOf } from '../errors/render-errors.ts';
import type { GraphqlRequest } from '../requests.ts';
import { agentName, subjectOf, type UsageLimits } from './usage-limits.ts';

/**
 * What keys and connected applications do is held to the account's usage limits first and written to its audit log
 * afterwards, refused or not.
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
      // What is refused for its input alone comes here before anyone looked who sent it.
      await call.identify();
      throw error;
    } finally {
      record(usageLimits, call, request, { outcome, atMs: nowMs });
    }
  };
}

async function performWithin(usageLimits: UsageLimits, call: MutationCall, nowMs: number): Promise<unknown> {
  const spendings = call.extras?.spends?.(call.args);
  if (!spendings?.length) return call.perform(true);
  // One statement finds out by itself whether the account limits its key at all.
  const value = call.isStatement ? await call.perform(false) : UNMET;
  return value === UNMET ? spend(usageLimits, call, spendings, nowMs) : value;
}

/** Takes from the account's usage limits first, and gives back where the work failed and surely nothing was done. */
async function spend(
  usageLimits: UsageLimits,
  call: MutationCall,
  spendings: readonly KeySpending[],
  nowMs: number,
): Promise<unknown> {
  const viewer = await call.identify();
  const giveBack = viewer ? await usageLimits.spend(viewer.accountId, spendings, nowMs) : null;
  try {
    return await call.perform(true);
  } catch (error) {
    // Behind a time limit or a lost connection the work may go on, or be done.
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
