import { type OnnxNode, type OnnxTensor, writeOnnx } from './onnx-file.fixture.ts';

const CHANNELS = 16;
const BODY = 4;

/**
 * The graph that the speed of ours is compared with, of 10,356 parameters: a 5x5 convolution, four 3x3 convolutions of
 * 16 channels, each followed by PReLU, and a 3x3 convolution to the four pixels that are added to the given one. Its
 * weights have no meaning.
 */
export function referenceModel(): Buffer {
  const nodes: OnnxNode[] = [];
  const constants: Record<string, OnnxTensor> = {};
  let state = 1;
  const noise = (count: number) =>
    Array.from({ length: count }, () => {
      state = (state * 48_271) % 2_147_483_647;
      return (state / 2_147_483_647 - 0.5) / 8;
    });
  const convolve = (
    input: string,
    name: string,
    [outputs, inputs, side]: readonly [number, number, number],
  ): string => {
    const dims = [outputs, inputs, side, side];
    constants[`${name}.kernel`] = { type: 'float32', dims, values: noise(outputs * inputs * side * side) };
    constants[`${name}.bias`] = { type: 'float32', dims: [outputs], values: noise(outputs) };
    const pads = Array.from({ length: 4 }, () => (side - 1) / 2);
    const parts = [input, `${name}.kernel`, `${name}.bias`];
    nodes.push({ operator: 'Conv', inputs: parts, output: name, attributes: { kernel_shape: [side, side], pads } });
    return name;
  };
  const bend = (input: string): string => {
    constants[`${input}.slope`] = { type: 'float32', dims: [CHANNELS, 1, 1], values: noise(CHANNELS) };
    nodes.push({ operator: 'PRelu', inputs: [input, `${input}.slope`], output: `${input}.bent` });
    return `${input}.bent`;
  };
  nodes.push({ operator: 'Cast', inputs: ['luma'], output: 'numbers', attributes: { to: 1 } });
  let hidden = bend(convolve('numbers', 'head', [CHANNELS, 1, 5]));
  for (let at = 0; at < BODY; at += 1) hidden = bend(convolve(hidden, `body${at}`, [CHANNELS, CHANNELS, 3]));
  convolve(hidden, 'residual', [4, CHANNELS, 3]);
  constants.lowest = { type: 'float32', dims: [], values: [0] };
  constants.highest = { type: 'float32', dims: [], values: [255] };
  nodes.push(
    { operator: 'Add', inputs: ['residual', 'numbers'], output: 'sum' },
    { operator: 'DepthToSpace', inputs: ['sum'], output: 'large', attributes: { blocksize: 2 } },
    { operator: 'Clip', inputs: ['large', 'lowest', 'highest'], output: 'clipped' },
    { operator: 'Round', inputs: ['clipped'], output: 'round' },
    { operator: 'Cast', inputs: ['round'], output: 'enlarged', attributes: { to: 2 } },
  );
  return writeOnnx({
    nodes,
    constants,
    inputs: [{ name: 'luma', type: 'uint8', dims: ['n', 1, 'height', 'width'] }],
    outputs: [{ name: 'enlarged', type: 'uint8', dims: ['n', 1, 'height2', 'width2'] }],
  });
}

/** A model that repeats pixels, with values from 0 to 1. */
export function repeatingModel({ channels, factor }: { channels: number; factor: number }): Buffer {
  return writeOnnx({
    nodes: [{ operator: 'Resize', inputs: ['given', '', 'scales'], output: 'made' }],
    constants: { scales: { type: 'float32', dims: [4], values: [1, 1, factor, factor] } },
    inputs: [{ name: 'given', type: 'float32', dims: ['n', channels, 'height', 'width'] }],
    outputs: [{ name: 'made', type: 'float32', dims: ['n', channels, 'h', 'w'] }],
  });
}
