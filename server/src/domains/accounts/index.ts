/** What other domains and the composition root may see of accounts. */

export { requireAccount } from './account-lookup.ts';
export { type AccountTypes, declareAccounts } from './accounts.graphql.ts';
export type { AdminCommands, AdminPlatform } from './admin-command.ts';
export { type AdminResult, adminUsage, isAdminCommand, runAdminCommand } from './admin-commands.ts';
export { changeSubscription, startTrial } from './change-subscription.ts';
export { type CreatedAccount, createAccount } from './create-account.ts';
export { effectiveLimits, effectivePermissions, effectivePlan } from './key-use.policy.ts';
export { noteProcessingMinutes } from './key-watch.store.ts';
export { createInvitation } from './operators/invitations.ts';
export { DEMO_EMAIL } from './operators/operator.policy.ts';
export { isOperatorCodeValid, makeOperatorCode, needsOperator } from './operators/operator-code.ts';
export { type Accounts, type AccountsOptions, registerAccounts } from './register.ts';
export { resetPassword } from './reset-password.ts';
export { revealApiKey } from './reveal-api-key.ts';
export type { AccountsServices } from './services.ts';
