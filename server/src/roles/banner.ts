import type { DemoAccount } from './demo-channel.ts';

const VERIFY =
  '{"query":"{ verifyConnection { authenticated user { username } channel { id name } subscription { plan state } permissions } }"}';

/** What `npm start` prints once the platform answers. */
export function banner(address: string, demo: DemoAccount | null): string {
  const lines = ['', `  Reelgraph is ready: ${address}`, `  GraphQL:            ${address}/graphql`];
  if (demo) {
    lines.push('', `  Demo account:       ${demo.email}`, `  Password:           ${demo.password}`, `  API key:            ${demo.apiKey}`);
    lines.push(
      '',
      '  Try it:',
      `  curl -s ${address}/graphql -H 'Authorization: Bearer ${demo.apiKey}' -H 'Content-Type: application/json' -d '${VERIFY}'`,
    );
  } else {
    lines.push('', `  Sign up at ${address}/sign-up, or make an account with an API key:`);
    lines.push('  npm run admin -- create-account --email you@example.com --username you --plan CREATOR_PLUS --api-key');
  }
  return `${lines.join('\n')}\n\n`;
}
