import { assert } from '../../lib/failure.ts';
import type { Graph } from './graph.ts';
import type { Member, State, Write } from './state.ts';

/**
 * Prepares to read numbers of the embeddings of a state's rows. All numbers of a row are read at once, as they are
 * computed together.
 */
export function openEmbeddings(graph: Graph, members: readonly Member[]): (state: State, write: Write) => void {
  const placed = members.map(({ index, read }) => {
    assert(read.kind === 'embedding', 'a number of an embedding');
    return { index, place: read.place, of: read.of };
  });
  const [ours, others] = [placed.filter(({ of }) => !of), placed.filter(({ of }) => of === 'graph')];
  return (state, write) => {
    if (ours.length > 0) writePlaces(encodeRows(graph, state), ours, state, write);
    if (others.length > 0) {
      assert(graph.vectors, 'a graph model, where features read its vectors');
      writePlaces(graph.vectors.encode(state), others, state, write);
    }
  };
}

function encodeRows({ encoder }: Graph, { table, fresh, rows, own, ownTable, at, readableUntil }: State): Float32Array {
  assert(encoder, 'an encoder, where features read embeddings');
  assert(table?.name === encoder.table && !fresh, `the encoder knows rows of ${encoder.table}`);
  return encoder.encode({ rows, own, ownTable, at, readableUntil });
}

type Place = { readonly index: number; readonly place: number };

function writePlaces(values: Float32Array, places: readonly Place[], { rows }: State, write: Write): void {
  const columns = values.length / rows.length;
  for (let i = 0; i < rows.length; i++) {
    if (rows[i] < 0) continue;
    for (const { index, place } of places) write(index, i, values[i * columns + place]);
  }
}
