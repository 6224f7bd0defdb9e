import { readBody } from '../../../platform/read-body.ts';
import type { Route } from '../../../platform/routing.ts';
import { sendJson } from '../../../platform/send-json.ts';
import { applyPaymentEvent, type PaymentNeeds } from './apply-payment-event.ts';
import type { PaymentProvider } from './payment-provider.ts';

export const WEBHOOK_PATH = '/api/payments/stripe';
const BODY = { maxBytes: 1_048_576, timeoutMs: 15_000 };

/** Events of the payment provider, which prove themselves by their signature; none without payments. */
export function paymentRoutes(platform: PaymentNeeds, provider: PaymentProvider | null): Route[] {
  if (!provider) return [];
  return [
    {
      method: 'POST',
      path: WEBHOOK_PATH,
      handle: async (request, response) => {
        const body = await readBody(request, BODY);
        const header = request.headers['stripe-signature'];
        const signature = Array.isArray(header) ? header[0] : header;
        await applyPaymentEvent(platform, provider, provider.readEvent(body, signature, platform.clock.now()));
        sendJson(response, 200, { received: true });
      },
    },
  ];
}
