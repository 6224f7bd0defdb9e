import { type AroundMutation, type MutationCall, UNMET } from '@reelgraph/sql-planner';
import type { UsageCharge } from '../../kernel/key-budgets.ts';
import { codeOf } from '../errors/render-errors.ts';
import type { GraphqlRequest } from '../requests.ts';
import { isForPrograms } from '../viewer.ts';
import { objectsIn, type RequireChannels } from './objects-in.ts';
import { agentName, subjectOf, type UsageLimits } from './usage-limits.ts';

/** What limits the mutations of programs. */
export interface MutationLimits {
  readonly usageLimits: UsageLimits;
  /** Refuses objects outside the channels of the viewer's token. */
  readonly requireChannels: RequireChannels | undefined;
  readonly namespace: string;
  readonly nowMs: number;
}

/**
 * Calls of keys, tokens and connected applications are checked against the channels of the token and the account's
 * usage limits first, and written to its audit log afterwards, also when refused.
 */
export function limitUsage(limits: MutationLimits, request: GraphqlRequest): AroundMutation | undefined {
  const { kind } = request.credential;
  if (!isForPrograms(kind)) return undefined;
  const { usageLimits, nowMs } = limits;
  return async (call) => {
    let outcome = 'OK';
    try {
      if (kind === 'token') await requireChannelsOf(limits, call);
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

/** The objects that the arguments name must be in the token's channels. */
async function requireChannelsOf({ requireChannels, namespace }: MutationLimits, call: MutationCall): Promise<void> {
  const viewer = await call.identify();
  if (viewer?.token?.channels && requireChannels) await requireChannels(viewer, objectsIn(namespace, call.args));
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
    token: viewer.token?.name ?? null,
    via,
    agent: agentName(agent),
    operation: name,
    subject: subjectOf(args),
  });
}
