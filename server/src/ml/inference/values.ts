import { openProgram } from '../features/evaluate.ts';
import type { Feature } from '../features/feature.ts';
import type { Graph } from '../features/graph.ts';
import type { Anchors } from '../features/state.ts';
import type { FeatureMatrix } from '../statistics/matrix.ts';

/** The values of features at anchors. Valid until the next are computed. */
export type Values = {
  /** What models read. */
  readonly matrix: FeatureMatrix;
  /**
   * What is known of the rows themselves: a smoothed mean of no events is NaN here, where models read the mean of all
   * rows. Call it when nothing more is written to `matrix`.
   */
  known(): FeatureMatrix;
};

/** Prepares to compute the values of features: see `openProgram`. */
export function openValues(graph: Graph, features: readonly Feature[]): (anchors: Anchors) => Values {
  const smoothed = features.flatMap(({ read }, f) =>
    read.kind === 'number' && read.aggregate === 'smoothed' ? [f] : [],
  );
  // A plain mean of the same events is missing exactly where there are none, and costs nothing beside the smoothed one.
  const plain = smoothed.map((f) => ({
    ...features[f],
    read: { ...features[f].read, aggregate: 'mean' } as Feature['read'],
  }));
  const program = openProgram(graph, [...features, ...plain]);
  let room: Float32Array | undefined;
  return (anchors) => {
    // The room is reused: batches of a file mostly have the same number of rows, and allocating megabytes is slow.
    const { values, rows } = program(anchors, room);
    room = values;
    const size = features.length * rows;
    const matrix = { rows, features: features.length, values: values.subarray(0, size) };
    const means = values.subarray(size);
    const known = () => {
      if (smoothed.length === 0) return matrix;
      const own = matrix.values.slice();
      smoothed.forEach((f, s) => {
        for (let row = 0; row < rows; row++) if (Number.isNaN(means[s * rows + row])) own[f * rows + row] = Number.NaN;
      });
      return { ...matrix, values: own };
    };
    return { matrix, known };
  };
}
