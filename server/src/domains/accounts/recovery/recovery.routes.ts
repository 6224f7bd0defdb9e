import { setTimeout as wait } from 'node:timers/promises';
import type { Route } from '../../../platform/routing.ts';
import { sendJson } from '../../../platform/send-json.ts';
import type { Attempts } from '../attempts/attempts.ts';
import { readJson, readMember } from '../auth-requests.ts';
import { type RecoveryNeeds, requestPasswordReset, resetPasswordByMail } from './reset-password-by-mail.ts';

/** Requests take at least this long, so that their duration does not reveal whether an address has an account. */
const LEAST_MS = 300;

export interface RecoveryRoutesOptions {
  readonly platform: RecoveryNeeds;
  readonly attempts: Attempts;
}

/** Routes for people who forgot their password, under /api/auth. They need no session. */
export function recoveryRoutes({ platform, attempts }: RecoveryRoutesOptions): Route[] {
  return [
    {
      method: 'POST',
      path: '/api/auth/request-password-reset',
      handle: async (request, response, { clientAddress }) => {
        const email = readMember(await readJson(request), 'email');
        await attempts.passwordReset(email, clientAddress);
        await Promise.all([requestPasswordReset(platform, email), wait(LEAST_MS)]);
        sendJson(response, 200, { status: true });
      },
    },
    {
      method: 'POST',
      path: '/api/auth/reset-password',
      handle: async (request, response) => {
        const body = await readJson(request);
        const token = readMember(body, 'token');
        await resetPasswordByMail(platform, attempts, { token, password: body.newPassword });
        sendJson(response, 200, { status: true });
      },
    },
  ];
}
