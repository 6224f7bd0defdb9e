import type { CommandContext } from '../../../gql/index.ts';
import { AppError } from '../../../kernel/errors.ts';
import { newId } from '../../../kernel/ids.ts';
import { t } from '../../../kernel/languages/message.ts';
import { requireAccount } from '../../channels/index.ts';
import { insertArchive, lockArchives } from './archives.store.ts';
import { writeArchiveJob } from './write-archive.job.ts';

/** Archives that an account begins within a day. */
export const MAX_ARCHIVES_PER_DAY = 3;
const HOUR_SECONDS = 3_600;

/**
 * Queues an archive of the account, and returns its id: of the one that is being written, if there is one.
 * @throws AppError for the password (see prove-password.ts); RATE_LIMIT_EXCEEDED for too many in a day.
 */
export async function requestArchive(context: CommandContext, password: string): Promise<string> {
  const { accountId } = requireAccount(context);
  await context.services.accounts.provePassword(accountId, password);
  const { db, jobs } = context.services.integrations;
  return db.transaction(async (tx) => {
    const { open, today } = await lockArchives(tx, accountId, context.nowIso);
    if (open !== null) return open;
    if (today >= MAX_ARCHIVES_PER_DAY) throw tooMany();
    const id = newId<'accountArchive'>(context.nowMs);
    await insertArchive(tx, id, accountId, context.nowIso);
    await jobs.send(tx, writeArchiveJob, { archiveId: id });
    return id;
  });
}

function tooMany(): AppError {
  return new AppError('RATE_LIMIT_EXCEEDED', t`An account gets at most ${MAX_ARCHIVES_PER_DAY} archives a day.`, {
    retryAfterSeconds: HOUR_SECONDS,
    suggestedFix: t`Download the last one, or try again tomorrow.`,
  });
}
