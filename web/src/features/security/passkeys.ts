import {
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser';
import { ApiError } from '../../lib/api.ts';
import { t } from '../../lib/i18n.ts';
import { authRequest, sessionChanged } from '../../lib/session.ts';
import type { Passkey } from './security-api.ts';

const IP_ADDRESS = /^[\d.]+$|:/;

/** Whether passkeys work here: with a current browser, by https or on this machine, and not at an IP address. */
export function supportsPasskeys(): boolean {
  return window.isSecureContext && 'PublicKeyCredential' in window && !IP_ADDRESS.test(location.hostname);
}

/** Adds one after the browser asked the person. Throws ApiError, also when the person cancels. */
export async function addPasskey(name: string, password: string): Promise<Passkey> {
  const options = await authRequest<PublicKeyCredentialCreationOptionsJSON>('passkey/generate-register-options', {
    password,
  });
  const response = await asked(() => startRegistration({ optionsJSON: options }));
  return authRequest('passkey/verify-registration', { response, name });
}

/** Signs in with a passkey of this device. Throws ApiError, also when the person cancels. */
export async function signInWithPasskey(): Promise<void> {
  const options = await authRequest<PublicKeyCredentialRequestOptionsJSON>('passkey/generate-authenticate-options');
  // A passkey stands for password and second factor: the device must check who uses it.
  const optionsJSON = { ...options, userVerification: 'required' as const };
  const response = await asked(() => startAuthentication({ optionsJSON }));
  await authRequest('passkey/verify-authentication', { response });
  await sessionChanged();
}

/** Runs the browser's dialog; what it refuses becomes an ApiError. */
async function asked<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask();
  } catch (error) {
    const name = error instanceof Error ? error.name : '';
    const [message, suggestedFix] = REFUSALS[name] ?? [
      t`The browser could not use a passkey.`,
      t`Try again, or use your password.`,
    ];
    throw new ApiError({ message, extensions: { code: 'INVALID_INPUT', suggestedFix } });
  }
}

/** By the name of the DOMException (Web Authentication Level 3, sections 5.1.3 and 5.1.4). */
const REFUSALS: Readonly<Record<string, readonly [string, string]>> = {
  NotAllowedError: [t`No passkey was used: it was cancelled, or took too long.`, t`Try again, or use your password.`],
  InvalidStateError: [t`This device has a passkey for the account already.`, t`Use another device.`],
  SecurityError: [t`Passkeys do not work at this address.`, t`Open the page at the address of this server.`],
};
