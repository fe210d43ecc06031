import type { Tensor } from '../../lib/onnx/session.ts';
import type { Random } from '../statistics/random.ts';
import type { Heads, NetworkShape } from './network.ts';
import type { MomentSample } from './sample.ts';

/** Share of the inputs that is hidden, to be restored by the network. */
const hiddenShare = 0.2;
/** Added to the cosine (divided by the temperature) of pairs that are no contrast, so that their weight becomes 0. */
const notContrast = -1e4;

/**
 * The inputs of `lossOf` for some pairs of a sample: first the first moments of all pairs, then the second ones. With
 * `random`, some inputs are hidden, to be restored; without it none are.
 */
export function batchOf(
  sample: MomentSample,
  pairs: ArrayLike<number>,
  shape: NetworkShape,
  heads: Heads,
  random: Random | null,
): Record<string, Tensor> {
  const n = pairs.length;
  const rows = Int32Array.from({ length: 2 * n }, (_, i) => (i < n ? 2 * pairs[i] : 2 * pairs[i - n] + 1));
  const x = take(sample.inputs, rows, shape.inputs);
  const restored = {
    target: new Float32Array(rows.length * heads.restored),
    mask: new Float32Array(rows.length * heads.restored),
  };
  if (random) {
    for (let i = 0; i < rows.length; i++) {
      for (let f = 0; f < heads.restored; f++) {
        if (random() >= hiddenShare) continue;
        const at = i * heads.restored + f;
        if (sample.missing[rows[i] * heads.restored + f] === 0) {
          restored.target[at] = x[i * shape.inputs + f];
          restored.mask[at] = 1;
        }
        x[i * shape.inputs + f] = 0;
      }
    }
  }
  const excluded = new Float32Array(n * n);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++)
      if (i !== j && sample.entities[rows[i]] === sample.entities[rows[j]]) excluded[i * n + j] = notContrast;
  }
  const tensor = (values: Float32Array, of: number): Tensor => ({ dims: [of, values.length / of], values });
  const fed = (name: string, target: Float32Array, mask: Float32Array) => ({
    [`${name}.target`]: tensor(target, rows.length),
    [`${name}.mask`]: tensor(mask, rows.length),
    [`${name}.share`]: tensor(Float32Array.of(shareOf(mask)), 1),
  });
  const known = (name: string, values: Float32Array) => {
    const mask = values.map((value) => Number(!Number.isNaN(value)));
    return fed(
      name,
      values.map((value) => (Number.isNaN(value) ? 0 : value)),
      mask,
    );
  };
  const groupColumns = heads.groups.reduce((sum, width) => sum + width, 0);
  const groups = take(sample.groups, rows, groupColumns);
  return {
    x: tensor(x, rows.length),
    ...known('logistic', take(sample.logistic, rows, heads.logistic)),
    ...known('numbers', take(sample.numbers, rows, heads.numbers)),
    ...(heads.label &&
      known('label', sample.label ? take(sample.label, rows, 1) : new Float32Array(rows.length).fill(Number.NaN))),
    'groups.target': tensor(
      groups.map((value) => (Number.isNaN(value) ? 0 : value)),
      rows.length,
    ),
    'groups.share': tensor(Float32Array.of(1 / Math.max(1, knownGroups(groups, rows.length, heads.groups))), 1),
    ...fed('restored', restored.target, restored.mask),
    excluded: tensor(excluded, n),
  };
}

function take(values: Float32Array, rows: Int32Array, columns: number): Float32Array {
  const taken = new Float32Array(rows.length * columns);
  for (let i = 0; i < rows.length; i++)
    taken.set(values.subarray(rows[i] * columns, (rows[i] + 1) * columns), i * columns);
  return taken;
}

function shareOf(mask: Float32Array): number {
  return (
    1 /
    Math.max(
      1,
      mask.reduce((sum, value) => sum + value, 0),
    )
  );
}

function knownGroups(values: Float32Array, rows: number, groups: readonly number[]): number {
  const columns = values.length / rows;
  let known = 0;
  for (let i = 0; i < rows; i++) {
    let from = i * columns;
    for (const width of groups) {
      known += Number(!Number.isNaN(values[from]));
      from += width;
    }
  }
  return known;
}
