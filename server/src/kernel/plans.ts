/** Plans and subscription states: one table, from which prices, limits, eligibility and permissions derive. */

export interface Plan {
  /** Name as the API shows it (API vocabulary: "Plans"). */
  readonly name: string;
  readonly monthlyAmountMinor: number;
  readonly annualAmountMinor: number;
  readonly currency: 'USD';
  /** Whether the plan opens developer access (API keys). */
  readonly developerAccess: boolean;
  readonly maxUploadBytes: number;
}

const GIB = 1024 ** 3;

export const PLANS = {
  FREE: { name: 'Free', monthlyAmountMinor: 0, annualAmountMinor: 0, currency: 'USD', developerAccess: false, maxUploadBytes: 2 * GIB },
  PREMIUM: {
    name: 'Premium',
    monthlyAmountMinor: 999,
    annualAmountMinor: 9_990,
    currency: 'USD',
    developerAccess: false,
    maxUploadBytes: 10 * GIB,
  },
  PREMIUM_PLUS: {
    name: 'Premium+',
    monthlyAmountMinor: 1_999,
    annualAmountMinor: 19_990,
    currency: 'USD',
    developerAccess: true,
    maxUploadBytes: 50 * GIB,
  },
  CREATOR_PLUS: {
    name: 'Creator+',
    monthlyAmountMinor: 3_999,
    annualAmountMinor: 39_990,
    currency: 'USD',
    developerAccess: true,
    maxUploadBytes: 250 * GIB,
  },
} as const satisfies Record<string, Plan>;

export type PlanCode = keyof typeof PLANS;
export const PLAN_CODES = Object.keys(PLANS) as PlanCode[]; // Object.keys loses the literal type; the table is the source.

export const SUBSCRIPTION_STATES = ['TRIALING', 'ACTIVE', 'PAST_DUE', 'CANCELED', 'EXPIRED'] as const;
export type SubscriptionState = (typeof SUBSCRIPTION_STATES)[number];

/** Plans that open developer access, as a list for SQL parameters. */
export const DEVELOPER_PLANS: readonly PlanCode[] = PLAN_CODES.filter((code) => PLANS[code].developerAccess);
