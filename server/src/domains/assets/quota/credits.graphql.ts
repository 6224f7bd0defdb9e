import type { EntityRef, FieldFactory, Graph, RequestEnv, RowScope } from '../../../gql/index.ts';
import { type ChangedQuotas, limitsOf, type PlanLimits } from '../../../kernel/plans.ts';
import { CHANGED_QUOTAS } from '../../../platform/instance/instance-settings.ts';
import { effectiveLimits } from '../../accounts/index.ts';
import { derivedBytesOf, derivedFilesOf, ownedChannelsOf, storedBytesOf } from '../../channels/index.ts';
import { spentCreditsOf } from './generation-charges.sql.ts';
import { creditsLeft } from './generation-credits.policy.ts';
import { processedMsOf } from './processed-minutes.ts';
import { nextMonthMs } from './quota.policy.ts';

/** The quotas that apply now; what else they derive from are columns of the viewer's row. */
export function limitsOfViewer(env: RequestEnv, changed: ChangedQuotas | null): PlanLimits {
  return env.viewer ? effectiveLimits(env.viewer, changed, env.nowMs) : limitsOf('FREE', false, changed);
}

const changedQuotas = (): string => CHANGED_QUOTAS;
type Changed = readonly [changed: ChangedQuotas | null];

const account = (s: RowScope): string => `${s.t}.account_id`;
const spent = (s: RowScope): string =>
  spentCreditsOf(
    account(s),
    s.param((env) => env.nowIso, 'timestamptz'),
  );

const processedMs = (s: RowScope): string =>
  processedMsOf(
    account(s),
    s.param((env) => env.nowIso, 'timestamptz'),
  );
const GIGABYTE = 1_000_000_000;

/** Declares `me.credits`: the quotas of the account's plan and their usage. Returns their type. */
export function declareCredits(graph: Graph, Me: EntityRef): EntityRef {
  const StorageBalance = declareStorageBalance(graph);
  const DerivedCredits = declareDerivedCredits(graph);
  const MinuteCredits = declareMinuteCredits(graph);
  const CreditBalance = declareCreditBalance(graph);
  const ChannelCredits = declareChannelCredits(graph);
  const Credits = graph.part('Credits', {
    description: 'The quotas of the plan and their use. Uploads to a channel count for its owner.',
    fields: (f) => ({
      storage: f.embed({ type: StorageBalance, description: 'Bytes stored.' }),
      derivedStorage: f.embed({ type: DerivedCredits, description: 'Bytes of derived files.' }),
      uploadMinutes: f.embed({ type: MinuteCredits, description: 'Minutes of video processed this month.' }),
      generation: f.embed({ type: CreditBalance, description: 'Credits for enhancements.' }),
      channels: f.embed({ type: ChannelCredits, description: 'Channels owned.' }),
    }),
  });
  graph.extend(Me, (f) => ({
    credits: f.embed({ type: Credits, description: 'The quotas of the plan and their use.' }),
  }));
  return Credits;
}

function declareStorageBalance(graph: Graph): EntityRef {
  const StorageBalance = graph.part('StorageBalance', {
    description:
      'Storage of the channels you own: original videos, image files, and the size of open uploads. Derived ' +
      'files are counted separately, in derivedStorage; contents in the trash count until they are purged.',
    fields: (f) => ({
      usedBytes: f.column({ type: 'BigInt', description: 'Bytes in use.', sql: (s) => storedBytesOf(account(s)) }),
      limitBytes: f.column({
        type: 'BigInt',
        description: 'Storage of the plan in bytes; by default 5 GiB during a trial.',
        sql: changedQuotas,
        read: ([changed]: Changed, env) => limitsOfViewer(env, changed).storageBytes,
      }),
    }),
  });
  graph.extend(StorageBalance, balanceFields);
  return StorageBalance;
}

/** What is used and left of storage and minutes, in gigabytes and minutes. */
function balanceFields(f: FieldFactory) {
  return {
    storageBalance: f.column({
      type: 'Float',
      description: 'Storage left, in gigabytes of 1,000,000,000 bytes.',
      sql: (s) => [storedBytesOf(account(s)), CHANGED_QUOTAS],
      read: ([used, changed]: [number, ChangedQuotas | null], env) =>
        Math.max(0, limitsOfViewer(env, changed).storageBytes - used) / GIGABYTE,
    }),
    storageSpent: f.column({
      type: 'Float',
      description: 'Storage in use, in gigabytes.',
      sql: (s) => storedBytesOf(account(s)),
      read: ([used]: [number]) => used / GIGABYTE,
    }),
    uploadBalance: f.column({
      type: 'Float',
      description: 'Minutes of video left to process in this calendar month.',
      sql: (s) => [processedMs(s), CHANGED_QUOTAS],
      read: ([ms, changed]: [number, ChangedQuotas | null], env) =>
        Math.max(0, limitsOfViewer(env, changed).uploadMinutes - ms / 60_000),
    }),
    uploadSpent: f.column({
      type: 'Float',
      description: 'Minutes of video processed in this calendar month.',
      sql: processedMs,
      read: ([ms]: [number]) => ms / 60_000,
    }),
  };
}

function declareDerivedCredits(graph: Graph): EntityRef {
  return graph.part('DerivedStorageCredits', {
    description:
      'Derived files of the channels you own: streams, downloads and ' +
      'previews. Counted separately from storage, with a limit of their own.',
    fields: (f) => ({
      usedBytes: f.column({
        type: 'BigInt',
        description: 'Bytes in use, measured when a video was processed.',
        sql: (s) => derivedBytesOf(account(s)),
      }),
      files: f.column({ type: 'Int', description: 'Number of files.', sql: (s) => derivedFilesOf(account(s)) }),
      limitBytes: f.column({
        type: 'BigInt',
        description:
          'Limit of the plan in bytes; by default 30 GiB for Free and ' +
          'during a trial. A video that would exceed it is not processed.',
        sql: changedQuotas,
        read: ([changed]: Changed, env) => limitsOfViewer(env, changed).derivedBytes,
      }),
    }),
  });
}

function declareMinuteCredits(graph: Graph): EntityRef {
  return graph.part('MinuteCredits', {
    description:
      'Minutes of video processed for the channels you own in this calendar month ' +
      '(UTC). Deleting a video does not refund minutes; a failure does.',
    fields: (f) => ({
      used: f.column({
        type: 'Float',
        description: 'Minutes used in this month.',
        sql: (s) => `${processedMs(s)} / 60000.0::float8`,
      }),
      limit: f.column({
        type: 'Int',
        description: 'Minutes of the plan per month; by default 60 during a trial.',
        sql: changedQuotas,
        read: ([changed]: Changed, env) => limitsOfViewer(env, changed).uploadMinutes,
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

function declareCreditBalance(graph: Graph): EntityRef {
  return graph.part('CreditBalance', {
    description:
      'Credits for enhancements of videos on the channels you own, in this calendar month (UTC): upscaling, ' +
      'upmixing, captions from speech and their translation. A job takes its credits when it is ordered; one that ' +
      'fails, is cancelled or gains nothing returns them. An upmix, captions and a translation take 1 credit for ' +
      'each started minute; upscaling takes 2 up to 720 lines, 4 up to 1080, 8 up to 1440, 16 up to 2160 and 64 up ' +
      'to 4320.',
    fields: (f) => ({
      balance: f.column({
        type: 'Int',
        description: 'Credits left in this month.',
        sql: (s) => [spent(s), CHANGED_QUOTAS],
        read: ([used, changed]: [number, ChangedQuotas | null], env) =>
          creditsLeft(limitsOfViewer(env, changed), Number(used)),
      }),
      spent: f.column({ type: 'Int', description: 'Credits that jobs of this month have taken.', sql: spent }),
      limit: f.column({
        type: 'Int',
        description: 'Credits of the plan per month; by default 300 during a trial.',
        sql: changedQuotas,
        read: ([changed]: Changed, env) => limitsOfViewer(env, changed).generationCredits,
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

function declareChannelCredits(graph: Graph): EntityRef {
  return graph.part('ChannelCredits', {
    description: 'Channels that the account may own.',
    fields: (f) => ({
      used: f.column({
        type: 'Int',
        description: 'Channels that the account owns.',
        sql: (s) => ownedChannelsOf(account(s)),
      }),
      limit: f.column({
        type: 'Int',
        description: 'Channels of the plan; by default those of Free during a trial.',
        sql: changedQuotas,
        read: ([changed]: Changed, env) => limitsOfViewer(env, changed).maxChannels,
      }),
    }),
  });
}
