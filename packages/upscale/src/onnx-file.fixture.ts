/** Writes small ONNX models: https://github.com/onnx/onnx/blob/main/onnx/onnx.proto, in the encoding of Protobuf. */

/** `TensorProto.DataType`. */
export const ONNX_TYPE = { float32: 1, uint8: 2, int64: 7, bool: 9, float16: 10 } as const;
export type OnnxType = keyof typeof ONNX_TYPE;

export interface OnnxNode {
  readonly operator: string;
  readonly inputs: readonly string[];
  readonly output: string;
  /** Numbers and lists are integers, texts are texts, and graphs are bodies of loops. */
  readonly attributes?: Readonly<Record<string, OnnxAttribute>>;
}

export type OnnxAttribute = number | readonly number[] | string | OnnxGraph;

export interface OnnxTensor {
  readonly type: Exclude<OnnxType, 'float16'>;
  readonly dims: readonly number[];
  readonly values: readonly number[];
  /** Of another file that has the values instead. */
  readonly file?: string;
}

export interface OnnxValue {
  readonly name: string;
  readonly type: OnnxType;
  /** Names are symbolic dimensions. */
  readonly dims: readonly (number | string)[];
}

export interface OnnxGraph {
  readonly nodes: readonly OnnxNode[];
  readonly constants?: Readonly<Record<string, OnnxTensor>>;
  readonly inputs: readonly OnnxValue[];
  readonly outputs: readonly OnnxValue[];
}

const OPSET = 13;
const IR_VERSION = 8;
/** `TensorProto.DataLocation`. */
const EXTERNAL = 1;
const ATTRIBUTE_TYPE = { integer: 2, text: 3, graph: 5, integers: 7 };

/** The model as the bytes of a file. */
export function writeOnnx(graph: OnnxGraph): Buffer {
  const opset = message([text(1, ''), integer(2, OPSET)]);
  return message([integer(1, IR_VERSION), bytes(7, writeGraph(graph)), bytes(8, opset)]);
}

function writeGraph({ nodes, constants = {}, inputs, outputs }: OnnxGraph): Buffer {
  return message([
    ...nodes.map((node) => bytes(1, writeNode(node))),
    text(2, 'graph'),
    ...Object.entries(constants).map(([name, tensor]) => bytes(5, writeTensor(name, tensor))),
    ...inputs.map((value) => bytes(11, writeValue(value))),
    ...outputs.map((value) => bytes(12, writeValue(value))),
  ]);
}

function writeNode({ operator, inputs, output, attributes = {} }: OnnxNode): Buffer {
  return message([
    ...inputs.map((input) => text(1, input)),
    text(2, output),
    text(4, operator),
    ...Object.entries(attributes).map(([name, value]) => bytes(5, writeAttribute(name, value))),
  ]);
}

function writeAttribute(name: string, value: OnnxAttribute): Buffer {
  if (typeof value === 'string')
    return message([text(1, name), bytes(4, Buffer.from(value)), integer(20, ATTRIBUTE_TYPE.text)]);
  if (typeof value === 'number')
    return message([text(1, name), integer(3, value), integer(20, ATTRIBUTE_TYPE.integer)]);
  if ('nodes' in value) return message([text(1, name), bytes(6, writeGraph(value)), integer(20, ATTRIBUTE_TYPE.graph)]);
  return message([text(1, name), ...value.map((each) => integer(8, each)), integer(20, ATTRIBUTE_TYPE.integers)]);
}

function writeTensor(name: string, { type, dims, values, file }: OnnxTensor): Buffer {
  const arrays = {
    float32: () => Float32Array.from(values),
    uint8: () => Uint8Array.from(values),
    int64: () => BigInt64Array.from(values, BigInt),
    bool: () => Uint8Array.from(values),
  };
  const { buffer } = arrays[type]();
  return message([
    ...dims.map((dim) => integer(1, dim)),
    integer(2, ONNX_TYPE[type]),
    text(8, name),
    ...(file === undefined
      ? [bytes(9, Buffer.from(buffer))]
      : [bytes(13, message([text(1, 'location'), text(2, file)])), integer(14, EXTERNAL)]),
  ]);
}

function writeValue({ name, type, dims }: OnnxValue): Buffer {
  const shape = dims.map((dim) => bytes(1, typeof dim === 'number' ? integer(1, dim) : text(2, dim)));
  const tensor = message([integer(1, ONNX_TYPE[type]), bytes(2, message(shape))]);
  return message([text(1, name), bytes(2, bytes(1, tensor))]);
}

function message(fields: readonly Buffer[]): Buffer {
  return Buffer.concat(fields);
}

function integer(field: number, value: number): Buffer {
  return Buffer.concat([varint(BigInt(field << 3)), varint(BigInt.asUintN(64, BigInt(value)))]);
}

function text(field: number, value: string): Buffer {
  return bytes(field, Buffer.from(value));
}

function bytes(field: number, value: Buffer): Buffer {
  return Buffer.concat([varint(BigInt((field << 3) | 2)), varint(BigInt(value.length)), value]);
}

function varint(value: bigint): Buffer {
  const digits: number[] = [];
  for (let rest = value; ; rest >>= 7n) {
    const digit = Number(rest & 0x7fn);
    if (rest < 0x80n) return Buffer.from([...digits, digit]);
    digits.push(digit | 0x80);
  }
}
