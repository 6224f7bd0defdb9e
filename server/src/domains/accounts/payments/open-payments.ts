import { createGuardedExchange } from '../../../platform/fetch/guarded-exchange.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { PaymentProvider } from './payment-provider.ts';
import { parsePrices, stripeProvider } from './stripe-provider.ts';

/** The payment provider of the settings; null without keys. */
export function openPayments({ config }: Pick<Platform, 'config'>): {
  readonly provider: PaymentProvider | null;
  close(): Promise<void>;
} {
  const { STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET, STRIPE_PRICES, STRIPE_API_URL } = config;
  if (!STRIPE_SECRET_KEY || !STRIPE_WEBHOOK_SECRET || !STRIPE_PRICES) return { provider: null, close: async () => {} };
  const { hostname, port, protocol } = new URL(STRIPE_API_URL);
  const only = Number(port || (protocol === 'https:' ? 443 : 80));
  const { exchange, close } = createGuardedExchange({ allow: (host, at) => host === hostname && at === only });
  const settings = { url: STRIPE_API_URL, secretKey: STRIPE_SECRET_KEY, webhookSecret: STRIPE_WEBHOOK_SECRET };
  return { provider: stripeProvider({ ...settings, prices: parsePrices(STRIPE_PRICES) }, exchange), close };
}
