import type { ArgScope, RowScope } from '../../../gql/index.ts';

/** SQL: the jobs that an operator asked for; none for others. */
export function administeredJobs(job: string, s: RowScope, args: ArgScope): string {
  const conditions = [`${s.viewer}.is_operator`];
  if (args.given('status')) conditions.push(`${job}.status = ${args.param('status', 'text')}`);
  if (args.given('purpose')) conditions.push(`${job}.purpose = ${args.param('purpose', 'text')}`);
  if (args.given('channel')) conditions.push(`${job}.channel_id = ${args.id('channel', ['channel'])}`);
  return conditions.join(' and ');
}

/** SQL: the title of the content of a job. */
export function titleOfJob(job: string): string {
  return `(select o.title from contents o where o.id = ${job}.content_id)`;
}
