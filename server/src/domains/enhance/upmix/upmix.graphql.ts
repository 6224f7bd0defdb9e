import type { Graph } from '../../../gql/index.ts';
import type { AssetEnums } from '../../assets/index.ts';
import type { JobTexts } from '../additions/job-texts.ts';
import type { ChosenUpmix } from './order-upmix.ts';
import type { UpmixReceipt } from './upmix-receipt.ts';

/** As `upmixOf` selects it. */
export interface StoredUpmix extends ChosenUpmix, JobTexts, Partial<Omit<UpmixReceipt, 'decision'>> {
  readonly jobId: string;
  /** A TranscodeJobStatus. */
  readonly status: string;
  readonly progress: number;
}

/** Declares Upmix: the sound of a video in 5.1 or 7.1, and what was measured of it. */
export function declareUpmix(graph: Graph, enums: AssetEnums) {
  return graph.object('Upmix', {
    description: 'Sound in 5.1 or 7.1 made from mono or stereo. Measurements are null until the job has completed.',
    fields: (f) => ({
      jobId: f.value({ type: 'DID', description: 'Id of its job, for job and cancelJob.' }),
      status: f.value({ type: enums.TranscodeJobStatus, description: 'State of its job.' }),
      progress: f.value({ type: 'Int', description: 'Progress of its job in percent, 0 to 100.' }),
      error: f.value({ type: 'String', nullable: true, description: 'Why its job failed; null otherwise.' }),
      layout: f.value({ type: enums.UpmixLayout, description: 'Its channels.' }),
      version: f.value({ type: 'Int', nullable: true, description: 'Version of the signal processing.' }),
      decision: f.value({ type: 'String', nullable: true, description: 'What was done and why, in a few sentences.' }),
      gainDb: f.value({
        type: 'Float',
        nullable: true,
        description: 'By how many dB all channels were changed, so that no peak clips: 0 or less.',
      }),
      sourceLufs: f.value({ type: 'Float', nullable: true, description: 'Loudness of the original in LUFS.' }),
      upmixLufs: f.value({
        type: 'Float',
        nullable: true,
        description: 'Loudness of the upmix in LUFS, without the gain.',
      }),
      truePeakDbtp: f.value({
        type: 'Float',
        nullable: true,
        description: 'True peak of the upmix in dBTP, before it was encoded; of 7.1, also of the 5.1 for Dolby.',
      }),
      downmixSnrDb: f.value({
        type: 'Float',
        nullable: true,
        description:
          'How exactly the stereo downmix is the original, in dB, before it was encoded; null if it is exact.',
      }),
      centrePercent: f.value({ type: 'Float', nullable: true, description: 'Share of the centre in the power.' }),
      surroundPercent: f.value({ type: 'Float', nullable: true, description: 'Share of the surrounds in the power.' }),
    }),
  });
}
