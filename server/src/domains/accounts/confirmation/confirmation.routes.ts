import type { IncomingMessage } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { Route } from '../../../platform/routing.ts';
import { sendJson } from '../../../platform/send-json.ts';
import { checkEmail } from '../account-input.policy.ts';
import { forwardedHeaders, readJson, readMember, send } from '../auth-requests.ts';
import type { Auth } from '../sessions/auth.ts';
import { requireSessionAccount } from '../sessions/session-account.ts';
import { deviceCookie, deviceOf } from '../sessions/session-cookie.ts';
import { noteSignIn } from '../sessions/sign-in-alert.ts';
import { prepareSignUp, type SignUpNeeds } from '../sessions/sign-up.ts';
import { changeEmail, confirmEmail, requestConfirmation } from './change-email.ts';
import { confirmSignUp, requestSignUp } from './confirm-sign-up.ts';

/** Requests take at least this long, so that their duration does not reveal whether an address has an account. */
const LEAST_MS = 500;

export interface ConfirmationRoutesOptions extends SignUpNeeds {
  readonly auth: Auth;
  readonly sessionTokenFrom: (request: Pick<IncomingMessage, 'headers'>) => string | null;
}

/** Routes of addresses and their confirmation by mail, under /api/auth; those with links only where mail is sent. */
export function confirmationRoutes(options: ConfirmationRoutesOptions): Route[] {
  const { platform, attempts } = options;
  const change: Route = {
    method: 'POST',
    path: '/api/auth/change-email',
    handle: async (request, response, { language }) => {
      const account = await requireSessionAccount(platform, options.sessionTokenFrom(request));
      const body = await readJson(request);
      const email = checkEmail(body.email);
      const changed = changeEmail(platform, attempts, account, { email, password: body.password, language });
      const [{ sent }] = await Promise.all([changed, wait(LEAST_MS)]);
      sendJson(response, 200, { status: sent ? 'CONFIRMATION_SENT' : 'CHANGED' });
    },
  };
  return platform.config.MAIL === 'smtp' ? [change, ...linkRoutes(options), ...signUpRoutes(options)] : [change];
}

function linkRoutes(options: ConfirmationRoutesOptions): Route[] {
  const { platform, attempts } = options;
  return [
    {
      method: 'POST',
      path: '/api/auth/request-email-confirmation',
      handle: async (request, response, { language }) => {
        const account = await requireSessionAccount(platform, options.sessionTokenFrom(request));
        await requestConfirmation(platform, attempts, account, language);
        sendJson(response, 200, { status: 'CONFIRMATION_SENT' });
      },
    },
    {
      method: 'POST',
      path: '/api/auth/confirm-email',
      handle: async (request, response, { language }) => {
        await confirmEmail(platform, readMember(await readJson(request), 'token'), language);
        sendJson(response, 200, { status: 'CONFIRMED' });
      },
    },
  ];
}

function signUpRoutes(options: ConfirmationRoutesOptions): Route[] {
  const { platform, attempts, auth } = options;
  return [
    {
      method: 'POST',
      path: '/api/auth/sign-up/email',
      handle: async (request, response, { clientAddress, language }) => {
        const signUp = await prepareSignUp(await readJson(request), options, clientAddress);
        await attempts.confirmation(signUp.email);
        await Promise.all([requestSignUp(platform, signUp, language), wait(LEAST_MS)]);
        sendJson(response, 200, { status: 'CONFIRMATION_SENT' });
      },
    },
    {
      method: 'POST',
      path: '/api/auth/confirm-sign-up',
      handle: async (request, response, context) => {
        const body = await readJson(request);
        const token = readMember(body, 'token');
        const { accountId } = await confirmSignUp(platform, {
          ...{ token, username: body.username, language: context.language },
        });
        const headers = forwardedHeaders(request, context);
        const signedIn = await auth.startSession(accountId, headers);
        const userAgent = headers.get('user-agent') ?? '';
        // The account exists, whatever becomes of the note about its browser.
        const { clientAddress } = context;
        const { BASE_URL } = platform.config;
        const device = deviceOf(request.headers.cookie, BASE_URL);
        await noteSignIn(platform, { accountId, userAgent, clientAddress, device }).catch((error: unknown) =>
          platform.log.error({ error }, 'The browser of a sign-up was not noted.'),
        );
        await send(response, signedIn, [deviceCookie(device, BASE_URL)]);
      },
    },
  ];
}
