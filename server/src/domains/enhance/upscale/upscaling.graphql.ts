import type { Graph } from '../../../gql/index.ts';
import { upscalingSupport } from './upscaling-support.ts';

/** Declares the query upscaling: whether videos can be upscaled, and with which models. */
export function declareUpscalingSupport(graph: Graph): void {
  const Source = graph.builder.enumType('UpscaleModelSource', {
    description: 'Where a model comes from.',
    values: {
      BUILT_IN: { description: 'It is a part of the platform.' },
      OPERATOR: { description: 'The operator of the server added it.' },
    },
  });
  const State = graph.builder.enumType('UpscaleModelState', {
    description: 'Whether a model can be used.',
    values: {
      READY: { description: 'It can.' },
      REFUSED: { description: 'It cannot, for the reason.' },
    },
  });
  const ExecutionProvider = graph.builder.enumType('ExecutionProvider', {
    description: 'What runs a model: an execution provider of ONNX Runtime.',
    values: {
      CPU: { description: 'The processor.' },
      CUDA: { description: 'An NVIDIA GPU.' },
      TENSORRT: { description: 'An NVIDIA GPU, with TensorRT.' },
      WEBGPU: { description: 'A GPU, by WebGPU.' },
    },
  });
  const Provider = graph.object('UpscaleProvider', {
    description: 'An execution provider of ONNX Runtime, as a worker measured it.',
    fields: (f) => ({
      provider: f.value({ type: ExecutionProvider, description: 'Which.' }),
      megapixelMs: f.value({
        type: 'Float',
        nullable: true,
        description: 'Milliseconds for a picture of a million pixels; null where it is not used.',
      }),
      problem: f.value({ type: 'String', nullable: true, description: 'Why it is not used; null otherwise.' }),
    }),
  });
  const Model = graph.object('UpscaleModel', {
    description: 'A model that enlarges the pictures of videos.',
    fields: (f) => ({
      name: f.value({ type: 'String', description: 'Its name, for upscaleContent.' }),
      source: f.value({ type: Source, description: 'Where it comes from.' }),
      factors: f.value({ type: ['Int'], description: 'How much wider and higher it makes pictures.' }),
      isDefault: f.value({ type: 'Boolean', description: 'Whether it is used where none is chosen.' }),
      state: f.value({ type: State, description: 'Whether it can be used; operators see others, too.' }),
      reason: f.value({ type: 'String', nullable: true, description: 'Why it cannot be used; for operators.' }),
      digest: f.value({
        type: 'String',
        nullable: true,
        description: 'SHA-256 of the file of a model of the operator, in hexadecimal.',
      }),
      provider: f.value({
        type: ExecutionProvider,
        nullable: true,
        description: 'What it is run with, for operators; null where nothing was measured.',
      }),
      providers: f.value({
        type: [Provider],
        description: 'What was measured, one for each provider, for operators; empty for others.',
      }),
    }),
  });
  const Upscaling = graph.object('Upscaling', {
    description: 'What this server can upscale videos by.',
    fields: (f) => ({
      available: f.value({ type: 'Boolean', description: 'Whether upscaleContent can be called.' }),
      models: f.value({ type: [Model], description: 'One for each model, the default one first.' }),
    }),
  });
  graph.queryResolve('upscaling', {
    access: 'content:read',
    type: Upscaling,
    description:
      'Whether this server can upscale videos, and with which models. Operators also see models that cannot be used, ' +
      'with the reason.',
    resolve: upscalingSupport,
  });
}
