import type { KeySpending } from '../kernel/key-budgets.ts';
import type { Access as PlatformAccess } from '../kernel/permissions.ts';
import type { Policy as PlatformPolicy } from '../kernel/policy.ts';
import type { DidKind } from './did.ts';
import type {
  CommandContext as PlatformContext,
  SubscriptionContext as PlatformSubscription,
  RequestEnv,
} from './request-context.ts';
import type { CredentialKind as PlatformCredential, Viewer as PlatformViewer } from './viewer.ts';

/** What is declared of a mutation besides what the planner knows. */
export interface MutationExtras {
  /** What a call with a key takes from the account's usage limits. */
  readonly spends: ((args: never) => readonly KeySpending[]) | undefined;
  /** Whether what keys do with it is written to the audit log. */
  readonly isRecorded: boolean;
  /** The policies that it decides by: whoever reads or tests the declaration sees who may. */
  readonly policies: readonly PlatformPolicy<never>[];
}

declare module '@reelgraph/sql-planner' {
  interface Register {
    env: RequestEnv;
    commandContext: PlatformContext;
    subscriptionContext: PlatformSubscription;
    access: PlatformAccess;
    credentialKind: PlatformCredential;
    viewer: PlatformViewer;
    policy: PlatformPolicy<never>;
    idKind: DidKind;
    idScalar: 'DID';
    mutationExtras: MutationExtras;
  }
}
