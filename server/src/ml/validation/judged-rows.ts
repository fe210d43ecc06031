import { anchorsOf, readableUntilAt } from '../features/anchors.ts';
import type { OpenVersion } from '../inference/predict.ts';
import type { Examples } from '../tasks/examples.ts';

/** How a version predicts a row that it has not learned from. */
export type Source =
  /** It is later than every label that the version learned from. */
  | 'later'
  /** The models of a fold predicted it in training, that had not learned from it. */
  | 'held_out'
  /** It is of the time of the held-out rows, and its label was not among those that the version learned from. */
  | 'unlearned';

/** Predictions of labelled rows by a version that has not learned from them. */
export type Unflattered = {
  /** Per row; null where the version has no prediction of it that learning does not flatter. */
  readonly sources: readonly (Source | null)[];
  /** Per row, or rows × classes; NaN where there is no source. */
  readonly values: Float64Array;
};

const rowsPerCall = 16_384;

/**
 * Predicts labelled rows by a version as of their moments, but those that it has learned from, which would flatter it:
 * of these, what its folds predicted is taken. `o`: the output. `until`: nothing later is read, microseconds.
 */
export function predictUnflattered(opened: OpenVersion, o: number, examples: Examples, until: number): Unflattered {
  const { version, labels, heldOut } = opened;
  const width = Math.max(1, version.outputs[o].objective.classes.length);
  const keyOf = (entity: number, at: number) => `${entity} ${at}`;
  const newest = version.newestLabel ?? labels.at.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  const learned = new Set(Array.from(labels.rows, (entity, place) => keyOf(entity, labels.at[place])));
  const own = heldOut?.[o];
  const placeOf = new Map(
    Array.from(own?.places ?? [], (label, k) => [keyOf(labels.rows[label], labels.at[label]), k] as const),
  );
  const since = Array.from(own?.places ?? []).reduce(
    (first, label) => Math.min(first, labels.at[label]),
    Number.POSITIVE_INFINITY,
  );
  const sources = Array.from(examples.rows, (entity, i): Source | null => {
    const [at, key] = [examples.at[i], keyOf(entity, examples.at[i])];
    // Where a version does not say what it learned from, all rows may be among it.
    if (at > newest) return Number.isFinite(newest) ? 'later' : null;
    if (placeOf.has(key)) return 'held_out';
    return at >= since && !learned.has(key) ? 'unlearned' : null;
  });
  const values = new Float64Array(sources.length * width).fill(Number.NaN);
  const asked: number[] = [];
  for (const [i, source] of sources.entries()) {
    if (source === null) continue;
    const place = source === 'held_out' ? placeOf.get(keyOf(examples.rows[i], examples.at[i]))! : -1;
    if (place >= 0) values.set(own!.values.subarray(place * width, (place + 1) * width), i * width);
    else asked.push(i);
  }
  const found = predictRows(
    opened,
    o,
    Int32Array.from(asked, (i) => examples.rows[i]),
    Float64Array.from(asked, (i) => examples.at[i]),
    until,
  );
  for (const [k, i] of asked.entries()) values.set(found.subarray(k * width, (k + 1) * width), i * width);
  return { sources, values };
}

/** Predicts rows of the entity table as of their moments, whether learned from or not. */
export function predictRows(
  opened: OpenVersion,
  o: number,
  rows: Int32Array,
  at: Float64Array,
  until: number,
): Float64Array {
  const parts: Float64Array[] = [];
  for (let from = 0; from < rows.length; from += rowsPerCall) {
    const anchors = anchorsAt(
      opened,
      rows.subarray(from, from + rowsPerCall),
      at.subarray(from, from + rowsPerCall),
      until,
    );
    parts.push(opened.valuesAt(anchors)[o].values);
  }
  return Float64Array.from(parts.flatMap((part) => [...part]));
}

/** The anchors of rows of the entity table at moments. */
export function anchorsAt({ version, tables }: OpenVersion, rows: Int32Array, at: Float64Array, until: number) {
  const none = new Float64Array(rows.length);
  const examples: Examples = { rows, at, labels: none, closes: none };
  return anchorsOf(version.task, tables, examples, version.fresh, readableUntilAt(version.task, until));
}
