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
      'Compares videos and images with the object store: missing, truncated, orphaned and unknown objects. Exits ' +
      'with 1 if there are problems. --deep reads every object and compares its checksum. --repair deletes orphans ' +
      `that are older than --grace-hours (default ${GRACE_HOURS}).`,
    usage: '[--deep] [--repair] [--grace-hours N]',
    options: { deep: SWITCH, repair: SWITCH, 'grace-hours': TEXT },
    async run({ db, clock, config }, flags) {
      const { store } = await openStorage(config);
      const graceMs = countFlag(flags, 'grace-hours', GRACE_HOURS) * HOUR_MS;
      const options = { repair: flags.repair === true, deep: flags.deep === true, graceMs };
      const report = await verifyMedia({ db, clock, config, store }, options);
      return new CheckResult(report, Object.keys(report.problemCounts).length === 0);
    },
  },
};
