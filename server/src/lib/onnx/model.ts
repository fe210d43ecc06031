// Encodes ONNX models: the few protobuf messages of onnx.proto that a graph of float32 operators needs.

/** The newest versions that every onnxruntime since 1.13 reads. */
const irVersion = 8;
const operatorSet = 17;

export type ModelNode = {
  readonly operator: string;
  readonly inputs: readonly string[];
  readonly output: string;
  /** Attributes of the operator; all operators used here have only whole numbers. */
  readonly attributes?: Readonly<Record<string, number>>;
};

/** A float32 input or output, with all its dimensions. */
export type ModelValue = { readonly name: string; readonly dims: readonly number[] };

/** A constant: float32, or int64 for shapes and axes. */
export type ModelConstant = ModelValue & { readonly values: Float32Array | BigInt64Array };

export type Model = {
  readonly inputs: readonly ModelValue[];
  readonly outputs: readonly ModelValue[];
  readonly constants: readonly ModelConstant[];
  /** In topological order: each node stands after those whose outputs it reads. */
  readonly nodes: readonly ModelNode[];
};

/** Encodes a model file. The same model gives the same bytes. */
export function encodeModel({ inputs, outputs, constants, nodes }: Model): Uint8Array {
  const graph = message([
    ...nodes.map((node) => nested(1, encodeNode(node))),
    text(2, 'graph'),
    ...constants.map((constant) => nested(5, encodeConstant(constant))),
    ...inputs.map((value) => nested(11, encodeValue(value))),
    ...outputs.map((value) => nested(12, encodeValue(value))),
  ]);
  return message([number(1, irVersion), nested(7, graph), nested(8, message([text(1, ''), number(2, operatorSet)]))]);
}

const elementTypes = { float32: 1, int64: 7 } as const;
const attributeInteger = 2;

function encodeNode({ operator, inputs, output, attributes = {} }: ModelNode): Uint8Array {
  return message([
    ...inputs.map((name) => text(1, name)),
    text(2, output),
    text(4, operator),
    ...Object.entries(attributes).map(([name, value]) =>
      nested(5, message([text(1, name), number(3, value), number(20, attributeInteger)])),
    ),
  ]);
}

function encodeConstant({ name, dims, values }: ModelConstant): Uint8Array {
  return message([
    ...dims.map((size) => number(1, size)),
    number(2, values instanceof Float32Array ? elementTypes.float32 : elementTypes.int64),
    text(8, name),
    nested(9, new Uint8Array(values.buffer, values.byteOffset, values.byteLength)),
  ]);
}

function encodeValue({ name, dims }: ModelValue): Uint8Array {
  const shape = message(dims.map((size) => nested(1, message([number(1, size)]))));
  const tensor = message([number(1, elementTypes.float32), nested(2, shape)]);
  return message([text(1, name), nested(2, message([nested(1, tensor)]))]);
}

/** Protobuf wire types: a varint (groups of seven bits), and bytes preceded by their length. */
const wireNumber = 0;
const wireBytes = 2;

function number(field: number, value: number): Uint8Array {
  return Uint8Array.from([...varint((field << 3) | wireNumber), ...varint(value)]);
}

function text(field: number, value: string): Uint8Array {
  return nested(field, Buffer.from(value, 'utf8'));
}

function nested(field: number, content: Uint8Array): Uint8Array {
  return message([Uint8Array.from([...varint((field << 3) | wireBytes), ...varint(content.length)]), content]);
}

function message(parts: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat(parts);
}

/** Encodes a whole number from 0 to 2^53; a negative one as its 64-bit two's complement. */
function varint(value: number): number[] {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
  bytes.push(Number(rest));
  return bytes;
}
