import { createHmac } from 'node:crypto';
import { AppError } from '../../../kernel/errors.ts';
import { t } from '../../../kernel/languages/message.ts';
import { sameBytes } from '../../../platform/config/secret-key.ts';

/** How old a signature may be, or how far in the future, for clocks that differ. */
export const TOLERANCE_SECONDS = 300;
const MAX_HEADER = 4_096;

/**
 * Checks the header Stripe-Signature, `t=<seconds>,v1=<HMAC-SHA256 of "t.body" in hex>`: one of its signatures must be
 * genuine, which several are while a secret is replaced. Throws INVALID_INPUT.
 */
export function checkStripeSignature(body: Buffer, header: string | undefined, secret: string, nowMs: number): void {
  const parts = (header ?? '')
    .slice(0, MAX_HEADER)
    .split(',')
    .map((part) => part.trim().split('='));
  const valuesOf = (name: string): string[] => parts.flatMap(([key, value]) => (key === name && value ? [value] : []));
  const [seconds = ''] = valuesOf('t');
  if (!/^\d{1,12}$/.test(seconds)) throw refused(t`The signature is missing.`);
  const expected = createHmac('sha256', secret).update(`${seconds}.`).update(body).digest();
  const isGenuine = valuesOf('v1')
    .filter((value) => /^[0-9a-f]{64}$/.test(value))
    .map((value) => sameBytes(Buffer.from(value, 'hex'), expected))
    .includes(true);
  if (!isGenuine) throw refused(t`The signature is wrong.`);
  if (Math.abs(nowMs / 1_000 - Number(seconds)) > TOLERANCE_SECONDS) throw refused(t`The signature is too old.`);
}

function refused(message: string): AppError {
  return new AppError('INVALID_INPUT', message, {
    field: 'Stripe-Signature',
    suggestedFix: t`Set STRIPE_WEBHOOK_SECRET to the signing secret of this endpoint, and check the clock of the
      server.`,
  });
}
