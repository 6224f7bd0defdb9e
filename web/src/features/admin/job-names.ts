import type { JobPurpose, ServerJobRowFragment, TranscodeJobStatus } from '../../gql/generated/operations.gen.ts';
import { t } from '../../lib/i18n.ts';
import type { JobState } from './job-search.ts';

export const JOB_STATES: Readonly<Record<JobState, string>> = {
  IDLE: t`Waiting for the upload`,
  QUEUED: t`Waiting`,
  TRANSCODING: t`Running`,
  CANCELLING: t`Cancelling`,
  COMPLETE: t`Complete`,
  ERROR: t`Failed`,
  CANCELLED: t`Cancelled`,
};

export const JOB_PURPOSES: Readonly<Record<JobPurpose, string>> = {
  PROCESS: t`Processing`,
  REPEAT: t`Processing again`,
  RENDITIONS: t`More sizes or codecs`,
  ENHANCE: t`Enhancement`,
  CAPTIONS: t`Captions`,
};

const ALL_STATES: Readonly<Record<TranscodeJobStatus, string>> = {
  ...JOB_STATES,
  NONE: t`Not submitted`,
  UNKNOWN: t`Unknown`,
};

export const stateOf = (status: TranscodeJobStatus): string => ALL_STATES[status];

/** Whether the server can start the job again: the channel orders and pays the others. */
export const isRetriable = ({ status, purpose }: Pick<ServerJobRowFragment, 'status' | 'purpose'>): boolean =>
  (status === 'ERROR' || status === 'CANCELLED') && (purpose === 'PROCESS' || purpose === 'REPEAT');

export const isCancellable = ({ status }: Pick<ServerJobRowFragment, 'status'>): boolean =>
  status === 'IDLE' || status === 'QUEUED' || status === 'TRANSCODING';
