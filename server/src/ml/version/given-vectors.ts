import { createHash } from 'node:crypto';
import type { Rows, TextColumn } from '../../lib/files/column.ts';
import type { Feature } from '../features/feature.ts';
import type { Rfm } from '../rfm/folder.ts';
import { embeddingColumns } from '../rfm/network.ts';
import { readEmbedding } from '../rfm/open.ts';
import type { FeatureMatrix } from '../statistics/matrix.ts';
import type { ValueProblem } from './input-values.ts';
import type { Field } from './schema.ts';

/**
 * The input that replaces the embedding computed by the version's own encoder: 1024 float32, little-endian, in base64.
 */
export const vectorInput = 'service__internal__customer_embedding';
/** The input that names the encoder the vector comes from. */
export const snapshotInput = 'service__internal__model_snapshot';
/** Format of the field: its value may also be a list of numbers. */
export const vectorFormat = 'embedding';

const vectorBytes = embeddingColumns * Float32Array.BYTES_PER_ELEMENT;
/** Largest deviation of a vector's length from 1: enough for rounding its numbers as text. */
const lengthTolerance = 1e-3;
const snapshotDigits = 16;

/**
 * The snapshot name of an encoder, by its content: from the SHA-256, in hexadecimal, of its program and of its weights.
 */
export function snapshotOfHashes(program: string, weights: string): string {
  return `rfm-${createHash('sha256').update(`${program} ${weights}`).digest('hex').slice(0, snapshotDigits)}`;
}

/** The additional inputs of a version with an encoder of its own. */
export function vectorFields(snapshot: string): Field[] {
  return [
    {
      name: vectorInput,
      type: 'string',
      required: false,
      description: `In place of what the model's own encoder (${snapshot}) makes of the row: ${embeddingColumns} numbers of length 1, as a list or as float32 (little-endian) in base64.`,
      format: vectorFormat,
      example: encodeVector(Float32Array.of(1, ...new Float32Array(embeddingColumns - 1))),
      pii: false,
    },
    {
      name: snapshotInput,
      type: 'string',
      required: false,
      description: `The model_snapshot that ${vectorInput} came with: vectors of another encoder mean something else, and are refused.`,
      enum: [snapshot],
      example: snapshot,
      pii: false,
    },
  ];
}

/** A vector in the form the input takes. */
export function encodeVector({ buffer, byteOffset, byteLength }: Float32Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('base64');
}

/** Reads a vector from base64 or a JSON list; returns a message if it is invalid. */
export function readVector(text: string): Float32Array | string {
  const values = text.startsWith('[') ? listed(text) : packed(text);
  if (typeof values === 'string') return values;
  if (!values.every(Number.isFinite)) return 'has a number that is none, or infinite';
  const length = Math.hypot(...values);
  if (Math.abs(length - 1) > lengthTolerance)
    return `has length ${length.toPrecision(4)}; a vector has length 1, and is sent whole`;
  return values;
}

function packed(text: string): Float32Array | string {
  const bytes = Buffer.from(text, 'base64');
  // Decoding base64 skips invalid characters, so the decoded bytes are encoded again and compared.
  if (bytes.length !== vectorBytes || bytes.toString('base64').replace(/=+$/, '') !== text.replace(/=+$/, ''))
    return `is not ${embeddingColumns} float32 in base64, which is ${vectorBytes} bytes (it has ${bytes.length})`;
  return new Float32Array(new Uint8Array(bytes).buffer);
}

function listed(text: string): Float32Array | string {
  let list: unknown;
  try {
    list = JSON.parse(text);
  } catch {
    return 'begins like a list and is none';
  }
  return vectorOf(list as readonly unknown[]);
}

/** A list as a vector, or a message if it is invalid. */
export function vectorOf(list: readonly unknown[]): Float32Array | string {
  if (list.length !== embeddingColumns) return `has ${list.length} numbers, not ${embeddingColumns}`;
  if (!list.every((value) => typeof value === 'number')) return 'is a list of something else than numbers';
  return Float32Array.from(list as number[]);
}

/** The problems of the given vectors, row by row, for a version with these inputs. */
export function vectorProblems(rows: Rows, inputs: readonly Field[]): ValueProblem[] {
  const expected = inputs.find(({ name }) => name === snapshotInput)?.enum?.[0];
  if (expected === undefined) return [];
  const problems: ValueProblem[] = [];
  const vectors = textsOf(rows, vectorInput);
  const snapshots = textsOf(rows, snapshotInput);
  const wrong = vectors?.dictionary.map((text) => {
    const vector = readVector(text);
    return typeof vector === 'string' ? vector : null;
  });
  for (let row = 0; row < rows.rows; row++) {
    const [code, named] = [vectors?.codes[row] ?? -1, snapshots?.codes[row] ?? -1];
    const message = code < 0 ? null : wrong![code];
    if (message !== null) problems.push({ row, column: vectorInput, reason: message });
    const snapshot: string = named < 0 ? expected : snapshots!.dictionary[named];
    if (snapshot !== expected)
      problems.push({
        row,
        column: snapshotInput,
        reason: `${snapshot.slice(0, shownMax)} is another encoder than this version's, ${expected}: their vectors cannot be exchanged`,
      });
  }
  return problems;
}

const shownMax = 100;

function textsOf(rows: Rows, name: string): TextColumn | undefined {
  const column = rows.columns.get(name);
  return column?.kind === 'text' ? column : undefined;
}

/** Tells which rows bring a vector. */
export function bringVectors(rows: Rows): (row: number) => boolean {
  const column = textsOf(rows, vectorInput);
  return (row) => column !== undefined && column.codes[row] >= 0;
}

/**
 * Prepares to replace embedding features of rows that bring a vector by what the model reads of that vector. Vectors
 * have been validated before; an invalid one is skipped.
 */
export function openGivenVectors(rfm: Rfm, features: readonly Feature[]): (rows: Rows, matrix: FeatureMatrix) => void {
  const places = features.flatMap(({ read }, f) =>
    read.kind === 'embedding' && !read.of ? [{ f, place: read.place }] : [],
  );
  return (rows, matrix) => {
    const column = textsOf(rows, vectorInput);
    if (!column) return;
    const read = new Map<number, Float32Array>();
    for (let row = 0; row < rows.rows; row++) {
      const code = column.codes[row];
      if (code < 0) continue;
      let values = read.get(code);
      if (!values) {
        const vector = readVector(column.dictionary[code]);
        if (typeof vector === 'string') continue;
        read.set(code, (values = readEmbedding(rfm, vector)));
      }
      for (const { f, place } of places) matrix.values[f * matrix.rows + row] = values[place];
    }
  };
}
