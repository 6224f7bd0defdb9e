import { type CommandContext, openExport } from '../../../gql/index.ts';
import { AppError } from '../../../kernel/errors.ts';
import { newId } from '../../../kernel/ids.ts';
import { t } from '../../../kernel/languages/message.ts';
import type { Maybe } from '../../../kernel/maybe.ts';
import { referenceTo } from '../../accounts/index.ts';
import { requireAccount } from '../../channels/index.ts';
import { insertExport } from './data-exports.store.ts';
import { exportDataJob } from './export-data.job.ts';
import { MAX_OPEN_EXPORTS } from './export-limits.ts';

export interface ExportDataArgs {
  readonly input: { readonly query: string; readonly variables?: Maybe<unknown> };
}

/**
 * Checks a query, reads its first objects as the caller and queues the export; returns its id. What would fail later
 * is refused now: an unknown field, a list that the caller may not read, an argument that is none.
 */
export async function orderExport(context: CommandContext, { input }: ExportDataArgs): Promise<string> {
  const { db, jobs, engine } = context.services.integrations;
  const { accountId } = requireAccount(context);
  const { credential, requestId, signal } = context;
  const credentialReference = await referenceTo(db, credential);
  if (credential.kind === 'anonymous' || !credentialReference) throw new AppError('UNAUTHENTICATED');
  const source = { query: input.query, variables: readVariables(input.variables) };
  const opened = openExport(engine(), source, credential.kind);
  await opened.probe({ credential, requestId, signal });
  const id = newId<'data-export'>(context.nowMs);
  await db.transaction(async (tx) => {
    const { name, start: position } = opened;
    const reading = { id, accountId, credential: credentialReference, name, position };
    if (!(await insertExport(tx, { ...reading, ...source, now: context.nowIso }, MAX_OPEN_EXPORTS))) throw tooMany();
    await jobs.send(tx, exportDataJob, { exportId: id });
  });
  return id;
}

function readVariables(given: unknown): Readonly<Record<string, unknown>> {
  if (given == null) return {};
  if (typeof given === 'object' && !Array.isArray(given)) return given as Record<string, unknown>; // a JSON object
  throw new AppError('INVALID_INPUT', t`The variables of a query are an object.`, {
    field: 'input.variables',
    suggestedFix: t`Send an object with a member for each variable: { "first": "value" }.`,
  });
}

const RETRY_SECONDS = 30;

function tooMany(): AppError {
  return new AppError('RATE_LIMIT_EXCEEDED', t`This account has ${MAX_OPEN_EXPORTS} exports that have not ended.`, {
    retryAfterSeconds: RETRY_SECONDS,
    suggestedFix: t`Wait until one has ended, or cancel one with cancelDataExport.`,
  });
}
