import { setTimeout as pause } from 'node:timers/promises';
import { Command, type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import type { TranscodeJob } from '../../../clients/typescript/src/index.ts';
import { contextOf } from '../context.ts';
import { changeEach } from '../each.ts';
import { AlreadyReported, EXIT } from '../errors.ts';
import { clock, moment } from '../format.ts';
import { noteRest, readList } from '../lists.ts';
import { examples, limitOption } from '../options.ts';
import type { Terminal } from '../terminal.ts';
import { ProgressLine } from '../uploads/progress-line.ts';

const EXAMPLE = 'did:reelgraph:job/0198c5a0-…';
const JOB = ['<JOB>', 'Identifier of a job, as listed by `job list`'] as const;
/** How often `job watch` asks. */
const LOOK_MS = 2_000;

const list = new Command('list')
  .description('List the processing jobs of your channels, newest first')
  .addOption(new Option('-c, --channel <CHANNEL>', 'Only those of this channel: its handle or identifier'))
  .addOption(limitOption)
  .addHelpText('after', examples('reelgraph job list --channel @studio'))
  .action(async ({ channel: named, limit }, command) => {
    const context = contextOf(command);
    const client = await context.client();
    const channel = await context.channelId(client, named);
    const found = await readList(client.jobs.all({ channel }, { limit, signal: context.signal }));
    context.result({ totalCount: found.totalCount, jobs: found.nodes }, (out) =>
      out.list(
        found.nodes.map((job) => [
          job.id,
          moment(job.createdAt),
          statusOf(out, job),
          job.finished ? '' : `${job.progress} %`,
          job.error ?? remainingOf(job),
        ]),
      ),
    );
    noteRest(context, found, 'No jobs.');
  });

const show = new Command('show')
  .description('Show a processing job')
  .argument(...JOB)
  .addHelpText('after', examples(`reelgraph job show ${EXAMPLE}`))
  .action(async (id, _options, command) => {
    const context = contextOf(command);
    const job = await (await context.client()).job({ id }, { signal: context.signal });
    context.result(job, (out) => printJob(out, job));
  });

const watch = new Command('watch')
  .summary('Wait until a processing job has ended')
  .description('Wait until a processing job has ended, with its progress. The exit code is 0 if it is complete.')
  .argument(...JOB)
  .addHelpText('after', examples(`reelgraph job watch ${EXAMPLE} && echo ready`))
  .action(async (id, _options, command) => {
    const context = contextOf(command);
    const client = await context.client();
    const line = new ProgressLine(context.err, 'job', context.isQuiet || context.isJson);
    const look = () => client.job({ id }, { signal: context.signal });
    let job = await look();
    for (; !job.finished; job = await look()) {
      line.show({ phase: 'processing', percent: job.progress });
      await pause(LOOK_MS, undefined, { signal: context.signal });
    }
    line.clear();
    context.result(job, (out) => printJob(out, job));
    if (job.status !== 'COMPLETE') throw new AlreadyReported(EXIT.media);
  });

const cancel = new Command('cancel')
  .description('Cancel processing jobs; their contents return to their earlier state')
  .argument('<JOB...>', 'Identifiers of jobs')
  .addHelpText('after', examples(`reelgraph job cancel ${EXAMPLE}`))
  .action(async (ids, _options, command) => {
    const context = contextOf(command);
    const client = await context.client();
    const change = async (id: string) => (await client.cancelJob({ id }, { signal: context.signal })).job;
    await changeEach(context, 'jobs', ids, change, 'cancelled');
  });

const COLORS: Readonly<Record<string, 'green' | 'red' | 'yellow'>> = { COMPLETE: 'green', ERROR: 'red' };

function statusOf(out: Terminal, { status }: TranscodeJob): string {
  return out.style(COLORS[status] ?? 'yellow', status);
}

function remainingOf({ remainingMs }: TranscodeJob): string {
  return remainingMs === null ? '' : `${clock(remainingMs / 1_000)} left`;
}

function printJob(out: Terminal, job: TranscodeJob): void {
  out.properties([
    ['id', job.id],
    ['status', statusOf(out, job)],
    ['progress', `${job.progress} %`],
    ['remaining', remainingOf(job)],
    ['error', job.error],
    ['address', job.outputUrl],
    ['submitted', moment(job.submittedAt)],
    ['started', moment(job.startedAt)],
    ['ended', moment(job.finishedAt)],
  ]);
}

/** The processing of videos. */
export const jobCommands: readonly CommandUnknownOpts[] = [list, show, watch, cancel];
