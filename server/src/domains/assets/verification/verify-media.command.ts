import { openStorage } from '../../../platform/storage/open-storage.ts';
import { type AdminCommands, CheckResult, countFlag, SWITCH, TEXT } from '../../accounts/index.ts';
import { verifyMedia } from './verify-media.ts';

const HOUR_MS = 3_600_000;
/** No upload or job writes objects this long without a row that names it. */
const GRACE_HOURS = 48;

/** The command that compares rows and objects. */
export const VERIFY_MEDIA_COMMAND: AdminCommands = {
  'verify-media': {
    about:
      'Compares videos and images with the object store: missing, truncated and orphaned objects. Exits with 1 if ' +
      `there are problems. --repair deletes orphans that are older than --grace-hours (default ${GRACE_HOURS}).`,
    usage: '[--repair] [--grace-hours N]',
    options: { repair: SWITCH, 'grace-hours': TEXT },
    async run({ db, clock, config }, flags) {
      const { store } = await openStorage(config);
      const graceMs = countFlag(flags, 'grace-hours', GRACE_HOURS) * HOUR_MS;
      const report = await verifyMedia({ db, clock, config, store }, { repair: flags.repair === true, graceMs });
      return new CheckResult(report, Object.keys(report.problemCounts).length === 0);
    },
  },
};
