/** A worker that takes a job of each kind and never finishes it; the test kills it. Arguments: database address. */
import { openDatabase } from '../db/database.ts';
import { createLogger } from '../log.ts';
import { defineJob } from './job.ts';
import { openJobs } from './jobs.ts';

const url = process.argv[2] ?? '';
const settings = { heartbeatSeconds: 10, expireInSeconds: 600 };
const kinds = [
  defineJob<{ n: number }>({ name: 'long', retryLimit: 3, ...settings }),
  defineJob<{ n: number }>({ name: 'last-chance', retryLimit: 0, ...settings }),
];
const jobs = openJobs({ url, db: openDatabase({ url }), log: createLogger({ level: 'silent' }), worker: true });
await jobs.start();
for (const job of kinds) {
  const handle = async (): Promise<void> => {
    process.stdout.write(`took ${job.name}\n`);
    await new Promise(() => {});
  };
  await jobs.work({ job, handle, giveUp: async () => {} });
}
