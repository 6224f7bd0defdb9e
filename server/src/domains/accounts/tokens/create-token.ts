import { AppError } from '../../../kernel/errors.ts';
import type { AccountId } from '../../../kernel/ids.ts';
import { t } from '../../../kernel/languages/message.ts';
import type { Platform } from '../../../platform/platform.ts';
import { lockSubscription } from '../accounts.store.ts';
import { authorizeViewer } from '../keys/key-access.policy.ts';
import { accessUntilMs } from '../subscriptions/subscription.policy.ts';
import { newTokenFor } from './new-token.ts';
import { MAX_TOKENS, readTokenInput, type TokenInput, type TokenScope } from './token.policy.ts';
import { countTokens, ensureTestChannel, insertToken, isMemberOfAll } from './tokens.store.ts';

export type { TokenInput } from './token.policy.ts';

export interface CreatedToken {
  readonly id: string;
  /** Shown once: only its HMAC is stored. */
  readonly token: string;
}

/**
 * Creates a scoped token; with the first one in test mode, the account's test channel. Throws INVALID_INPUT or
 * FIELD_REQUIRED with the field, UNAUTHORIZED when the account's plan has no developer access or lacks one of the
 * permissions, RESOURCE_NOT_FOUND for a channel that the account is not a member of, and RESOURCE_ALREADY_EXISTS for
 * the name of another token.
 */
export async function createToken(
  platform: Pick<Platform, 'db' | 'clock' | 'secrets'>,
  accountId: AccountId,
  input: TokenInput,
): Promise<CreatedToken> {
  const nowMs = platform.clock.now();
  const scope = readTokenInput(input, nowMs);
  return platform.db.transaction(async (tx) => {
    // The lock makes concurrent calls wait, so that they cannot exceed the limit together.
    const facts = await lockSubscription(tx, accountId);
    if (!facts) throw new AppError('UNAUTHENTICATED', t`This account does not exist any more.`);
    requirePermissions({ ...facts, accessUntilMs: accessUntilMs(facts) }, scope, nowMs);
    if (scope.channelIds && !(await isMemberOfAll(tx, accountId, scope.channelIds))) throw noSuchChannel();
    if ((await countTokens(tx, accountId)) >= MAX_TOKENS) throw tooMany();
    const channelIds = scope.isTest ? [await ensureTestChannel(tx, accountId, nowMs)] : scope.channelIds;
    const { token, stored } = newTokenFor(accountId, { ...scope, channelIds }, platform.secrets, nowMs);
    if (await insertToken(tx, stored)) return { id: stored.id, token };
    throw nameTaken();
  });
}

/** The account must have all permissions of the token now; later they are checked at each use. */
function requirePermissions(
  account: Pick<Parameters<typeof authorizeViewer>[0] & object, 'plan' | 'state' | 'accessUntilMs'>,
  { permissions }: TokenScope,
  nowMs: number,
): void {
  const viewer = { ...account, isOperator: false, credential: 'token' as const };
  for (const permission of permissions) {
    const decision = authorizeViewer(viewer, permission, nowMs);
    if (decision.kind === 'allow') continue;
    const { code, text, fix } = decision.error;
    throw new AppError(code, text, { field: 'input.permissions', suggestedFix: fix });
  }
}

function noSuchChannel(): AppError {
  return new AppError('RESOURCE_NOT_FOUND', t`The account is not a member of one of these channels.`, {
    field: 'input.channels',
    suggestedFix: t`Use identifiers from me { channels }, or leave channels out for all of them.`,
  });
}

function tooMany(): AppError {
  return new AppError('INVALID_INPUT', t`This account has ${MAX_TOKENS} tokens, which is the limit.`, {
    field: 'input',
    suggestedFix: t`Revoke one that is not used; tokens shows when each was last used.`,
  });
}

function nameTaken(): AppError {
  return new AppError('RESOURCE_ALREADY_EXISTS', t`The account has a token with this name.`, {
    field: 'input.name',
    suggestedFix: t`Choose another name, or revoke that token first.`,
  });
}
