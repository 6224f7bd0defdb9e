import { formatDid } from '../../../gql/index.ts';
import { type AdminCommands, countFlag, TEXT } from '../../accounts/index.ts';
import { largestChannels, storageOfAllChannels } from './channel-storage.store.ts';

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
      const channels = await largestChannels(db, countFlag(flags, 'limit', LISTED));
      const total = await storageOfAllChannels(db);
      const did = (id: string) => formatDid(config.DID_NAMESPACE, 'channel', id);
      return { total, channels: channels.map(({ channelId, ...rest }) => ({ channelId: did(channelId), ...rest })) };
    },
  },
};
