import { passkey } from '@better-auth/passkey';
import { APIError } from 'better-auth/api';
import { twoFactor } from 'better-auth/plugins';
import { newRecoveryCodes } from './recovery-codes.ts';

/** Codes of an authenticator application (TOTP, RFC 6238) as a second factor, with recovery codes. */
export function ourTwoFactor() {
  return twoFactor({
    issuer: 'Reelgraph',
    backupCodeOptions: { customBackupCodesGenerate: newRecoveryCodes },
    schema: {
      user: { fields: { twoFactorEnabled: 'two_factor_enabled' } },
      twoFactor: {
        modelName: 'two_factors',
        fields: {
          userId: 'account_id',
          backupCodes: 'backup_codes',
          failedVerificationCount: 'failed_verification_count',
          lockedUntil: 'locked_until',
        },
      },
    },
  });
}

/**
 * Passkeys (Web Authentication Level 3). They replace password and second factor, so authenticators must verify the
 * person, by a fingerprint or a PIN.
 */
export function ourPasskeys(baseUrl: string) {
  const { origin, hostname } = new URL(baseUrl);
  return passkey({
    rpName: 'Reelgraph',
    rpID: hostname,
    origin,
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    registration: {
      afterVerification: ({ verification }) => assertVerified(verification.registrationInfo?.userVerified),
    },
    authentication: {
      afterVerification: ({ verification }) => assertVerified(verification.authenticationInfo.userVerified),
    },
    schema: {
      passkey: {
        modelName: 'passkeys',
        fields: {
          userId: 'account_id',
          credentialID: 'credential_id',
          publicKey: 'public_key',
          deviceType: 'device_type',
          backedUp: 'backed_up',
          createdAt: 'created_at',
        },
      },
    },
  });
}

function assertVerified(isVerified: boolean | undefined): void {
  if (isVerified !== true)
    throw new APIError('BAD_REQUEST', {
      code: 'PERSON_NOT_VERIFIED',
      message: 'The authenticator did not verify the person.',
    });
}
