/** Encodes chunks until it is killed; prints a line for each that it begins. Arguments: database, data folder. */
import { join } from 'node:path';
import { createRunner } from '../../../media/index.ts';
import { systemClock } from '../../../platform/clock.ts';
import { readConfig } from '../../../platform/config/config.ts';
import { openDatabase } from '../../../platform/db/database.ts';
import { openJobs } from '../../../platform/jobs/jobs.ts';
import { createLogger } from '../../../platform/log.ts';
import { DiskStore } from '../../../platform/storage/disk-store.ts';
import { UNLIMITED_SPACE } from '../../../platform/storage/storage-space.ts';
import { LocalSources } from '../sources/local-sources.ts';
import { ChunkWorker } from './chunk-worker.ts';

const [url = '', folder = ''] = process.argv.slice(2);
const log = createLogger({ level: 'silent' });
const db = openDatabase({ url });
const platform = {
  ...{ log, db, clock: systemClock, space: UNLIMITED_SPACE },
  config: readConfig({ BASE_URL: 'http://reelgraph.test', DATA_DIR: folder }),
  store: new DiskStore(join(folder, 'objects')),
  jobs: openJobs({ url, db, log, worker: false }),
};
class Announced extends LocalSources {
  override use<T>(key: string, work: (path: string) => Promise<T>): Promise<T> {
    process.stdout.write('encoding\n');
    return super.use(key, work);
  }
}
await platform.jobs.start();
new ChunkWorker({ platform, runner: await createRunner(), sources: new Announced(platform.store) }, url).start(1);
