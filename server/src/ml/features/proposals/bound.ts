import { eventsKey, type Feature, focusKey } from '../feature.ts';

/**
 * Returns at most `most` features. Each table and path that they read gets an equal share of the places; unused places
 * go to the others. Otherwise a table of a hundred columns would crowd out tables farther away. Within a share, columns
 * take turns, and each column contributes its features in the order they were proposed.
 */
export function boundFeatures(features: readonly Feature[], most: number): Feature[] {
  if (features.length <= most) return [...features];
  const places = [...Map.groupBy(features.keys(), (index) => placeKey(features[index])).values()].map((indices) =>
    inTurns(features, indices),
  );
  const kept = (each: number) => places.reduce((sum, place) => sum + Math.min(place.length, each), 0);
  let each = 0;
  for (let step = 1 << Math.floor(Math.log2(most)); step >= 1; step >>= 1) if (kept(each + step) <= most) each += step;
  const all = places
    .flatMap((place) => place.slice(0, each))
    .concat(places.flatMap((place) => place.slice(each, each + 1)));
  return all
    .slice(0, most)
    .sort((a, b) => a - b)
    .map((index) => features[index]);
}

/** Identifies where a feature reads: its focus, its events, and the rows that the events refer to. */
function placeKey({ focus, read }: Feature): string {
  const signal = 'signal' in read ? read.signal : undefined;
  const events = 'events' in read ? eventsKey(read.events) : '';
  return JSON.stringify([focusKey(focus), events, signal?.kind, signal && 'path' in signal && signal.path]);
}

/** Orders indices by turn: the first of every column, then the second of every column, and so on. */
function inTurns(features: readonly Feature[], indices: readonly number[]): number[] {
  const turns = new Map<string, number>();
  const turnOf = new Map<number, number>();
  for (const index of indices) {
    const { read } = features[index];
    const column = JSON.stringify('signal' in read ? read.signal : 'column' in read ? read.column : null);
    const turn = turns.get(column) ?? 0;
    turns.set(column, turn + 1);
    turnOf.set(index, turn);
  }
  return [...indices].sort((a, b) => turnOf.get(a)! - turnOf.get(b)! || a - b);
}
