import type { IncomingMessage } from 'node:http';
import type { Platform } from '../../../platform/platform.ts';
import type { Route } from '../../../platform/routing.ts';
import { sendJson } from '../../../platform/send-json.ts';
import type { Attempts } from '../attempts/attempts.ts';
import { readJson, readMember } from '../auth-requests.ts';
import { requireSessionAccount } from '../sessions/session-account.ts';
import { closeAccount, reopenAccount } from './close-account.ts';

export interface ClosingRoutesOptions {
  readonly platform: Pick<Platform, 'config' | 'db' | 'clock' | 'secrets' | 'jobs'>;
  readonly attempts: Attempts;
  readonly sessionTokenFrom: (request: Pick<IncomingMessage, 'headers'>) => string | null;
  /** Set-Cookie value that clears the session cookie. */
  readonly forgottenCookie: string;
}

/** Routes by which an account is deleted and kept, under /api/auth. */
export function closingRoutes(options: ClosingRoutesOptions): Route[] {
  const { platform, attempts, sessionTokenFrom } = options;
  return [
    {
      method: 'POST',
      path: '/api/auth/delete-account',
      handle: async (request, response) => {
        const account = await requireSessionAccount(platform, sessionTokenFrom(request));
        const { password } = await readJson(request);
        const deletesAt = await closeAccount(platform, attempts, account, password);
        response.setHeader('set-cookie', options.forgottenCookie);
        sendJson(response, 200, { deletesAt });
      },
    },
    {
      method: 'POST',
      path: '/api/auth/restore-account',
      handle: async (request, response, { clientAddress }) => {
        const body = await readJson(request);
        const credentials = { email: readMember(body, 'email'), password: String(body.password ?? '') };
        await reopenAccount(platform, attempts, credentials, clientAddress);
        sendJson(response, 200, { status: true });
      },
    },
  ];
}
