import { Failure } from '../../lib/failure.ts';
import { type Random, sampleIndices, seedRandom } from '../statistics/random.ts';
import { bestPlaces, Candidates, candidatesMax, gatherCandidates } from './candidates.ts';
import { columnNames, fillColumns } from './columns.ts';
import { type LinkQuestion, type Period, questionsOf } from './facts.ts';
import { History } from './history.ts';
import { learnRules, openRules } from './rules.ts';
import type { LinkModel } from './scorer.ts';
import { type RankedExample, trainRanker } from './train-ranker.ts';

export type LinkOptions = {
  readonly entities: number;
  readonly relations: number;
  readonly halfLives: readonly [number, number, number];
  readonly seed: number;
  /** Number of cells of the largest table of rules, a power of two. */
  readonly ruleCells: number;
};

/**
 * The ranker learns from this last share of the facts, because by then the rules have seen about as much history as
 * later.
 */
const rankerShare = 0.4;
/**
 * Maximum number of questions (facts from either end) that the ranker learns from: 45,000 take about 600 MB and two
 * minutes.
 */
const rankerQuestionsMax = 45_000;
/** Of the false candidates, the example of a question holds the best guesses and a sample of the others. */
const likelyMax = 40;
const sampledMax = 25;

/**
 * Learns rules and a ranker from periods in time order. Every period is first asked about with what was known before it
 * and only then learned from, so the ranker sees candidates as it will in use. Throws Failure 'invalid' when no
 * question in the periods has both a true and a false candidate.
 */
export function fitLinks(
  periods: readonly Period[],
  { entities, relations, halfLives, seed, ruleCells }: LinkOptions,
  progress: (phase: string, done: number, of: number) => void,
): LinkModel {
  const history = new History(entities, relations, halfLives);
  const rules = openRules(ruleCells);
  const candidates = new Candidates(entities);
  const random = seedRandom(seed);
  const columns = new Float64Array(candidatesMax * columnNames.length);
  const sample = sampleForRanker(periods);
  const examples: RankedExample[] = [];
  for (const [at, period] of periods.entries()) {
    const questions = questionsOf(period, relations);
    if (at >= sample.from)
      for (const question of questions) {
        if (random() >= sample.share) continue;
        gatherCandidates(candidates, history, rules, question.subject, question.relation, period.time);
        fillColumns(columns, candidates, history, question.subject, question.relation, period.time);
        const example = exampleOf(question, candidates, columns, random);
        if (example !== null) examples.push(example);
      }
    learnRules(rules, history, questions, period.time);
    history.add(period);
    progress('counting the past', at + 1, periods.length);
  }
  if (examples.length === 0)
    throw new Failure(
      'invalid',
      'no fact of the past names an entity that earlier facts lead to: there is nothing to learn an order from',
    );
  const ranker = trainRanker(examples, columnNames.length, 2 * relations, seed, (done, of) =>
    progress('learning to rank', done, of),
  );
  return { entities, relations, halfLives, rules, ranker };
}

/**
 * The first period whose questions the ranker learns from, and the share of its and later questions that it uses, which
 * is below 1 when periods are large.
 */
function sampleForRanker(periods: readonly Period[]): { from: number; share: number } {
  const all = periods.reduce((sum, { subjects }) => sum + 2 * subjects.length, 0);
  const wanted = Math.min(rankerQuestionsMax, rankerShare * all);
  let [from, taken] = [periods.length, 0];
  while (from > 0 && taken < wanted) taken += 2 * periods[--from].subjects.length;
  return { from, share: wanted / taken };
}

/** The rows of a question to learn from; null when no candidate is true or none is false. */
function exampleOf(
  question: LinkQuestion,
  candidates: Candidates,
  columns: Float64Array,
  random: Random,
): RankedExample | null {
  const { size, places, guesses, entities } = candidates;
  const truths = new Uint8Array(size);
  for (const truth of question.truths) if (places[truth] > 0) truths[places[truth] - 1]++;
  const isTaken = Uint8Array.from(truths, (count) => (count > 0 ? 1 : 0));
  if (isTaken.every((is) => is === 1) || isTaken.every((is) => is === 0)) return null;
  for (const place of bestPlaces(guesses, size, entities, likelyMax)) isTaken[place] = 1;
  const rest = Int32Array.from(isTaken.keys()).filter((place) => isTaken[place] === 0);
  for (const at of sampleIndices(rest.length, Math.min(sampledMax, rest.length), random)) isTaken[rest[at]] = 1;
  const taken = Int32Array.from(isTaken.keys()).filter((place) => isTaken[place] === 1);
  const width = columnNames.length;
  const values = new Float32Array(taken.length * width);
  for (const [row, place] of taken.entries())
    values.set(columns.subarray(place * width, (place + 1) * width), row * width);
  return {
    relation: question.relation,
    rows: taken.length,
    values,
    truths: Uint8Array.from(taken, (place) => truths[place]),
  };
}
