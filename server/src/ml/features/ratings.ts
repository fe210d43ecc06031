import { assert } from '../../lib/failure.ts';
import { firstAfter } from '../graph/as-of/search.ts';
import { type Events, pathKey, type Rating } from './feature.ts';
import { type Graph, targetTable } from './graph.ts';
import type { Member, ReadState } from './state.ts';

/** Variance of strengths before any outcome is known. */
const priorVariance = 1;
/** By how much the variance grows with each outcome, where strengths are taken to change. */
const drift = 0.02;
/** Prior variance of what the first role has ahead of the second. */
const advantageVariance = 0.25;

/** The ratings that each row of a table had, at positions `from` to `to`, each from the moment of an outcome on. */
type Ratings = {
  readonly from: Int32Array;
  readonly to: Int32Array;
  readonly time: Float64Array;
  readonly value: Float64Array;
};

/** Ratings are computed once for all reads of a graph. */
const known = new WeakMap<Graph, Map<string, Ratings>>();

/** Prepares to read how strong rows are, by the outcomes known then; 0 before the first. */
export function openRating(graph: Graph, { index, read }: Member & { readonly read: Rating }): ReadState {
  return ({ rows, readableUntil, labelled }, write) => {
    const { from, to, time, value } = ratingsOf(graph, read);
    for (let i = 0; i < rows.length; i++) {
      const row = rows[i];
      if (row < 0) continue;
      const limit = labelled ? Math.min(readableUntil[i], labelled[i]) : readableUntil[i];
      const last = firstAfter(time, from[row], to[row], limit) - 1;
      write(index, i, last < from[row] ? 0 : value[last]);
    }
  };
}

function ratingsOf(graph: Graph, read: Rating): Ratings {
  let ofGraph = known.get(graph);
  if (!ofGraph) known.set(graph, (ofGraph = new Map()));
  const key = JSON.stringify([pathKey(read.events), read.against, read.outcome, read.as]);
  let ratings = ofGraph.get(key);
  if (!ratings) ofGraph.set(key, (ratings = rate(graph, read)));
  return ratings;
}

/** One outcome between two rows: `score` of the first against the second, at a moment. */
type Contest = { readonly first: number; readonly second: number; readonly score: number; readonly at: number };

/** What a row's strength may be: a normal distribution, in log-odds; where scores are numbers, in their deviations. */
export type Strength = { readonly mean: number; readonly variance: number };

/** A score against another; `ahead`: by how much the row was ahead for its role. Of several kinds: see `Scores`. */
export type Game = { readonly against: Strength; readonly ahead: number; readonly score: number };

/** Scores from 0 (lost) to 1 (won), or numbers that differ as strengths do. */
type Scores = 'outcomes' | 'numbers';

/**
 * The strength after games of one moment. Of outcomes by Glicko's equations (M. E. Glickman, "Parameter estimation in
 * large dynamic paired comparison experiments", Applied Statistics 48, 1999, section 3.3); of numbers, with noise of
 * variance 1, by Bayes' rule for normal distributions.
 */
export function strengthAfter({ mean, variance }: Strength, games: readonly Game[], scores: Scores): Strength {
  let [pull, precision] = [0, 0];
  for (const { against, ahead, score } of games) {
    const lead = mean - against.mean + ahead;
    if (scores === 'numbers') {
      const weight = 1 / (1 + against.variance);
      pull += weight * (score - lead);
      precision += weight;
    } else {
      const g = 1 / Math.sqrt(1 + (3 * against.variance) / Math.PI ** 2);
      const expected = 1 / (1 + Math.exp(-g * lead));
      pull += g * (score - expected);
      precision += g * g * expected * (1 - expected);
    }
  }
  const after = 1 / (1 / variance + precision);
  return { mean: mean + after * pull, variance: after };
}

/**
 * Rates rows by their outcomes, one moment after the other. Beside the strengths of the rows, what the first role is
 * ahead of the second is learned in the same way.
 */
function rate(graph: Graph, read: Rating): Ratings {
  const contests = contestsOf(graph, read);
  const scores = contests.every(({ score }) => score === 0 || score === 1) ? 'outcomes' : 'numbers';
  const growth = read.as === 'recent' ? drift : 0;
  const offsets = new Int32Array(graph.table(targetTable(graph, read.events)).rows + 1);
  for (const { first, second } of contests) {
    offsets[first + 1]++;
    offsets[second + 1]++;
  }
  for (let e = 1; e < offsets.length; e++) offsets[e] += offsets[e - 1];
  const next = offsets.slice(0, -1);
  const time = new Float64Array(contests.length * 2);
  const value = new Float64Array(contests.length * 2);
  const strengths = new Map<number, Strength>();
  const strengthOf = (row: number) => strengths.get(row) ?? { mean: 0, variance: priorVariance };
  const scale = openScale();
  let advantage: Strength = { mean: 0, variance: advantageVariance };
  for (let from = 0, to = 0; from < contests.length; from = to) {
    const { at } = contests[from];
    while (to < contests.length && contests[to].at === at) to++;
    const played = new Map<number, Game[]>();
    const ahead: Game[] = [];
    for (const { first, second, score } of contests.slice(from, to)) {
      const [one, two] = [strengthOf(first), strengthOf(second)];
      const told = scores === 'outcomes' ? score : (score - scale.mean()) / scale.deviation();
      const opposite = scores === 'outcomes' ? 1 - told : -told;
      gamesOf(played, first).push({ against: two, ahead: advantage.mean, score: told });
      gamesOf(played, second).push({ against: one, ahead: -advantage.mean, score: opposite });
      const apart = { mean: two.mean - one.mean, variance: one.variance + two.variance };
      ahead.push({ against: apart, ahead: 0, score: told });
    }
    for (const [row, games] of played) {
      const { mean, variance } = strengthOf(row);
      const after = strengthAfter({ mean, variance: variance + growth }, games, scores);
      strengths.set(row, after);
      time[next[row]] = at;
      value[next[row]++] = after.mean;
    }
    advantage = strengthAfter(advantage, ahead, scores);
    for (const { score } of contests.slice(from, to)) scale.add(score);
  }
  return { from: offsets, to: next, time, value };
}

function gamesOf(played: Map<number, Game[]>, row: number): Game[] {
  let games = played.get(row);
  if (!games) played.set(row, (games = []));
  return games;
}

function contestsOf(graph: Graph, { events, against, outcome }: Rating): Contest[] {
  const { table, via } = events;
  const other: Events = { table, via: [...via.slice(0, -1), against] };
  const [first, second] = [graph.index(events), graph.index(other)];
  const [ofFirst, ofSecond] = [graph.targets(events), graph.targets(other)];
  const label = graph.table(table).columns.get('label');
  assert(label && label.kind !== 'time', 'outcomes are numbers or classes');
  const wanted = label.kind === 'text' ? label.dictionary.indexOf(outcome!) : -1;
  const contests: Contest[] = [];
  for (let row = 0; row < ofFirst.length; row++) {
    const [a, b] = [ofFirst[row], ofSecond[row]];
    if (a < 0 || b < 0 || a === b) continue;
    const at = Math.max(first.moments?.[row] ?? Number.NaN, second.moments?.[row] ?? Number.NaN);
    const score = label.kind === 'text' ? Number(label.codes[row] === wanted) : label.values[row];
    if (!Number.isNaN(at) && !Number.isNaN(score)) contests.push({ first: a, second: b, score, at });
  }
  // The sort is stable: outcomes of one moment stay in the order of the rows.
  return contests.sort((a, b) => a.at - b.at);
}

/** The mean and deviation of the numbers so far (Welford); 1 until they differ. */
function openScale() {
  let [n, mean, squares] = [0, 0, 0];
  return {
    mean: () => mean,
    deviation: () => (n > 1 && squares > 0 ? Math.sqrt(squares / (n - 1)) : 1),
    add(x: number) {
      n++;
      const less = x - mean;
      mean += less / n;
      squares += less * (x - mean);
    },
  };
}
