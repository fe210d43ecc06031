import { assert } from '../../lib/failure.ts';
import type { Graph } from './graph.ts';
import type { Member, State, Write } from './state.ts';

/** Prepares to read numbers off the embeddings of a state's rows; all of a row's at once, as they are made together. */
export function openEmbeddings({ encoder }: Graph, members: readonly Member[]): (state: State, write: Write) => void {
  assert(encoder, 'an encoder, where features read embeddings');
  const places = members.map(({ index, read }) => {
    assert(read.kind === 'embedding' && read.place < encoder.columns, 'a column of the embedding');
    return { index, place: read.place };
  });
  return ({ table, fresh, rows, at, limit }, write) => {
    assert(table?.name === encoder.table && !fresh, `the encoder knows rows of ${encoder.table}`);
    const values = encoder.embed(rows, at, limit);
    for (let i = 0; i < rows.length; i++) {
      if (rows[i]! < 0) continue;
      for (const { index, place } of places) write(index, i, values[i * encoder.columns + place]!);
    }
  };
}
