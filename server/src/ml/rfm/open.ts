import { Failure } from '../../lib/failure.ts';
import { openProgram } from '../features/evaluate.ts';
import { type Encoder, type Graph, openGraph } from '../features/graph.ts';
import type { Tables } from '../graph/tables.ts';
import { withValueTables } from '../graph/values.ts';
import { viewTables } from '../graph/view.ts';
import { type Rfm, readRfm } from './folder.ts';
import { embedInputs } from './forward.ts';
import { scoreInputs } from './inputs.ts';
import { embeddingColumns } from './network.ts';

/** An encoder over tables. */
export type OpenRfm = {
  readonly entity: string;
  /** Numbers that are not 0 by construction; those after them are. */
  readonly width: number;
  /**
   * Embeddings of entity rows as of `at`, reading nothing later than `limit` (both microseconds; by default all that is known at
   * `at`): rows × 1024, each row of length 1. A prefix of any length is the best of its length. Bits depend on the row alone.
   */
  embed(rows: Int32Array, at: Float64Array, limit?: Float64Array): Float32Array;
  /** The first `columns` numbers of the same. */
  embedPrefix(rows: Int32Array, at: Float64Array, limit: Float64Array, columns: number): Float32Array;
};

/** Opens an encoder's folder over tables. Throws Failure as `readRfm` does. */
export async function openRfm(folder: string, tables: Tables): Promise<OpenRfm> {
  const { contract, ...rfm } = readRfm(folder);
  return overGraph(rfm, openGraph(withValueTables(viewTables(tables, contract), rfm.hide)));
}

/** An encoder over a graph that has all tables it reads. Throws Failure 'invalid' without its entity. */
function overGraph({ entity, inputs, shape, weights, axes }: Rfm, graph: Graph): OpenRfm {
  const table = graph.tables.get(entity);
  if (!table) throw new Failure('invalid', `the encoder is of ${entity}, which is not a table here`);
  const program = openProgram(graph, inputs.features);
  const embedPrefix: OpenRfm['embedPrefix'] = (rows, at, limit, columns) => {
    const own = new Int32Array(rows.length).fill(-1);
    const matrix = program({ table, fresh: false, rows, own, ownTable: entity, at, limit });
    const turned = embedInputs(weights, axes, shape, scoreInputs(inputs, matrix));
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
    embed: (rows, at, limit = at) => embedPrefix(rows, at, limit, embeddingColumns),
    embedPrefix,
  };
}

/** Numbers of an embedding that a model reads. */
const readColumns = 64;

/** The graph with an encoder of rows of one of its tables; of its embeddings the first numbers, of about 1 each. */
export function withEncoder(graph: Graph, rfm: Rfm): Graph {
  const open = overGraph(rfm, graph);
  const columns = Math.min(readColumns, open.width);
  const scale = Math.sqrt(open.width);
  const encoder: Encoder = {
    table: rfm.entity,
    columns,
    embed: (rows, at, limit) => open.embedPrefix(rows, at, limit, columns).map((value) => value * scale),
  };
  return { ...graph, encoder };
}
