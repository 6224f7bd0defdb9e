import type { IncomingMessage } from 'node:http';
import type { AccountId } from '../../../kernel/ids.ts';
import type { Language } from '../../../kernel/languages/languages.ts';
import type { Attempt } from '../attempts/attempts.ts';
import type { Body } from '../auth-requests.ts';
import { saveSettings } from '../settings/profile.store.ts';
import type { Auth } from './auth.ts';
import { deviceCookie } from './session-cookie.ts';
import { noteSignIn } from './sign-in-alert.ts';
import type { SignUpNeeds } from './sign-up.ts';

export interface AuthRoutesOptions extends SignUpNeeds {
  readonly auth: Auth;
  readonly sessionTokenFrom: (request: Pick<IncomingMessage, 'headers'>) => string | null;
}

/** Who calls an endpoint. */
export interface Caller {
  readonly clientAddress: string;
  readonly userAgent: string;
  readonly sessionToken: string | null;
  /** The random value of the browser; a new one where it sent none. */
  readonly device: string;
  /** Further Set-Cookie values of the response. */
  readonly cookies: string[];
  /** Of a new account. */
  readonly language: Language;
}

export interface Prepared {
  readonly body: Body;
  /** Endpoints that check a password. */
  readonly attempt?: Attempt;
  /** What follows when it has succeeded. */
  readonly afterwards?: (result: Response) => Promise<void>;
}

/** An endpoint of the sign-in library that is exposed. */
export interface Endpoint {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** The library's method where it differs: what checks a password is a POST here. */
  readonly libraryMethod?: 'GET';
  /** Whether it is for people who sign in or out: a session that their browser has does not matter. */
  readonly needsNoSession?: true;
  /** The part of the body that is passed on; throws AppError for invalid input. */
  readonly prepare: (body: Body, options: AuthRoutesOptions, caller: Caller) => Promise<Prepared> | Prepared;
}

export const NOTHING = () => ({ body: {} });

/**
 * Notes the browser of a sign-in that the library accepted, and lets it keep its cookie; one that still needs a second
 * factor is none.
 */
export async function noteOf({ platform }: AuthRoutesOptions, caller: Caller, result: Response): Promise<void> {
  const user = await userOf(result);
  if (!user) return;
  await noteSignIn(platform, { accountId: user.id, ...caller });
  caller.cookies.push(deviceCookie(caller.device, platform.config.BASE_URL));
}

/** The same for a new account, whose language becomes that of the page on which it signed up. */
export async function noteSignUp(options: AuthRoutesOptions, caller: Caller, result: Response): Promise<void> {
  const { db, clock } = options.platform;
  const { language } = caller;
  const user = await userOf(result.clone());
  if (user && language !== 'en') await saveSettings(db, user.id, { language }, new Date(clock.now()).toISOString());
  await noteOf(options, caller, result);
}

/** The account in a response of the library. */
async function userOf(result: Response): Promise<{ readonly id: AccountId } | undefined> {
  return ((await result.json()) as { user?: { id: AccountId } }).user; // as the library responds
}
