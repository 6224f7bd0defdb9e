import type { UsageCharge } from '../kernel/key-budgets.ts';
import type { Access as PlatformAccess } from '../kernel/permissions.ts';
import type { Policy as PlatformPolicy } from '../kernel/policy.ts';
import type { DidKind } from './did.ts';
import type {
  CommandContext as PlatformContext,
  SubscriptionContext as PlatformSubscription,
  RequestEnv,
} from './request-context.ts';
import type { CredentialKind as PlatformCredential, Viewer as PlatformViewer } from './viewer.ts';

/** Declarations of a mutation in addition to the planner's. */
export interface MutationExtras {
  /** The usage that a call with a key is charged. */
  readonly charges: ((args: never) => readonly UsageCharge[]) | undefined;
  /** Whether calls with a key are written to the audit log. */
  readonly isRecorded: boolean;
  /** Its policies, visible to readers and tests of the declaration. */
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
    idScalar: 'DID' | 'IngestionID';
    mutationExtras: MutationExtras;
  }
}
