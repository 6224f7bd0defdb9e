/** What other domains and the composition root may import from accounts. */

export { checkEmail } from './account-input.policy.ts';
export { requireAccount } from './account-lookup.ts';
export { type AccountTypes, declareAccounts } from './accounts.graphql.ts';
export {
  type AdminCommands,
  type AdminPlatform,
  CheckResult,
  countFlag,
  type Flags,
  readFlags,
  requiredFlag,
  SWITCH,
  TEXT,
  textFlag,
  UsageError,
} from './admin-command.ts';
export { type AdminResult, adminUsage, isAdminCommand, isSetUpCommand, runAdminCommand } from './admin-commands.ts';
export { type Attempts, attemptsOf } from './attempts/attempts.ts';
export { settleClosedAccounts } from './closing/close-account.ts';
export { effectiveLimits, effectivePermissions, effectivePlan } from './keys/key-access.policy.ts';
export { revealApiKey } from './keys/reveal-api-key.ts';
export { noteProcessingMinutes } from './keys/usage-limits.store.ts';
export { noteOperatorAction } from './operator-actions/operator-actions.store.ts';
export { createInvitation } from './operators/invitations.ts';
export { DEMO_EMAIL } from './operators/operator.policy.ts';
export { isOperatorCodeValid, makeOperatorCode, needsOperator } from './operators/operator-code.ts';
export { hashPassword, isPassword } from './passwords/hash-password.ts';
export { resetPassword } from './passwords/reset-password.ts';
export { type CredentialReference, referencedCredential, referenceTo } from './references/credential-references.ts';
export { seesCredential } from './references/references.sql.ts';
export { type Accounts, type AccountsOptions, registerAccounts } from './register.ts';
export type { AccountsServices } from './services.ts';
export { type CreatedAccount, createAccount } from './sessions/create-account.ts';
export { type LibraryCipher, libraryCipher } from './sessions/library-cipher.ts';
export { openProviders as openSignInProviders } from './single-sign-on/open-providers.ts';
export { changeSubscription, startTrial } from './subscriptions/change-subscription.ts';
export { isOwn } from './viewer.sql.ts';
