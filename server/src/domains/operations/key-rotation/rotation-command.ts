import { type AdminCommands, CheckResult } from '../../accounts/index.ts';
import { rotateSecretKey } from './rotate-secret-key.ts';

/** The command that finishes a change of SECRET_KEY. */
export const ROTATE_SECRET_KEY_COMMAND: AdminCommands = {
  'rotate-secret-key': {
    about:
      'After a change of SECRET_KEY, once all instances have been restarted: encrypts everything with the current ' +
      'key, and says when SECRET_KEY_PREVIOUS can be removed. Can be interrupted and repeated. Exits with 1 if no ' +
      'accepted key opens a value.',
    usage: '',
    options: {},
    async run(platform) {
      const rotation = await rotateSecretKey(platform);
      return new CheckResult(rotation, Object.keys(rotation.unreadable).length === 0);
    },
  },
};
