/** Plans and subscription states: the table from which prices, limits, eligibility and permissions derive. */

export interface Plan {
  /** Name as the API shows it (API vocabulary: "Plans"). */
  readonly name: string;
  readonly monthlyAmountMinor: number;
  readonly annualAmountMinor: number;
  readonly currency: 'USD';
  /** Whether the plan opens developer access (API keys). */
  readonly developerAccess: boolean;
  readonly maxUploadBytes: number;
  /** Storage limit, in bytes, for all channels of an account. */
  readonly storageBytes: number;
  /** Limit, in bytes, of files derived from the videos of these channels. */
  readonly derivedBytes: number;
  /** Minutes of video that may be processed in a calendar month (UTC). */
  readonly uploadMinutes: number;
  /** Credits for enhancements in a calendar month (UTC). */
  readonly generationCredits: number;
  /** Maximum number of channels of an account, including its first. */
  readonly maxChannels: number;
  /** Maximum number of live inputs of all channels of an account. */
  readonly maxLiveInputs: number;
  /** Broadcasts that these channels may receive at the same time. */
  readonly maxBroadcasts: number;
  /** Minutes of broadcasts that these channels may receive in a calendar month (UTC). */
  readonly broadcastMinutes: number;
  /** The most that an encoder may send, in bits per second, over ten seconds. */
  readonly maxBroadcastBitrateBps: number;
}

const GIB = 1024 ** 3;

/** What encoders may send at most on any plan, in bits per second. */
export const MAX_BROADCAST_BITRATE_BPS = 60_000_000;

export const PLANS = {
  FREE: {
    name: 'Free',
    monthlyAmountMinor: 0,
    annualAmountMinor: 0,
    currency: 'USD',
    developerAccess: false,
    maxUploadBytes: 2 * GIB,
    storageBytes: 20 * GIB,
    derivedBytes: 30 * GIB,
    uploadMinutes: 300,
    generationCredits: 60,
    maxChannels: 2,
    maxLiveInputs: 5,
    maxBroadcasts: 2,
    broadcastMinutes: 1_200,
    maxBroadcastBitrateBps: 12_000_000,
  },
  PREMIUM: {
    name: 'Premium',
    monthlyAmountMinor: 999,
    annualAmountMinor: 9_990,
    currency: 'USD',
    developerAccess: false,
    maxUploadBytes: 10 * GIB,
    storageBytes: 200 * GIB,
    derivedBytes: 2_000 * GIB,
    uploadMinutes: 3_000,
    generationCredits: 300,
    maxChannels: 5,
    maxLiveInputs: 20,
    maxBroadcasts: 4,
    broadcastMinutes: 6_000,
    maxBroadcastBitrateBps: 20_000_000,
  },
  PREMIUM_PLUS: {
    name: 'Premium+',
    monthlyAmountMinor: 1_999,
    annualAmountMinor: 19_990,
    currency: 'USD',
    developerAccess: true,
    maxUploadBytes: 50 * GIB,
    storageBytes: 2_048 * GIB,
    derivedBytes: 20_480 * GIB,
    uploadMinutes: 12_000,
    generationCredits: 3_000,
    maxChannels: 20,
    maxLiveInputs: 100,
    maxBroadcasts: 10,
    broadcastMinutes: 45_000,
    maxBroadcastBitrateBps: 40_000_000,
  },
  CREATOR_PLUS: {
    name: 'Creator+',
    monthlyAmountMinor: 3_999,
    annualAmountMinor: 39_990,
    currency: 'USD',
    developerAccess: true,
    maxUploadBytes: 250 * GIB,
    storageBytes: 10_240 * GIB,
    derivedBytes: 102_400 * GIB,
    uploadMinutes: 60_000,
    generationCredits: 30_000,
    maxChannels: 100,
    maxLiveInputs: 1_000,
    maxBroadcasts: 50,
    broadcastMinutes: 250_000,
    maxBroadcastBitrateBps: MAX_BROADCAST_BITRATE_BPS,
  },
} as const satisfies Record<string, Plan>;

export type PlanCode = keyof typeof PLANS;
// Object.keys loses the literal type; the table is the source.
export const PLAN_CODES = Object.keys(PLANS) as PlanCode[];

const PIB = 1024 ** 5;
const MOST = 10_000_000;

/** The quotas of a plan that operators can change, with the least and the most they can set. */
export const QUOTA_RANGES = {
  maxUploadBytes: [1, PLANS.CREATOR_PLUS.maxUploadBytes],
  storageBytes: [0, PIB],
  derivedBytes: [0, PIB],
  uploadMinutes: [0, MOST],
  generationCredits: [0, MOST],
  maxChannels: [1, 10_000],
  maxLiveInputs: [0, 10_000],
  maxBroadcasts: [0, 10_000],
  broadcastMinutes: [0, MOST],
  maxBroadcastBitrateBps: [100_000, MAX_BROADCAST_BITRATE_BPS],
} as const satisfies Partial<Record<keyof Plan, readonly [least: number, most: number]>>;

export type QuotaName = keyof typeof QUOTA_RANGES;
// Object.keys loses the literal types; the tables are the source.
export const QUOTA_NAMES = Object.keys(QUOTA_RANGES) as QuotaName[];
export type Quotas = Readonly<Record<QuotaName, number>>;

/** The storage and processing quotas of a plan. */
export type PlanLimits = Pick<Plan, 'name'> & Quotas;

/** The quotas of every trial: those of Free with more credits, so that signing up for trials cannot fill a disk. */
const TRIAL_LIMITS = { ...PLANS.FREE, generationCredits: 300 };

/** What has quotas of its own: each plan, and trials of any. */
export const QUOTA_PLANS = [...PLAN_CODES, 'TRIAL'] as const;
export type QuotaPlan = (typeof QUOTA_PLANS)[number];

/** Quotas that operators changed; the others are the defaults. */
export type ChangedQuotas = Partial<Readonly<Record<QuotaPlan, Partial<Quotas>>>>;

/** The quotas of a plan whose operators changed none. */
export function defaultQuotas(plan: QuotaPlan): Quotas {
  return plan === 'TRIAL' ? TRIAL_LIMITS : PLANS[plan];
}

/** The quotas of a plan as they apply. */
export function quotasOf(plan: QuotaPlan, changed: ChangedQuotas | null): Quotas {
  const [usual, own] = [defaultQuotas(plan), changed?.[plan]];
  // fromEntries widens the keys.
  return Object.fromEntries(QUOTA_NAMES.map((name) => [name, own?.[name] ?? usual[name]])) as Quotas;
}

/**
 * The quotas of a plan. A trial has the features of the plan on trial and quotas of its own, each at least that of the
 * Free plan. Quotas apply to new uploads only; stored files stay.
 */
export function limitsOf(plan: PlanCode, trial: boolean, changed: ChangedQuotas | null): PlanLimits {
  const { name } = PLANS[plan];
  if (!trial) return { ...quotasOf(plan, changed), name };
  const [own, free] = [quotasOf('TRIAL', changed), quotasOf('FREE', changed)];
  // fromEntries widens the keys.
  const most = Object.fromEntries(QUOTA_NAMES.map((quota) => [quota, Math.max(own[quota], free[quota])])) as Quotas;
  return { ...most, name: `${name} (trial)` };
}

export const SUBSCRIPTION_STATES = ['TRIALING', 'ACTIVE', 'PAST_DUE', 'CANCELED', 'EXPIRED'] as const;
export type SubscriptionState = (typeof SUBSCRIPTION_STATES)[number];

/** Plans that open developer access, as a list for SQL parameters. */
export const DEVELOPER_PLANS: readonly PlanCode[] = PLAN_CODES.filter((code) => PLANS[code].developerAccess);
