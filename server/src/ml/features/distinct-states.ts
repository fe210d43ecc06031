// Many anchors at one moment read the same parent, neighbor or base rate. A row at one moment is one state, and is read
// once.
import type { ReadState, State, Write } from './state.ts';

/**
 * Reads each distinct state once, and writes its values for each row that has this state. The m-th value read is
 * feature `features[m]`.
 */
export function readDistinct(state: State, read: ReadState, features: readonly number[], write: Write): void {
  const { firsts, placeOf } = findDistinct(state, numberMoments(state));
  if (firsts.length === state.rows.length) {
    read(state, (m, i, value) => write(features[m], i, value));
    return;
  }
  const values = new Float64Array(features.length * firsts.length).fill(Number.NaN);
  const { table, fresh, reach } = state;
  const rows = new Int32Array(firsts.map((i) => state.rows[i]));
  const picked = reach && Float64Array.from(firsts, (i) => reach[i]);
  const distinct = pickState(state, firsts, { table, fresh, rows, reach: picked });
  read(distinct, (m, i, value) => {
    values[m * firsts.length + i] = value;
  });
  for (let m = 0; m < features.length; m++) {
    for (let i = 0; i < placeOf.length; i++) write(features[m], i, values[m * firsts.length + placeOf[i]]);
  }
}

/** The index of the first row of each distinct state, and for each row the place of its state in that list. */
function findDistinct({ rows }: State, { numbers, count }: MomentNumbers): { firsts: number[]; placeOf: Int32Array } {
  const distinct = new Map<number, number>();
  const firsts: number[] = [];
  const placeOf = rows.map((row, i) => {
    const key = stateKey(row, numbers[i], count);
    let place = distinct.get(key);
    if (place === undefined) {
      place = firsts.push(i) - 1;
      distinct.set(key, place);
    }
    return place;
  });
  return { firsts, placeOf };
}

/** A number from 0 to `count` - 1 per anchor; anchors of one moment have the same number. */
type MomentNumbers = { readonly numbers: Int32Array; readonly count: number };

/**
 * Numbers the distinct moments of anchors. A moment is what the anchor asks as of, how far it may read, and which own
 * row it leaves out. A row read at one moment is one state, whichever anchor asks.
 */
export function numberMoments({ at, readableUntil, own, reach, labelled }: State): MomentNumbers {
  const numbers = new Int32Array(at.length);
  if (at.length === 1) return { numbers, count: 1 };
  const numberOf = new Map<string, number>();
  for (let i = 0; i < at.length; i++) {
    const isSame = i > 0 && at[i] === at[i - 1] && readableUntil[i] === readableUntil[i - 1] && own[i] === own[i - 1];
    if (isSame && (!reach || reach[i] === reach[i - 1]) && (!labelled || labelled[i] === labelled[i - 1])) {
      numbers[i] = numbers[i - 1];
      continue;
    }
    const key = `${at[i]} ${readableUntil[i]} ${own[i]}${reach ? ` ${reach[i]}` : ''}${labelled ? ` until ${labelled[i]}` : ''}`;
    let number = numberOf.get(key);
    if (number === undefined) numberOf.set(key, (number = numberOf.size));
    numbers[i] = number;
  }
  return { numbers, count: numberOf.size };
}

/**
 * One number for a row (-1: none) at one of `count` moments. It is exact, since no memory holds 2^53 rows times
 * moments.
 */
export function stateKey(row: number, moment: number, count: number): number {
  return (row + 1) * count + moment;
}

/** A state with the moments of the `picked` rows of another state, and the rows given. */
export function pickState(
  { own, ownTable, at, readableUntil, labelled }: State,
  picked: readonly number[],
  given: Pick<State, 'table' | 'fresh' | 'rows' | 'reach'>,
): State {
  const state = {
    ...given,
    ...{ own: new Int32Array(picked.length), ownTable },
    ...{ at: new Float64Array(picked.length), readableUntil: new Float64Array(picked.length) },
    ...(labelled && { labelled: Float64Array.from(picked, (i) => labelled[i]) }),
  };
  for (let k = 0; k < picked.length; k++) {
    state.own[k] = own[picked[k]];
    state.at[k] = at[picked[k]];
    state.readableUntil[k] = readableUntil[picked[k]];
  }
  return state;
}
