import { formatDid } from '../../../gql/index.ts';
import { type AdminCommands, countFlag, TEXT } from '../../accounts/index.ts';
import { readStorage } from './channel-storage.store.ts';

const LISTED = 100;

/** The command that lists what channels store. */
export const LIST_STORAGE_COMMAND: AdminCommands = {
  'list-storage': {
    about:
      'Lists the channels that store the most: originals, derived files and their total in bytes. ' +
      `--limit: how many (default ${LISTED}).`,
    usage: '[--limit N]',
    options: { limit: TEXT },
    async run({ db, config }, flags) {
      const { total, channels } = await readStorage(db, countFlag(flags, 'limit', LISTED));
      const did = (id: string) => formatDid(config.DID_NAMESPACE, 'channel', id);
      return {
        total,
        channels: channels.map(({ channelId, title: _, ...rest }) => ({ channelId: did(channelId), ...rest })),
      };
    },
  },
};
