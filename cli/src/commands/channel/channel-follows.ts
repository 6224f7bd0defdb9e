import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { contextOf } from '../../context.ts';
import { changeEach } from '../../each.ts';
import { examples } from '../../options.ts';

const FOLLOWS = [
  ['follow', 'Follow channels', 'following', 'followChannel'],
  ['unfollow', 'Stop following channels', 'unfollowed', 'unfollowChannel'],
] as const;

/** Commands that follow channels and stop. */
export const channelFollows: readonly CommandUnknownOpts[] = FOLLOWS.map(([verb, summary, done, operation]) =>
  new Command(verb)
    .description(summary)
    .argument('<CHANNEL...>', 'Handles or identifiers of channels')
    .addHelpText('after', examples(`reelgraph channel ${verb} @studio`))
    .action(async (channels, _options, command) => {
      const context = contextOf(command);
      const client = await context.client();
      const change = async (named: string) => {
        const channel = await context.channelIdOrOwn(client, named);
        return client[operation]({ channel }, { signal: context.signal });
      };
      await changeEach(context, 'channels', channels, change, done);
    }),
);
