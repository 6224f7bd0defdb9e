import type { EntityRef, Graph, RowScope } from '../../../gql/index.ts';
import type { ChangedQuotas } from '../../../kernel/plans.ts';
import { CHANGED_QUOTAS } from '../../../platform/instance/instance-settings.ts';
import { limitsOfViewer, nextMonthMs } from '../../assets/index.ts';
import { liveInputsOf } from '../inputs/live-inputs.sql.ts';
import { broadcastMsOf, openBroadcastsOf } from './live-quota.sql.ts';

type Changed = readonly [changed: ChangedQuotas | null];

const account = (s: RowScope): string => `${s.t}.account_id`;
const changedQuotas = (): string => CHANGED_QUOTAS;

/** Adds the quotas of live inputs and broadcasts to `me.credits`. */
export function declareLiveCredits(graph: Graph, Credits: EntityRef): void {
  const LiveInputCredits = graph.part('LiveInputCredits', {
    description: 'Live inputs of the channels you own.',
    fields: (f) => ({
      used: f.column({ type: 'Int', description: 'Live inputs there are.', sql: (s) => liveInputsOf(account(s)) }),
      limit: f.column({
        type: 'Int',
        description: 'Live inputs of the plan.',
        sql: changedQuotas,
        read: ([changed]: Changed, env) => limitsOfViewer(env, changed).maxLiveInputs,
      }),
    }),
  });
  const BroadcastCredits = declareBroadcastCredits(graph);
  graph.extend(Credits, (f) => ({
    liveInputs: f.embed({ type: LiveInputCredits, description: 'Live inputs.' }),
    broadcasts: f.embed({ type: BroadcastCredits, description: 'Broadcasts, at the same time and per month.' }),
  }));
}

function declareBroadcastCredits(graph: Graph): EntityRef {
  return graph.part('BroadcastCredits', {
    description:
      'Broadcasts of the channels you own. What is received of a broadcast counts in this calendar month (UTC). With ' +
      'the last minute, what is live ends, and encoders are refused until the next month.',
    fields: (f) => ({
      open: f.column({
        type: 'Int',
        description: 'Broadcasts that have not ended.',
        sql: (s) => openBroadcastsOf(account(s)),
      }),
      openLimit: f.column({
        type: 'Int',
        description: 'Broadcasts of the plan at the same time.',
        sql: changedQuotas,
        read: ([changed]: Changed, env) => limitsOfViewer(env, changed).maxBroadcasts,
      }),
      minutesUsed: f.column({
        type: 'Float',
        description: 'Minutes used in this month.',
        sql: (s) => {
          const now = s.param((env) => env.nowIso, 'timestamptz');
          return `${broadcastMsOf(account(s), now)} / 60000.0::float8`;
        },
      }),
      minutesLimit: f.column({
        type: 'Int',
        description: 'Minutes of the plan per month.',
        sql: changedQuotas,
        read: ([changed]: Changed, env) => limitsOfViewer(env, changed).broadcastMinutes,
      }),
      bitrateLimitBps: f.column({
        type: 'Int',
        description: 'The most that an encoder may send, in bits per second, over ten seconds.',
        sql: changedQuotas,
        read: ([changed]: Changed, env) => limitsOfViewer(env, changed).maxBroadcastBitrateBps,
      }),
      resetsAt: f.column({
        type: 'DateTime',
        description: 'When the next month begins.',
        sql: account,
        read: (_, env) => new Date(nextMonthMs(env.nowMs)).toISOString(),
      }),
    }),
  });
}
