import type { MeasuredGauge } from '../http/metrics.ts';
import type { Jobs, QueueDepth } from '../platform/jobs/jobs.ts';

/** Jobs of all kinds over all instances, as the workers counted them about a second ago. */
export function queueGauges(jobs: Pick<Jobs, 'depths'>): MeasuredGauge[] {
  const sum = async (of: (queue: QueueDepth) => number) =>
    (await jobs.depths()).reduce((total, queue) => total + of(queue), 0);
  return [
    {
      name: 'reelgraph_jobs_waiting',
      help: 'Jobs waiting for a worker, over all instances.',
      read: () => sum(({ waiting }) => waiting),
    },
    {
      name: 'reelgraph_jobs_running',
      help: 'Running jobs, over all instances.',
      read: () => sum(({ running }) => running),
    },
  ];
}
