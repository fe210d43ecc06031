import { Failure } from '../../lib/failure.ts';
import type { Contract } from '../contract/contract.ts';
import { openProgram } from '../features/evaluate.ts';
import type { Focus } from '../features/feature.ts';
import { type EncodedRows, type Encoder, type Graph, openGraph } from '../features/graph.ts';
import { type OpenGraphModel, requireModel } from '../gfm-link/reading.ts';
import { withMonthlyVectors } from '../gfm-link/vectors.ts';
import type { Tables } from '../graph/tables.ts';
import { withValueTables } from '../graph/values.ts';
import { viewTables } from '../graph/view.ts';
import { type Rfm, readRfm } from './folder.ts';
import { countForecasts, embedInputs, predictFromEmbedding, predictFromInputs } from './forward.ts';
import { type Inputs, scoreInputs } from './inputs.ts';
import { embeddingColumns } from './network.ts';

/** An encoder over tables. */
export type OpenRfm = {
  readonly entity: string;
  /** How many leading numbers may be nonzero; those after them are always 0. */
  readonly width: number;
  /**
   * Embeddings of entity rows as of `at`, reading nothing later than `readableUntil` (both microseconds; by default
   * everything known at `at`): rows × 1024, each row of length 1. The columns are principal axes, so every prefix is
   * the best of its length. The result of a row depends on that row only, to the bit.
   */
  embed(rows: Int32Array, at: Float64Array, readableUntil?: Float64Array): Float32Array;
  /** The first `columns` numbers of the embeddings. */
  embedPrefix(rows: Int32Array, at: Float64Array, readableUntil: Float64Array, columns: number): Float32Array;
};

/**
 * Opens an encoder folder over tables. `model`: the graph model that the encoder reads, if any. Throws Failure as
 * `readRfm` does, and 'invalid' if that model is missing.
 */
export async function openRfm(folder: string, tables: Tables, model?: OpenGraphModel): Promise<OpenRfm> {
  const { contract, ...rfm } = readRfm(folder);
  return openEncoder(rfm, contract, tables, model);
}

/**
 * Opens an encoder that is part of another artifact. It sees what `contract` names of the tables. Throws Failure
 * 'invalid'.
 */
export function openEncoder(rfm: Rfm, contract: Contract, tables: Tables, model?: OpenGraphModel): OpenRfm {
  const graph = openGraph(withValueTables(viewTables(tables, contract), rfm.hide));
  return overGraph(rfm, composedGraph(graph, rfm, model));
}

/**
 * Adds to a graph the graph-model vectors that an encoder reads, if it reads any. `model`: that graph model. Throws
 * Failure 'invalid' if it is missing or a different one.
 */
export function composedGraph(graph: Graph, { graphModel }: Rfm, model?: OpenGraphModel): Graph {
  return graphModel
    ? withMonthlyVectors(graph, requireModel(graphModel, model, 'the encoder'), graphModel.link)
    : graph;
}

/** An encoder over a graph that has everything it reads. Throws Failure 'invalid' if the entity table is missing. */
function overGraph({ entity, inputs, shape, weights, axes }: Rfm, graph: Graph): OpenRfm {
  const read = openInputs(entity, inputs, graph);
  const embedPrefix: OpenRfm['embedPrefix'] = (rows, at, readableUntil, columns) => {
    const own = new Int32Array(rows.length).fill(-1);
    const turned = embedInputs(weights, axes, shape, read({ rows, at, readableUntil, own, ownTable: entity }));
    const embedded = new Float32Array(rows.length * columns);
    for (let i = 0; i < rows.length; i++) {
      const from = i * shape.width;
      embedded.set(turned.subarray(from, from + Math.min(columns, shape.width)), i * columns);
    }
    return embedded;
  };
  return {
    entity,
    width: shape.width,
    embed: (rows, at, readableUntil = at) => embedPrefix(rows, at, readableUntil, embeddingColumns),
    embedPrefix,
  };
}

function openInputs(entity: string, inputs: Inputs, graph: Graph) {
  const table = graph.tables.get(entity);
  if (!table) throw new Failure('invalid', `the encoder is of ${entity}, which is not a table here`);
  const program = openProgram(graph, inputs.features);
  return (moments: EncodedRows) => scoreInputs(inputs, program({ table, fresh: false, ...moments }));
}

/** How many numbers of an embedding a model reads. */
const readColumns = 64;

export type EncoderUse = {
  /** The focus that new features read the embedding of; the root by default. */
  readonly focus?: Focus;
  /** The graph model that the encoder reads, if any. */
  readonly model?: OpenGraphModel | undefined;
};

/**
 * Adds an encoder to a graph. It gives the first numbers of the embedding, scaled to about 1 each, and the forecasts.
 * Throws Failure 'invalid' if the graph model that the encoder reads is missing.
 */
export function withEncoder(graph: Graph, rfm: Rfm, { focus = { kind: 'root' }, model }: EncoderUse = {}): Graph {
  const { entity, inputs, shape, weights, axes } = rfm;
  const read = openInputs(entity, inputs, composedGraph(graph, rfm, model));
  const columns = Math.min(readColumns, shape.width);
  const encoder: Encoder = {
    focus,
    table: entity,
    columns: columns + countForecasts(weights, shape),
    forecasts: countForecasts(weights, shape),
    encode: (rows) => predictFromInputs(weights, axes, shape, columns, read(rows)),
  };
  return { ...graph, encoder };
}

/** The columns of `withEncoder` for a given embedding. */
export function readEmbedding({ shape, weights, axes }: Rfm, embedding: Float32Array): Float32Array {
  return predictFromEmbedding(weights, axes, shape, Math.min(readColumns, shape.width), embedding);
}
