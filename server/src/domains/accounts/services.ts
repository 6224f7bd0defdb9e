import type { RequestEnv, RevisionInput, ViewerScope } from '../../gql/index.ts';
import type { Language } from '../../kernel/languages/languages.ts';
import type { StoredMail } from '../../platform/mail/read-folder.ts';
import type { AccountPlanInput } from './administration/administer-account.ts';
import type { UsageLimitsInput } from './keys/usage-limit-fields.ts';
import type { InvitationInput } from './operators/invitation.policy.ts';
import type { CreatedInvitation } from './operators/invitations.ts';
import type { Offer } from './payments/payment-provider.ts';
import type { ProfileInput, SettingsInput } from './settings/profile-fields.ts';
import type { SubscriptionFacts } from './subscriptions/subscription.policy.ts';
import type { CreatedToken, TokenInput } from './tokens/create-token.ts';

/** Cost points of an account. */
export interface CostPoints {
  readonly limit: number;
  readonly remaining: number;
  readonly restoreRate: number;
  readonly resetAtMs: number;
}

/** Services used by the mutations and fields of this domain besides database rows; provided by register.ts. */
export interface AccountsServices {
  /** Version of the running server, as verifyConnection reports it. */
  readonly serverVersion: string;
  /** Cost points of the viewer's account on this instance. */
  quotaOf(viewer: ViewerScope): CostPoints;
  generateApiKey(accountId: string): Promise<string>;
  regenerateApiKey(accountId: string): Promise<string>;
  revealApiKey(accountId: string): Promise<string>;
  /** See create-token.ts. */
  createToken(accountId: string, input: TokenInput): Promise<CreatedToken>;
  revokeToken(accountId: string, id: string): Promise<void>;
  /** See prove-password.ts. */
  provePassword(accountId: string, password: string): Promise<void>;
  /** Plans that can be bought; none without a payment provider. */
  readonly offers: readonly Offer[];
  /** The addresses of pages of the payment provider; see start-payment.ts. */
  startCheckout(accountId: string, offer: Offer): Promise<string>;
  openBillingPortal(accountId: string): Promise<string>;
  claimOperator(accountId: string, code: string): Promise<void>;
  createInvitation(accountId: string, input: InvitationInput, language: Language): Promise<CreatedInvitation>;
  revokeInvitation(id: string): Promise<void>;
  /** See administer-account.ts. */
  suspendAccount(operatorId: string, id: string, reason: string): Promise<void>;
  reinstateAccount(operatorId: string, id: string): Promise<void>;
  sendPasswordReset(operatorId: string, id: string): Promise<void>;
  setAccountPlan(operatorId: string, id: string, input: AccountPlanInput): Promise<void>;
  /** Messages of the mail folder: none with SMTP. */
  readonly mailMessages: {
    /** The ids of all, newest first. */
    list(): Promise<readonly string[]>;
    /** Without those that were deleted meanwhile. */
    read(ids: readonly string[]): Promise<readonly StoredMail[]>;
  };
  startTrial(accountId: string): Promise<SubscriptionFacts>;
  setKeyBudgets(
    accountId: string,
    input: UsageLimitsInput & RevisionInput,
    env: Pick<RequestEnv, 'nowIso'>,
  ): Promise<void>;
  updateProfile(accountId: string, input: ProfileInput & RevisionInput, env: Pick<RequestEnv, 'nowIso'>): Promise<void>;
  updateSettings(
    accountId: string,
    input: SettingsInput & RevisionInput,
    env: Pick<RequestEnv, 'nowIso'>,
  ): Promise<void>;
}

declare module '../../gql/request-context.ts' {
  interface Services {
    readonly accounts: AccountsServices;
  }
}
