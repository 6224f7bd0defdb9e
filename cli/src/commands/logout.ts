import { Command } from '@commander-js/extra-typings';
import { configPath } from '../account.ts';
import { contextOf } from '../context.ts';
import { removeFile } from '../folders.ts';
import { examples } from '../options.ts';

/** Removes the saved login. */
export const logout = new Command('logout')
  .summary('Remove the saved address and key')
  .description(
    'Remove the saved address and key. The key stays valid: regenerate it ' +
      'under Developer Settings in the studio if someone else may have it.',
  )
  .addHelpText('after', examples('reelgraph logout'))
  .action(async (_options, command) => {
    const context = contextOf(command);
    const loggedOut = await removeFile(configPath(context.env));
    context.result({ loggedOut }, (out) => out.line(loggedOut ? 'The saved key was removed.' : 'No key was saved.'));
  });
