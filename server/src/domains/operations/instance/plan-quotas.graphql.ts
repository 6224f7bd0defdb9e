import type { Graph } from '../../../gql/index.ts';
import {
  type ChangedQuotas,
  defaultQuotas,
  PLAN_CODES,
  PLANS,
  QUOTA_PLANS,
  type QuotaName,
  type QuotaPlan,
  quotasOf,
} from '../../../kernel/plans.ts';

const ABOUT: Readonly<Record<QuotaName, string>> = {
  maxUploadBytes: 'Most bytes of a file.',
  storageBytes: 'Bytes of storage of all channels of an account.',
  derivedBytes: 'Bytes of files derived from the videos of these channels.',
  uploadMinutes: 'Minutes of video processed per calendar month (UTC).',
  generationCredits: 'Credits for enhancements per calendar month (UTC).',
  maxChannels: 'Channels of an account, including its first.',
  maxLiveInputs: 'Live inputs of all channels of an account.',
  maxBroadcasts: 'Broadcasts that these channels receive at the same time.',
  broadcastMinutes: 'Minutes of broadcasts per calendar month (UTC).',
  maxBroadcastBitrateBps: 'Most bits per second that an encoder sends, over ten seconds.',
};

/** Declares the quotas of plans as they are read, and as operators change them. */
export function declarePlanQuotas(graph: Graph) {
  const descriptions = PLAN_CODES.map((code) => [code, { description: `The plan ${PLANS[code].name}.` }]);
  const QuotaPlanEnum = graph.builder.enumType('QuotaPlan', {
    description: 'What has quotas of its own.',
    values: Object.fromEntries([...descriptions, ['TRIAL', { description: 'Trials of a plan.' }]]) as Record<
      QuotaPlan,
      { description: string }
    >, // fromEntries widens the keys
  });
  const Quotas = graph.object('Quotas', {
    description: 'What an account may use.',
    fields: (f) => ({
      maxUploadBytes: f.value({ type: 'BigInt', description: ABOUT.maxUploadBytes }),
      storageBytes: f.value({ type: 'BigInt', description: ABOUT.storageBytes }),
      derivedBytes: f.value({ type: 'BigInt', description: ABOUT.derivedBytes }),
      uploadMinutes: f.value({ type: 'Int', description: ABOUT.uploadMinutes }),
      generationCredits: f.value({ type: 'Int', description: ABOUT.generationCredits }),
      maxChannels: f.value({ type: 'Int', description: ABOUT.maxChannels }),
      maxLiveInputs: f.value({ type: 'Int', description: ABOUT.maxLiveInputs }),
      maxBroadcasts: f.value({ type: 'Int', description: ABOUT.maxBroadcasts }),
      broadcastMinutes: f.value({ type: 'Int', description: ABOUT.broadcastMinutes }),
      maxBroadcastBitrateBps: f.value({ type: 'Int', description: ABOUT.maxBroadcastBitrateBps }),
    }),
  });
  const PlanQuotas = graph.object('PlanQuotas', {
    description: 'The quotas of a plan on this server.',
    fields: (f) => ({
      plan: f.value({ type: QuotaPlanEnum, description: 'The plan.' }),
      current: f.value({ type: Quotas, description: 'Its quotas.' }),
      defaults: f.value({ type: Quotas, description: 'What they are unless operators change them.' }),
    }),
  });
  const PlanQuotasInput = graph.builder.inputType('PlanQuotasInput', {
    description: 'Changes of the quotas of a plan: an omitted one keeps its value, null restores the default.',
    fields: (t) => ({
      plan: t.field({ type: QuotaPlanEnum, required: true, description: 'The plan.' }),
      maxUploadBytes: t.field({ type: 'BigInt', description: ABOUT.maxUploadBytes }),
      storageBytes: t.field({ type: 'BigInt', description: ABOUT.storageBytes }),
      derivedBytes: t.field({ type: 'BigInt', description: ABOUT.derivedBytes }),
      uploadMinutes: t.int({ description: ABOUT.uploadMinutes }),
      generationCredits: t.int({ description: ABOUT.generationCredits }),
      maxChannels: t.int({ description: ABOUT.maxChannels }),
      maxLiveInputs: t.int({ description: ABOUT.maxLiveInputs }),
      maxBroadcasts: t.int({ description: ABOUT.maxBroadcasts }),
      broadcastMinutes: t.int({ description: ABOUT.broadcastMinutes }),
      maxBroadcastBitrateBps: t.int({ description: ABOUT.maxBroadcastBitrateBps }),
    }),
  });
  return { PlanQuotas, PlanQuotasInput };
}

/** The quotas of all plans, as `Instance.planQuotas` shows them. */
export function planQuotas(changed: ChangedQuotas) {
  return QUOTA_PLANS.map((plan) => ({ plan, current: quotasOf(plan, changed), defaults: defaultQuotas(plan) }));
}
