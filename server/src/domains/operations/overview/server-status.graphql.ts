import type { Graph } from '../../../gql/index.ts';
import { localized } from '../../../kernel/languages/catalogs.ts';
import type { AccountTypes } from '../../accounts/index.ts';
import { MOST_COUNTED } from '../most-counted.ts';
import { MOST_WORKERS } from './read-status.ts';
import { CHECKED } from './server-checks.ts';

/** It counts jobs of all channels. */
const STATUS_POINTS = 20;

type Types = Pick<AccountTypes, 'MailTransport'>;

/** Declares the state of the server. */
export function declareServerStatus(graph: Graph, types: Types): void {
  const Check = declareCheck(graph);
  const Counts = declareCounts(graph);
  const Worker = declareWorker(graph);
  const Queue = declareQueue(graph);
  const MailQueue = declareMailQueue(graph, types);
  const Space = declareSpace(graph);
  const ServerStatus = graph.object('ServerStatus', {
    description: 'The state of this server: health, numbers, workers and queues.',
    fields: (f) => ({
      version: f.value({ type: 'String', description: 'Version of the server.' }),
      checks: f.value({ type: [Check], description: 'One for each part of the server: its state.' }),
      counts: f.value({ type: Counts, description: 'Numbers of the whole server.' }),
      workers: f.value({
        type: [Worker],
        description: `Worker processes of all machines that reported within the last minute, at most ${MOST_WORKERS}.`,
      }),
      queues: f.value({ type: [Queue], description: 'One for each kind of jobs that wait or run.' }),
      mail: f.value({ type: MailQueue, description: 'Messages that wait for their delivery.' }),
      space: f.value({
        type: Space,
        nullable: true,
        description: 'Capacity of the storage of files; null without a known limit.',
      }),
    }),
  });
  graph.queryResolve('serverStatus', {
    access: 'server:read',
    type: ServerStatus,
    description: 'The state of this server. For signed-in operators.',
    cost: [{ points: STATUS_POINTS }],
    resolve: async ({ services, language }) => {
      const status = await services.operations.status();
      const checks = status.checks.map(({ message, fix, ...check }) => ({
        ...check,
        message: localized(message, language),
        fix: fix && localized(fix, language),
      }));
      return { ...status, checks };
    },
  });
}

function declareCheck(graph: Graph) {
  const ServerPart = graph.builder.enumType('ServerPart', {
    description: 'A part of a server.',
    values: Object.fromEntries(Object.entries(CHECKED).map(([part, description]) => [part, { description }])),
  });
  const ServerCheckState = graph.builder.enumType('ServerCheckState', {
    description: 'The state of a part of a server.',
    values: {
      OK: { description: 'It works.' },
      WARNING: { description: 'It works with limits.' },
      ERROR: { description: 'It does not work.' },
    } as const,
  });
  return graph.object('ServerCheck', {
    description: 'The state of a part of a server, and what to do.',
    fields: (f) => ({
      part: f.value({ type: ServerPart, description: 'The part.' }),
      state: f.value({ type: ServerCheckState, description: 'Its state.' }),
      message: f.value({ type: 'String', description: 'Its state in a sentence.' }),
      fix: f.value({ type: 'String', nullable: true, description: 'What to do; null if nothing is.' }),
    }),
  });
}

function declareCounts(graph: Graph) {
  return graph.object('ServerCounts', {
    description: `Numbers of a server. Accounts and jobs are counted up to ${MOST_COUNTED}.`,
    fields: (f) => ({
      accounts: f.value({ type: 'Int', description: 'Accounts.' }),
      suspendedAccounts: f.value({ type: 'Int', description: 'Suspended accounts.' }),
      channels: f.value({ type: 'Int', description: 'Channels.' }),
      contents: f.value({ type: 'Int', description: 'Contents in every state, without the trash.' }),
      storedBytes: f.value({
        type: 'BigInt',
        description: 'Bytes of originals, images, open uploads and the files derived from videos.',
      }),
      jobsWaiting: f.value({ type: 'Int', description: 'Jobs of videos that wait for their file or a worker.' }),
      jobsRunning: f.value({ type: 'Int', description: 'Jobs of videos that run.' }),
      jobsFailed: f.value({ type: 'Int', description: 'Jobs of videos of the last seven days that failed.' }),
      openReports: f.value({ type: 'Int', description: 'Reports that nobody has closed.' }),
    }),
  });
}

function declareWorker(graph: Graph) {
  const WorkerSandbox = graph.builder.enumType('WorkerSandbox', {
    description: 'How a worker isolates the programs that read media.',
    values: {
      COMPLETE: { description: 'Completely.' },
      INCOMPLETE: { description: 'Not completely; it processes media nevertheless.' },
      REFUSING: { description: 'Not as SANDBOX=require asks for: it processes no media.' },
    } as const,
  });
  const RunningWork = graph.object('RunningWork', {
    description: 'Work of one kind.',
    fields: (f) => ({
      name: f.value({ type: 'String', description: 'Its kind, as process-video.' }),
      count: f.value({ type: 'Int', description: 'How many run.' }),
    }),
  });
  return graph.object('ServerWorker', {
    description: 'A worker process.',
    fields: (f) => ({
      host: f.value({ type: 'String', description: 'Name of its machine.' }),
      seenAt: f.value({ type: 'DateTime', description: 'When it reported last; it reports every 20 seconds.' }),
      sandbox: f.value({ type: WorkerSandbox, description: 'How it isolates the programs that read media.' }),
      running: f.value({
        type: [RunningWork],
        description: 'What it worked on when it reported, one for each kind of work.',
      }),
    }),
  });
}

function declareQueue(graph: Graph) {
  return graph.object('JobQueue', {
    description: 'Jobs of one kind in the background.',
    fields: (f) => ({
      name: f.value({ type: 'String', description: 'Their kind, as send-mail.' }),
      waiting: f.value({ type: 'Int', description: 'How many wait.' }),
      running: f.value({ type: 'Int', description: 'How many run.' }),
    }),
  });
}

function declareMailQueue(graph: Graph, { MailTransport }: Types) {
  return graph.object('MailQueue', {
    description: 'Messages that wait for their delivery.',
    fields: (f) => ({
      transport: f.value({ type: MailTransport, description: 'Where messages go.' }),
      waiting: f.value({ type: 'Int', description: 'How many wait.' }),
      failing: f.value({ type: 'Int', description: 'How many of these could not be delivered yet.' }),
      oldestAt: f.value({
        type: 'DateTime',
        nullable: true,
        description: 'When the oldest began to wait, for its first attempt or another one.',
      }),
    }),
  });
}

function declareSpace(graph: Graph) {
  return graph.object('ServerSpace', {
    description: 'Capacity of the storage of files.',
    fields: (f) => ({
      totalBytes: f.value({ type: 'BigInt', description: 'Its size in bytes.' }),
      freeBytes: f.value({ type: 'BigInt', description: 'Free bytes.' }),
    }),
  });
}
