import type { Config } from '../platform/config/config.ts';
import { hostInUrl } from '../platform/config/listen-hosts.ts';
import type { DemoAccount } from './demo-channel.ts';
import type { OperatorOffer } from './operator-offer.ts';

const VERIFY =
  '{"query":"{ verifyConnection { authenticated user { username } channel { id name } subscription { plan state ' +
  '} permissions } }"}';

export interface BannerFacts {
  readonly config: Pick<Config, 'BASE_URL' | 'SIGN_UP' | 'listenHosts' | 'PORT'>;
  /** The demo account, and the file with its password and key. */
  readonly demo: { readonly account: DemoAccount; readonly file: string } | null;
  readonly operator: OperatorOffer | null;
  /** Whether the output is a terminal: secrets are never written to logs. */
  readonly isTerminal: boolean;
}

/** The banner of `npm start` once the platform is ready. */
export function banner({ config, demo, operator, isTerminal }: BannerFacts): string {
  const address = config.BASE_URL;
  const lines = [
    '',
    `  Reelgraph is ready: ${address}`,
    `  GraphQL:            ${address}/graphql`,
    `  Listening on:       ${listening(config)}`,
    `  Sign-up:            ${SIGN_UP[config.SIGN_UP]}`,
  ];
  if (demo) lines.push('', ...demoLines(demo, isTerminal, address));
  else
    lines.push(
      '',
      `  ${config.SIGN_UP === 'open' ? `Sign up at ${address}/sign-up, or create` : 'Create'} an account with an ` +
        'API key:',
      '  npm run admin -- create-account --email you@example.com ' +
        '--username you --plan CREATOR_PLUS --api-key --operator',
    );
  if (operator) lines.push('', ...operatorLines(operator, address));
  return `${lines.join('\n')}\n\n`;
}

const SIGN_UP = {
  open: 'open to everyone who reaches this server',
  invite: 'by invitation of an operator',
  closed: 'closed; npm run admin -- create-account creates accounts',
};

function listening({ listenHosts, PORT }: BannerFacts['config']): string {
  const hosts = listenHosts.map((host) => `${hostInUrl(host)}:${PORT}`).join(' and ');
  if (listenHosts.includes('127.0.0.1') || listenHosts.includes('::1'))
    return `${hosts} (this machine only; HOST=0.0.0.0 opens it to the network)`;
  return listenHosts.some((host) => host === '::' || host === '0.0.0.0')
    ? `port ${PORT} of all addresses of this machine`
    : hosts;
}

function demoLines(
  { account, file }: NonNullable<BannerFacts['demo']>,
  isTerminal: boolean,
  address: string,
): string[] {
  if (!isTerminal) return [`  Demo account:       ${account.email}`, `  Password, API key:  in ${file}`];
  return [
    `  Demo account:       ${account.email}`,
    `  Password:           ${account.password}`,
    `  API key:            ${account.apiKey}`,
    '',
    '  Try it:',
    `  curl -s ${address}/graphql -H 'Authorization: Bearer ` +
      `${account.apiKey}' -H 'Content-Type: application/json' -d '${VERIFY}'`,
  ];
}

function operatorLines(operator: OperatorOffer, address: string): string[] {
  const where = 'code' in operator ? `the code ${operator.code}` : `the code in ${operator.file}`;
  return [
    '  This server has no operator yet. Sign in with an account of your own, open',
    `  ${address}/settings/server and enter ${where} (once, within a day).`,
  ];
}
