import type { Command } from '../command.ts';

/** Who the key belongs to. */
export const whoami: Command = {
  name: 'whoami',
  about: 'Show the account behind the key, its channel, plan and permissions',
  operands: [],
  options: [],
  examples: ['reelgraph whoami', 'reelgraph whoami --json'],
  async run(call) {
    const { url, keyFrom } = await call.account();
    const check = await (await call.client()).verifyConnection({}, { signal: call.signal });
    const { user, channel, subscription, permissions, serverVersion } = check;
    call.answer({ url, keyFrom, ...check }, (out) =>
      out.facts([
        ['account', `${user.username} <${user.email}>`],
        ['channel', `${channel.name} (${channel.id})`],
        ['plan', `${subscription.plan} (${subscription.state})`],
        ['platform', `${url}, version ${serverVersion}`],
        ['key from', keyFrom],
        ['permissions', `${permissions.length}: ${permissions.join(', ')}`],
      ]),
    );
  },
};
