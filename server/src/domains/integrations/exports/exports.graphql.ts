import {
  type ArgBuilder,
  countRows,
  type EntityRef,
  type Graph,
  MAX_EXPORT_LEVELS,
  type RequestEnv,
  type RowScope,
} from '../../../gql/index.ts';
import { ERROR_FIELD } from '../../assets/index.ts';
import { cancelExport } from './cancel-export.ts';
import { isVisibleExport } from './data-exports.sql.ts';
import { ADDRESS_HOURS, exportAddress, exportFilename } from './export-address.ts';
import { EXPORT_DAYS, FILE_DAYS } from './export-limits.ts';
import { orderExport } from './order-export.ts';

interface Types {
  readonly Node: EntityRef;
}

/** Declares bulk exports. */
export function declareExports(graph: Graph, types: Types): void {
  const DataExport = declareExport(graph, types);
  graph.queryOne('dataExport', {
    access: 'data:export',
    type: DataExport,
    description: 'An export by its id.',
    args: (t) => ({ id: t.field({ type: 'DID', required: true, description: 'Id of the export.' }) }),
    on: (child, s, args) => `${child}.id = ${args.id('id', ['dataExport'])} and ${isVisible(child, s)}`,
    missing: { field: 'id' },
  });
  graph.queryConnection('dataExports', {
    access: 'data:export',
    type: DataExport,
    description:
      `The exports of the account of the last ${EXPORT_DAYS} days that this credential may see, newest first: a ` +
      'session sees all, the API key those of keys, tokens and applications, a token or an application its own.',
    where: (child, s) => isVisible(child, s),
    order: (child) => [`${child}.created_at`, `${child}.id`],
    total: (s) => countRows('data_exports', (row) => isVisible(row, s)),
  });
  const ExportDataInput = graph.builder.inputType('ExportDataInput', {
    description: 'What to export.',
    fields: (t) => ({
      query: t.string({
        required: true,
        description:
          'A query with one connection and edges { node { … } }; its pages, totals and cursors are not needed. ' +
          `Connections in its objects are exported, too, up to ${MAX_EXPORT_LEVELS} levels in all.`,
      }),
      variables: t.field({ type: 'JSON', description: 'The variables of the query, as an object.' }),
    }),
  });
  graph.mutation('exportData', {
    access: 'data:export',
    description:
      'Exports a list without page limits, as a file of JSON lines: one object a line, as the query selects it, and ' +
      'the objects of its connections after it with __parentId and __parentField. The query is checked at once; ' +
      'workers read it in the background with the rights of this credential. dataExport(id) and the events ' +
      'export.completed and export.failed tell when it is done.',
    payload: (f) => ({ export: f.read({ type: DataExport, description: 'The export.' }) }),
    args: (t: ArgBuilder) => ({
      input: t.field({ type: ExportDataInput, required: true, description: 'What to export.' }),
    }),
    command: (context, args) => orderExport(context, args),
  });
  graph.mutation('cancelDataExport', {
    access: 'data:export',
    description: 'Cancels an export that has not ended, and deletes what was stored of it.',
    payload: (f) => ({ export: f.read({ type: DataExport, description: 'The export.' }) }),
    args: (t: ArgBuilder) => ({ id: t.field({ type: 'DID', required: true, description: 'Id of the export.' }) }),
    statement: cancelExport,
  });
}

function isVisible(child: string, s: Pick<RowScope, 'viewer' | 'param'>): string {
  return isVisibleExport(child, `${s.viewer}.account_id`, s.param);
}

const STATUSES = {
  QUEUED: { description: 'It waits for a worker.' },
  RUNNING: { description: 'It is being written; objectCount and sizeBytes grow.' },
  COMPLETE: { description: 'The file can be downloaded at url.' },
  ERROR: { description: 'It failed; see error.' },
  CANCELLED: { description: 'Cancelled by cancelDataExport.' },
  EXPIRED: { description: `The file was deleted, ${FILE_DAYS} days after it was complete.` },
} as const;

type AddressColumns = [
  id: string,
  status: keyof typeof STATUSES,
  name: string,
  createdAt: string,
  expiresAt: string | null,
];

function addressOf([id, status, name, createdAt, expiresAt]: AddressColumns, env: RequestEnv): string | null {
  if (status !== 'COMPLETE' || expiresAt === null) return null;
  const expiresMs = Date.parse(expiresAt);
  if (expiresMs <= env.nowMs) return null;
  const { secrets } = env.services.integrations;
  const { baseUrl, nowMs } = env;
  return exportAddress({ baseUrl, secrets, nowMs }, { id, expiresMs, filename: exportFilename(name, createdAt) });
}

function declareExport(graph: Graph, { Node }: Types): EntityRef {
  const DataExportStatus = graph.builder.enumType('DataExportStatus', {
    description: 'State of an export.',
    values: STATUSES,
  });
  return graph.entity('DataExport', {
    description: `An export of a list as a file of JSON lines. The file is kept for ${FILE_DAYS} days.`,
    table: 'data_exports',
    interfaces: [Node],
    node: { kinds: ['dataExport'], where: isVisible },
    fields: (f) => ({
      id: f.column({
        type: 'DID',
        description: 'Id of the export.',
        sql: (s) => `${s.t}.id`,
        read: ([id]: [string], env) => env.did('dataExport', id),
      }),
      status: f.column({ type: DataExportStatus, description: 'Current state.', sql: (s) => `${s.t}.status` }),
      query: f.column({ type: 'String', description: 'The query, as it was sent.', sql: (s) => `${s.t}.query` }),
      variables: f.column({ type: 'JSON', description: 'Its variables.', sql: (s) => `${s.t}.variables` }),
      objectCount: f.column({
        type: 'BigInt',
        description: 'Lines that are written.',
        sql: (s) => `${s.t}.object_count`,
      }),
      sizeBytes: f.column({
        type: 'BigInt',
        description: 'Bytes of these lines, uncompressed.',
        sql: (s) => `${s.t}.size_bytes`,
      }),
      url: f.column({
        type: 'URL',
        nullable: true,
        secret: true,
        description:
          'Signed address of the file; null until it is complete and once it has expired. Whoever has it may ' +
          `download the file: it is valid for ${ADDRESS_HOURS} hours, and a new one each time that it is read. It ` +
          'supports ranges.',
        sql: (s) => ['id', 'status', 'name', 'created_at', 'expires_at'].map((column) => `${s.t}.${column}`),
        read: addressOf,
      }),
      errorCode: f.column({
        type: graph.ErrorCode,
        nullable: true,
        description: 'Code of why it failed, as in the errors of responses; null otherwise.',
        sql: (s) => `${s.t}.error_code`,
      }),
      error: f.column({
        description: 'Why it failed and how to fix it, in a sentence or two; null otherwise.',
        ...ERROR_FIELD,
      }),
      createdAt: f.column({ type: 'DateTime', description: 'When it was requested.', sql: (s) => `${s.t}.created_at` }),
      startedAt: f.column({
        type: 'DateTime',
        nullable: true,
        description: 'When a worker first took it.',
        sql: (s) => `${s.t}.started_at`,
      }),
      finishedAt: f.column({
        type: 'DateTime',
        nullable: true,
        description: 'When it ended.',
        sql: (s) => `${s.t}.finished_at`,
      }),
      expiresAt: f.column({
        type: 'DateTime',
        nullable: true,
        description: 'When the file is, or was, deleted; null until it is complete.',
        sql: (s) => `${s.t}.expires_at`,
      }),
    }),
  });
}
