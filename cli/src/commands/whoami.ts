import { Command } from '@commander-js/extra-typings';
import { contextOf } from '../context.ts';
import { examples } from '../options.ts';
import { planText } from './plan-text.ts';

/** The account of the key. */
export const whoami = new Command('whoami')
  .description('Show the account of the key: its channel, plan and permissions')
  .addHelpText('after', examples('reelgraph whoami', 'reelgraph whoami --json'))
  .action(async (_options, command) => {
    const context = contextOf(command);
    const { url, keyFrom } = await context.account();
    const check = await (await context.client()).verifyConnection({}, { signal: context.signal });
    const { user, channel, subscription, permissions, serverVersion } = check;
    context.result({ url, keyFrom, ...check }, (out) =>
      out.properties([
        ['account', user.email === '' ? user.username : `${user.username} <${user.email}>`],
        ['channel', `${channel.name} (${channel.id})`],
        ['plan', planText(subscription)],
        ['platform', `${url}, version ${serverVersion}`],
        ['key from', keyFrom],
        ['permissions', `${permissions.length}: ${permissions.join(', ')}`],
      ]),
    );
  });
