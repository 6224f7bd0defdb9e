import type { CommandContext } from '../../../gql/index.ts';
import { AppError } from '../../../kernel/errors.ts';
import { t } from '../../../kernel/languages/message.ts';
import { noteOperatorAction } from '../../accounts/index.ts';
import { requireAccount } from '../../channels/index.ts';
import { startProcessing } from '../../transcode/index.ts';
import { serverJobNotFound } from './cancel-server-job.ts';
import { type EndedServerJob, findServerJob } from './server-jobs.store.ts';

/**
 * Processes the content of a failed or cancelled job again, notes it in the audit log and returns the id of the new
 * job; of the one that already processes the content, if there is one.
 * @throws AppError RESOURCE_NOT_FOUND; INVALID_INPUT for a job that has not failed or cannot be started again.
 */
export async function retryJob(context: CommandContext, id: string): Promise<string> {
  const { accountId: operatorId } = requireAccount(context);
  const tools = context.services.operations;
  return tools.db.transaction(async (tx) => {
    const job = await findServerJob(tx, id);
    if (!job) throw serverJobNotFound('id');
    requireRetriable(job);
    const { contentId, purpose, title } = job;
    const { jobId, started } = await startProcessing(tools, tx, { contentId, again: purpose === 'REPEAT' });
    if (started)
      await noteOperatorAction(tx, {
        operatorId,
        kind: 'JOB_RETRIED',
        to: { name: title },
        details: '',
        nowMs: context.nowMs,
      });
    return jobId;
  });
}

function requireRetriable({ status, purpose, hasVideo }: EndedServerJob): void {
  const refuse = (message: string, suggestedFix: string): never => {
    throw new AppError('INVALID_INPUT', message, { field: 'id', suggestedFix });
  };
  if (status !== 'ERROR' && status !== 'CANCELLED')
    refuse(t`This job has neither failed nor been cancelled.`, t`Wait until it has ended.`);
  if (purpose === 'RENDITIONS')
    refuse(t`The server orders these renditions again by itself.`, t`Wait; it tries again when someone watches them.`);
  if (purpose !== 'PROCESS' && purpose !== 'REPEAT')
    refuse(
      t`This job was ordered by the channel and costs its credits.`,
      t`Ask a member of the channel to order it again.`,
    );
  if (!hasVideo)
    refuse(t`The file of this job never arrived.`, t`Ask a member of the channel to upload or import it again.`);
}
