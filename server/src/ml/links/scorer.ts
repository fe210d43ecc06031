import { Candidates, candidatesMax, gatherCandidates } from './candidates.ts';
import { columnNames, fillColumns } from './columns.ts';
import { type Period, questionsOf } from './facts.ts';
import { History } from './history.ts';
import { openPass, type Pass, type Ranker, scoreRows, standardise } from './ranker.ts';
import { learnRules, type RuleTables } from './rules.ts';

/** Everything that was learned. It does not contain the facts. */
export type LinkModel = {
  readonly entities: number;
  readonly relations: number;
  /** Fast, middle and slow half-life, in steps. */
  readonly halfLives: readonly [number, number, number];
  readonly rules: RuleTables;
  readonly ranker: Ranker;
};

/**
 * The candidates of a question in no particular order, with their columns (before standardisation) and scores. Valid
 * until the next question.
 */
export type ScoredQuestion = {
  readonly candidates: Candidates;
  readonly columns: Float64Array;
  readonly scores: Float64Array;
};

export type LinkScorer = {
  /**
   * Scores the candidates for (subject, relation, ?) at `time`, which must be later than all periods observed so far.
   * relation: [0, 2 · relations), the upper half for the inverse ones. Scores are comparable only within one question.
   */
  score(subject: number, relation: number, time: number): ScoredQuestion;
  /** Whether (subject, relation, object) was observed. */
  hasSeen(subject: number, relation: number, object: number): boolean;
  /** The activity of each entity at `time`, by which entities that are no candidates are ordered. */
  activity(time: number): Float64Array;
  /**
   * Adds a period to the history; call it after all questions about the period. When the scorer follows the past, its
   * rules first learn from the period.
   */
  observe(period: Period): void;
};

/**
 * Opens a scorer after `past`: the periods the model has learned from, or any other history. followsPast: whether rules
 * go on learning from observed periods, which changes the model's tables. Otherwise the tables stay as they are and
 * only the facts of the past are read. The ranker never changes.
 */
export function openLinkScorer(model: LinkModel, past: readonly Period[], followsPast: boolean): LinkScorer {
  const { entities, relations, halfLives, rules, ranker } = model;
  const history = new History(entities, relations, halfLives);
  for (const period of past) history.add(period);
  const candidates = new Candidates(entities);
  const columns = new Float64Array(candidatesMax * columnNames.length);
  const standard = new Float64Array(columns.length);
  const pass: Pass = openPass(candidatesMax, ranker.layout);
  return {
    score(subject, relation, time) {
      gatherCandidates(candidates, history, rules, subject, relation, time);
      fillColumns(columns, candidates, history, subject, relation, time);
      standard.set(columns.subarray(0, candidates.size * columnNames.length));
      standardise(ranker, standard, candidates.size);
      scoreRows(ranker, pass, relation, standard, candidates.size);
      return { candidates, columns, scores: pass.scores };
    },
    hasSeen: (subject, relation, object) => history.edge(subject, relation, object) >= 0,
    activity(time) {
      history.standAt(time);
      const slow = halfLives.length - 1;
      return Float64Array.from({ length: entities }, (_, entity) =>
        history.counts.decayed(history.entity(entity), slow, time),
      );
    },
    observe(period) {
      if (followsPast) learnRules(rules, history, questionsOf(period, relations), period.time);
      history.add(period);
    },
  };
}
