import { eventsKey, type Feature, focusKey } from '../feature.ts';

/** The part of the places that is for what the row itself and its own events tell, where they want so many. */
const ownShare = 0.6;

/**
 * Returns at most `most` features. What the row itself and its own events tell has most of the places: it is worth more
 * than what those tell that it met. Of each part every table and path that is read gets an equal share; unused places
 * go to the others. Otherwise a table of a hundred columns would crowd out others. Within a share, columns take turns,
 * and each column contributes its features in the order they were proposed.
 */
export function boundFeatures(features: readonly Feature[], most: number): Feature[] {
  if (features.length <= most) return [...features];
  const isOwn = ({ focus }: Feature) => focus.kind === 'root';
  const [own, others] = [features.filter(isOwn), features.filter((feature) => !isOwn(feature))];
  const ofOthers = Math.min(others.length, most - Math.min(own.length, Math.ceil(most * ownShare)));
  const kept = new Set([...shareEqually(own, most - ofOthers), ...shareEqually(others, ofOthers)]);
  return features.filter((feature) => kept.has(feature));
}

function shareEqually(features: readonly Feature[], most: number): readonly Feature[] {
  if (features.length <= most) return features;
  const places = [...Map.groupBy(features.keys(), (index) => placeKey(features[index])).values()].map((indices) =>
    inTurns(features, indices),
  );
  const kept = (each: number) => places.reduce((sum, place) => sum + Math.min(place.length, each), 0);
  let each = 0;
  for (let step = 1 << Math.floor(Math.log2(most)); step >= 1; step >>= 1) if (kept(each + step) <= most) each += step;
  const all = places
    .flatMap((place) => place.slice(0, each))
    .concat(places.flatMap((place) => place.slice(each, each + 1)));
  return all.slice(0, most).map((index) => features[index]);
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
