import type { Graph } from '../../../gql/index.ts';
import { type EstimateInput as Estimated, estimate, MAX_HOURS, MAX_RATE, MAX_SIDE } from './estimate.ts';

/** Declares the query estimate, and returns its type. */
export function declareEstimate(graph: Graph) {
  const EstimateInput = graph.builder.inputType('EstimateInput', {
    description: 'A file that is to be uploaded.',
    fields: (t) => ({
      durationMs: t.int({ required: true, description: `Length in milliseconds, at most ${MAX_HOURS} hours.` }),
      width: t.int({ description: `Display width in pixels, 1 to ${MAX_SIDE}; neither side: audio only.` }),
      height: t.int({ description: `Display height in pixels, 1 to ${MAX_SIDE}.` }),
      frameRate: t.float({ description: `Frames per second, at most ${MAX_RATE}; default 30.` }),
      hasAudio: t.boolean({ description: 'Whether it has sound; default true.' }),
    }),
  });
  const ProcessingEstimate = graph.object('ProcessingEstimate', {
    description: 'What processing would take, from what was measured on this server. Videos differ by their motion.',
    fields: (f) => ({
      cpuMs: f.value({ type: 'BigInt', description: 'CPU time in milliseconds.' }),
      sizeBytes: f.value({ type: 'BigInt', description: 'Size of the streams in bytes, without the original.' }),
      readyInMs: f.value({
        type: 'BigInt',
        description:
          'Milliseconds from the last byte of the upload until all qualities are ready, with the queue as it is.',
      }),
      credits: f.value({
        type: 'Int',
        description: 'What an enhancement takes from me.credits.generation; 0 for uploads, which use minutes.',
      }),
    }),
  });
  graph.queryResolve('estimate', {
    access: 'content:read',
    type: ProcessingEstimate,
    description:
      'Estimates the processing of a video before it is uploaded. Standard MP4 and MOV files are playable within ' +
      'seconds, before all qualities are ready.',
    args: (t) => ({
      input: t.field({ type: EstimateInput, required: true, description: 'What is known of the file.' }),
    }),
    // The schema has validated the shape.
    resolve: (context, { input }) => estimate(context, input as Estimated),
  });
  return ProcessingEstimate;
}
