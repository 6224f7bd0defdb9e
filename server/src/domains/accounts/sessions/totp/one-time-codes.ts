import { APIError, createAuthMiddleware, getSessionFromCtx } from 'better-auth/api';
import { symmetricDecrypt } from 'better-auth/crypto';
import type { Database } from '../../../../platform/db/database.ts';
import { claimStep, giveBackStep, totpSecretOf } from '../strong-sign-in/strong-sign-in.store.ts';
import { totpStepOf } from './totp-step.ts';

/** The library's name of the cookie between password and code. */
const CHALLENGE_COOKIE = 'two_factor';
const isVerification = ({ path }: { readonly path?: string | undefined }) => path === '/two-factor/verify-totp';

type Context = Parameters<Parameters<typeof createAuthMiddleware>[0]>[0];

interface Claim {
  readonly accountId: string;
  readonly step: number;
  readonly previous: number | null;
}

/**
 * Has each code of an authenticator application accepted once (RFC 6238, section 5.2), which the library does not. Its
 * step is claimed before the library checks the code, and given back where that refuses the call for another reason.
 */
export function oneTimeCodes(db: Database) {
  const claims = new WeakMap<Request, Claim>();
  const before = createAuthMiddleware(async (ctx) => {
    const accountId = await accountOf(ctx);
    const factor = accountId === null ? null : await totpSecretOf(db, accountId);
    if (accountId === null || factor === null || !ctx.request) return;
    const secret = await symmetricDecrypt({ key: ctx.context.secretConfig, data: factor.secret });
    const step = totpStepOf(secret, String(ctx.body?.code), Date.now());
    if (step === null) return; // The library counts wrong codes.
    const claimed = await claimStep(db, accountId, step);
    if (!claimed) throw new APIError('BAD_REQUEST', { code: 'CODE_ALREADY_USED', message: 'This code was used.' });
    claims.set(ctx.request, { accountId, step, previous: claimed.previous });
  });
  const after = createAuthMiddleware(async (ctx) => {
    const claim = ctx.request && claims.get(ctx.request);
    if (claim && ctx.context.returned instanceof Error) await giveBackStep(db, claim);
  });
  return {
    id: 'one-time-codes',
    hooks: {
      before: [{ matcher: isVerification, handler: before }],
      after: [{ matcher: isVerification, handler: after }],
    },
  };
}

/** The account that a code is checked for: that of the session, or of the sign-in whose password was right. */
async function accountOf(ctx: Context): Promise<string | null> {
  const session = await getSessionFromCtx(ctx, { disableRefresh: true });
  if (session) return session.user.id;
  const cookie = ctx.context.createAuthCookie(CHALLENGE_COOKIE);
  const challenge = await ctx.getSignedCookie(cookie.name, ctx.context.secret);
  const found = challenge ? await ctx.context.internalAdapter.findVerificationValue(challenge) : null;
  return found?.value ?? null;
}
