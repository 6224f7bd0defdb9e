import type { JobPurpose, TranscodeJobStatus } from '../../gql/generated/operations.gen.ts';
import { oneOf } from '../../lib/url.ts';

const STATES = [
  'IDLE',
  'QUEUED',
  'TRANSCODING',
  'CANCELLING',
  'COMPLETE',
  'ERROR',
  'CANCELLED',
] as const satisfies TranscodeJobStatus[];
const PURPOSES: Readonly<Record<JobPurpose, true>> = {
  PROCESS: true,
  REPEAT: true,
  RENDITIONS: true,
  ENHANCE: true,
  CAPTIONS: true,
};

export type JobState = (typeof STATES)[number];

/** Filters of the list of jobs. */
export interface JobSearch {
  readonly status?: JobState | undefined;
  readonly purpose?: JobPurpose | undefined;
}

/** Reads them from search parameters; what is not valid is dropped. */
export const readJobSearch = ({ status, purpose }: Record<string, unknown>): JobSearch => ({
  ...oneOf('status', status, STATES),
  ...oneOf('purpose', purpose, Object.keys(PURPOSES) as JobPurpose[]),
});
