import type { ArgBuilder, EntityRef, Graph } from '../../../gql/index.ts';
import { isMember } from '../../channels/index.ts';
import { cancelJob } from './cancel-job.ts';
import { channelsOfViewer, jobsOfChannels } from './jobs.sql.ts';

/** Declares the queries of jobs and cancelJob. */
export function declareJobs(graph: Graph, TranscodeJob: EntityRef): void {
  graph.queryOne('job', {
    access: 'content:read',
    type: TranscodeJob,
    description: 'A job by its id, for members of its channel.',
    args: (t) => ({ id: t.field({ type: 'DID', required: true, description: 'Id of the job.' }) }),
    on: (child, s, args) => `${child}.id = ${args.id('id', ['job'])} and ${isMember(s, `${child}.channel_id`)}`,
    missing: { field: 'id' },
  });
  graph.queryConnection('jobs', {
    access: 'content:read',
    type: TranscodeJob,
    description:
      'Jobs of every kind of the channels the account is a member of, newest first. Empty for other channels.',
    args: (t) => ({ channel: t.field({ type: 'DID', description: 'Id of a channel: only its jobs.' }) }),
    where: (child, s, args) => `${child}.channel_id in (${channelsOfViewer(s, args)})`,
    order: (child) => [`${child}.created_at`, `${child}.id`],
    total: (s, args) => jobsOfChannels(channelsOfViewer(s, args)),
  });
  graph.mutation('cancelJob', {
    access: 'content:update',
    description:
      'Cancels a job in a channel of yours, of any kind but CODEC and REBUILD. A waiting job is CANCELLED at once; a ' +
      'running one becomes CANCELLING and, seconds later, CANCELLED. The content returns to its earlier ' +
      'state: READY if an earlier video of it is playable, otherwise DRAFT.',
    payload: (f) => ({ job: f.read({ type: TranscodeJob, description: 'The job.' }) }),
    args: (t: ArgBuilder) => ({ id: t.field({ type: 'DID', required: true, description: 'Id of the job.' }) }),
    statement: cancelJob,
  });
}
