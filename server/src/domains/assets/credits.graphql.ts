import type { EntityRef, Graph, RowScope, RunEnv } from '../../gql/index.ts';
import { PLANS, type PlanCode } from '../../kernel/plans.ts';
import { effectivePlan } from '../accounts/index.ts';
import { ownedChannelsOf, storedBytesOf } from '../channels/index.ts';
import { processedMsOf } from './processed-minutes.ts';
import { nextMonthMs } from './quota.policy.ts';

/** The plan whose limits apply now; its columns are those of the viewer's row. */
function planOf(env: RunEnv): PlanCode {
  return env.viewer ? effectivePlan(env.viewer, env.nowMs) : 'FREE';
}

const account = (s: RowScope): string => `${s.t}.account_id`;

/** Declares `me.credits`: the quotas of the account's plan and what of them is used. */
export function declareCredits(graph: Graph, Me: EntityRef): void {
  const StorageCredits = graph.part('StorageCredits', {
    description:
      'What the channels you own may store: videos as they were uploaded, the files of images, and the size of uploads that are open. Streams made of videos are not counted; contents in the trash are, until they are purged.',
    fields: (f) => ({
      usedBytes: f.column({ type: 'BigInt', description: 'Bytes in use.', sql: (s) => storedBytesOf(account(s)) }),
      limitBytes: f.column({
        type: 'BigInt',
        description: 'Bytes of the plan.',
        sql: account,
        read: (_, env) => PLANS[planOf(env)].storageBytes,
      }),
    }),
  });
  const MinuteCredits = graph.part('MinuteCredits', {
    description:
      'Minutes of video processed for the channels you own in this calendar month (UTC). Deleting does not give minutes back; a failure does.',
    fields: (f) => ({
      used: f.column({
        type: 'Float',
        description: 'Minutes used in this month.',
        sql: (s) =>
          `${processedMsOf(
            account(s),
            s.param((env) => env.nowIso, 'timestamptz'),
          )} / 60000.0::float8`,
      }),
      limit: f.column({
        type: 'Int',
        description: 'Minutes of the plan in a month.',
        sql: account,
        read: (_, env) => PLANS[planOf(env)].uploadMinutes,
      }),
      resetsAt: f.column({
        type: 'DateTime',
        description: 'When the next month begins.',
        sql: account,
        read: (_, env) => new Date(nextMonthMs(env.nowMs)).toISOString(),
      }),
    }),
  });
  const ChannelCredits = graph.part('ChannelCredits', {
    description: 'Channels the account may own.',
    fields: (f) => ({
      used: f.column({ type: 'Int', description: 'Channels it owns.', sql: (s) => ownedChannelsOf(account(s)) }),
      limit: f.column({
        type: 'Int',
        description: 'Channels of the plan.',
        sql: account,
        read: (_, env) => PLANS[planOf(env)].maxChannels,
      }),
    }),
  });
  const Credits = graph.part('Credits', {
    description: 'The quotas of the plan and what of them is used. What is uploaded to a channel counts for its owner.',
    fields: (f) => ({
      storage: f.embed({ type: StorageCredits, description: 'Bytes stored.' }),
      uploadMinutes: f.embed({ type: MinuteCredits, description: 'Minutes of video processed in this month.' }),
      channels: f.embed({ type: ChannelCredits, description: 'Channels owned.' }),
    }),
  });
  graph.extend(Me, (f) => ({ credits: f.embed({ type: Credits, description: 'The quotas of the plan and what of them is used.' }) }));
}
