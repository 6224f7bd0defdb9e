import type { Graph } from '../../../gql/index.ts';
import type { AssetEnums } from '../../assets/index.ts';
import type { JobTexts } from '../additions/job-texts.ts';
import type { UpscaleReceipt } from './upscale-receipt.ts';

/** As `upscaleOf` selects it. */
export interface StoredUpscale extends JobTexts, Partial<Omit<UpscaleReceipt, 'decision'>> {
  readonly jobId: string;
  /** A TranscodeJobStatus. */
  readonly status: string;
  readonly progress: number;
}

/** Declares Upscale: the enhanced quality of a video, and what was measured of it. */
export function declareUpscale(graph: Graph, enums: AssetEnums) {
  const UpscaleOutcome = graph.builder.enumType('UpscaleOutcome', {
    description: 'What came of upscaling a video.',
    values: {
      ENHANCED: { description: 'The quality is offered beside the others.' },
      NO_GAIN: { description: 'No scene gains: nothing was stored.' },
    },
  });
  const { UpscaleTestPicture, UpscaleDelivery } = declareMeasurements(graph);
  return graph.object('Upscale', {
    description: 'An enhanced quality of a video. Measurements are null until its job has completed.',
    fields: (f) => ({
      jobId: f.value({ type: 'DID', description: 'Id of its job, for job and cancelJob.' }),
      status: f.value({ type: enums.TranscodeJobStatus, description: 'State of its job.' }),
      progress: f.value({ type: 'Int', description: 'Progress of its job in percent, 0 to 100.' }),
      error: f.value({ type: 'String', nullable: true, description: 'Why its job failed; null otherwise.' }),
      target: f.value({ type: 'Int', description: 'Lines of the quality: 2160 for "2160p enhanced".' }),
      model: f.value({ type: 'String', description: 'Name of the model that enlarges the picture.' }),
      outcome: f.value({ type: UpscaleOutcome, nullable: true, description: 'What came of it.' }),
      version: f.value({ type: 'Int', nullable: true, description: 'Version of the upscaling.' }),
      modelVersion: f.value({
        type: 'Int',
        nullable: true,
        description: 'Version of the model; null for one of the operator.',
      }),
      modelDigest: f.value({
        type: 'String',
        nullable: true,
        description: 'SHA-256 of the file of a model of the operator, in hexadecimal; null for others.',
      }),
      decision: f.value({ type: 'String', nullable: true, description: 'What was done and why, in a few sentences.' }),
      gainDb: f.value({
        type: 'Float',
        nullable: true,
        description:
          'By how many dB of PSNR the scenes with the model came closer to the video than bicubic enlargement, in a ' +
          'test with frames that were made smaller and enlarged again. measuredOn has their size.',
      }),
      measuredOn: f.value({
        type: UpscaleTestPicture,
        nullable: true,
        description: 'The picture that gainDb was measured on; null in receipts of earlier versions.',
      }),
      delivered: f.value({
        type: UpscaleDelivery,
        nullable: true,
        description: 'What is delivered, beside the largest ordinary quality; null where it was not compared.',
      }),
      enhancedPercent: f.value({
        type: 'Float',
        nullable: true,
        description: 'Share of the video that was enlarged with the model; the rest gains nothing from it.',
      }),
      scenes: f.value({ type: 'Int', nullable: true, description: 'Scenes that were found.' }),
      tested: f.value({ type: 'Int', nullable: true, description: 'Frames that were tested.' }),
    }),
  });
}

function declareMeasurements(graph: Graph) {
  const UpscaleTestPicture = graph.object('UpscaleTestPicture', {
    description: 'Frames in the test of a model: the picture of the video, and what it was made from.',
    fields: (f) => ({
      width: f.value({ type: 'Int', description: 'Width of the frames in pixels.' }),
      height: f.value({ type: 'Int', description: 'Height of the frames in pixels.' }),
      madeWidth: f.value({ type: 'Int', description: 'Width that they were made smaller to.' }),
      madeHeight: f.value({ type: 'Int', description: 'Height that they were made smaller to.' }),
    }),
  });
  const UpscaleDelivery = graph.object('UpscaleDelivery', {
    description: 'Frames of an enhanced quality as they are delivered, beside those of the largest ordinary quality.',
    fields: (f) => ({
      gainDb: f.value({
        type: 'Float',
        description:
          'By how many dB of PSNR they are closer to the video, in its size, where the model was used; negative if ' +
          'they are farther from it.',
      }),
      bitrateBps: f.value({ type: 'Int', description: 'Average bits per second of the enhanced quality.' }),
      ordinary: f.value({ type: 'String', description: 'Label of the ordinary quality, such as 1080p.' }),
      ordinaryBitrateBps: f.value({ type: 'Int', description: 'Average bits per second of the ordinary quality.' }),
    }),
  });
  return { UpscaleTestPicture, UpscaleDelivery };
}
