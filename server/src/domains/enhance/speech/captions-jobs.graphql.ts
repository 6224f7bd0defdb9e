import type { EntityRef, Graph } from '../../../gql/index.ts';
import type { AssetTypes } from '../../assets/index.ts';
import { isMember } from '../../channels/index.ts';
import { type JobTexts, textsIn } from '../additions/job-texts.ts';
import { captionJobsOf } from './captions-jobs.sql.ts';
import type { CaptionsReceipt } from './captions-receipt.ts';

/** As `captionJobsOf` selects it. */
interface StoredJob extends JobTexts, Partial<Omit<CaptionsReceipt, 'decision'>> {
  readonly jobId: string;
  readonly kind: string;
  /** A TranscodeJobStatus. */
  readonly status: string;
  readonly progress: number;
  readonly captionsId: string | null;
  readonly requestedLanguage: string | null;
}

/** Declares the jobs that made captions of a content. */
export function declareCaptionsJobs(
  graph: Graph,
  Content: EntityRef,
  types: Pick<AssetTypes, 'enums' | 'AutomaticCaptionsKind'>,
): void {
  const CaptionsJob = graph.object('CaptionsJob', {
    description: 'A job that makes captions, and what it did. That is null until it is complete.',
    fields: (f) => ({
      jobId: f.value({ type: 'DID', description: 'Id of the job, for job and cancelJob.' }),
      kind: f.value({ type: types.AutomaticCaptionsKind, description: 'What makes them.' }),
      status: f.value({ type: types.enums.TranscodeJobStatus, description: 'State of the job.' }),
      progress: f.value({ type: 'Int', description: 'Progress of the job in percent, 0 to 100.' }),
      error: f.value({ type: 'String', nullable: true, description: 'Why it failed; null otherwise.' }),
      requestedLanguage: f.value({
        type: 'String',
        nullable: true,
        description: 'The language it was asked for, as a BCP 47 tag; null if that of the speech is detected.',
      }),
      language: f.value({
        type: 'String',
        nullable: true,
        description: 'Language of the captions, as a BCP 47 tag; und if it is not known, null without speech.',
      }),
      captionsId: f.value({
        type: 'DID',
        nullable: true,
        description: 'Id of the captions it made; null without speech, and once they were deleted.',
      }),
      model: f.value({ type: 'String', nullable: true, description: 'Name of the model.' }),
      words: f.value({ type: 'Int', nullable: true, description: 'Number of words.' }),
      cues: f.value({ type: 'Int', nullable: true, description: 'Number of cues.' }),
      decision: f.value({
        type: 'String',
        nullable: true,
        description: 'What was done and why, in a sentence or two.',
      }),
    }),
  });
  graph.extend(Content, (f) => ({
    captionsJobs: f.column({
      type: [CaptionsJob],
      description: 'Jobs that make or made captions of it, newest first, at most 10; empty for non-members.',
      sql: (s) => [captionJobsOf(s.t), isMember(s, `${s.t}.channel_id`)],
      read: ([jobs, member]: [StoredJob[], boolean], env) =>
        member
          ? jobs.map((job) => ({
              ...textsIn(job, env.language),
              jobId: env.did('job', job.jobId),
              captionsId: job.captionsId && env.did('captions', job.captionsId),
            }))
          : [],
    }),
  }));
}
