/** A worker that takes a job and never finishes it; the test kills it. Arguments: database address. */
import { openDatabase } from '../db/database.ts';
import { createLogger } from '../log.ts';
import { defineJob } from './job.ts';
import { openJobs } from './jobs.ts';

const url = process.argv[2] ?? '';
const job = defineJob<{ n: number }>({ name: 'long', retryLimit: 3, heartbeatSeconds: 10, expireInSeconds: 600 });
const jobs = openJobs({ url, db: openDatabase({ url }), log: createLogger({ level: 'silent' }), worker: true });
await jobs.start();
await jobs.work({
  job,
  handle: async () => {
    process.stdout.write('took the job\n');
    await new Promise(() => {});
  },
  giveUp: async () => {},
});
