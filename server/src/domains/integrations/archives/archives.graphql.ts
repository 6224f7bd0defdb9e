import type { ArgBuilder, EntityRef, Graph } from '../../../gql/index.ts';
import { archiveAddress } from './archives.routes.ts';
import { isLatestArchive } from './archives.sql.ts';
import { MAX_ARCHIVES_PER_DAY, requestArchive } from './request-archive.ts';

const STATUSES = {
  QUEUED: 'A worker will write it.',
  RUNNING: 'A worker writes it.',
  COMPLETE: 'Its file can be downloaded.',
  FAILED: 'It could not be written; request another one.',
  EXPIRED: 'Its file was deleted.',
} as const;

/** Declares archives of an account. */
export function declareArchives(graph: Graph, { Me }: { readonly Me: EntityRef }): void {
  const Status = graph.builder.enumType('AccountArchiveStatus', {
    description: 'State of an archive.',
    values: Object.fromEntries(
      Object.entries(STATUSES).map(([status, description]) => [status, { description }]),
    ) as Record<keyof typeof STATUSES, { description: string }>, // fromEntries widens the keys
  });
  const AccountArchive = graph.entity('AccountArchive', {
    description: 'An archive of what an account has on the server: a ZIP file of JSON and JSON lines.',
    table: 'account_archives',
    fields: (f) => ({
      status: f.column({ type: Status, description: 'Its state.', sql: (s) => `${s.t}.status` }),
      createdAt: f.column({ type: 'DateTime', description: 'When it was requested.', sql: (s) => `${s.t}.created_at` }),
      expiresAt: f.column({
        type: 'DateTime',
        nullable: true,
        description: 'When its file is deleted; null before it is complete.',
        sql: (s) => `${s.t}.expires_at`,
      }),
      sizeBytes: f.column({
        type: 'BigInt',
        nullable: true,
        description: 'Size of its file; null before it is complete.',
        sql: (s) => `${s.t}.size_bytes`,
      }),
      url: f.column({
        type: 'URL',
        nullable: true,
        description: 'Address of its file, for the signed-in account only; null unless it is complete.',
        sql: (s) => [`${s.t}.id`, `${s.t}.status`],
        read: ([id, status]: [string, string], env) => (status === 'COMPLETE' ? archiveAddress(env.baseUrl, id) : null),
      }),
    }),
  });
  graph.extend(Me, (f) => ({
    archive: f.one({
      type: AccountArchive,
      nullable: true,
      description: 'The archive that was requested last; null if there was none within a month.',
      on: (child, s) => isLatestArchive(child, `${s.t}.account_id`),
    }),
  }));
  const RequestAccountArchiveInput = graph.builder.inputType('RequestAccountArchiveInput', {
    description: 'The proof that it is really you.',
    fields: (t) => ({ password: t.string({ required: true, description: 'Password of the account.' }) }),
  });
  graph.mutation('requestAccountArchive', {
    access: 'account:archive',
    description:
      'Requests an archive of everything the account has on the server: profile, settings, sessions, channels, ' +
      'contents, comments, likes, history and more, without secrets. A worker writes it; a message tells when it is ' +
      `complete. Returns the one that is being written, if there is one. At most ${MAX_ARCHIVES_PER_DAY} a day.`,
    payload: (f) => ({ archive: f.read({ type: AccountArchive, description: 'The archive.' }) }),
    args: (t: ArgBuilder) => ({
      input: t.field({ type: RequestAccountArchiveInput, required: true, description: 'The proof.' }),
    }),
    command: (context, { input }) => requestArchive(context, input.password),
  });
}
