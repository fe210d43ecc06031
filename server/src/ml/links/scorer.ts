import { Candidates, candidatesMax, gatherCandidates } from './candidates.ts';
import { columnNames, fillColumns } from './columns.ts';
import { type Period, questionsOf } from './facts.ts';
import { History } from './history.ts';
import { openPass, type Pass, type Ranker, scoreRows, standardise } from './ranker.ts';
import { learnRules, type RuleTables } from './rules.ts';

/** Everything that was learned; the facts themselves are not in it. */
export type LinkModel = {
  readonly entities: number;
  readonly relations: number;
  /** Fast, middle and slow, in steps. */
  readonly halfLives: readonly [number, number, number];
  readonly rules: RuleTables;
  readonly ranker: Ranker;
};

/**
 * The candidates of a question in no order, their columns (before they are standardised) and scores; until the next
 * question.
 */
export type ScoredQuestion = {
  readonly candidates: Candidates;
  readonly columns: Float64Array;
  readonly scores: Float64Array;
};

export type LinkScorer = {
  /**
   * Scores who may answer (subject, relation, ?) at `time`, after the periods observed so far, which all lie before.
   * relation: [0, 2 · relations), the upper half for the inverse ones. Scores of one question compare with each other
   * only.
   */
  score(subject: number, relation: number, time: number): ScoredQuestion;
  /** Whether (subject, relation, object) was observed. */
  hasSeen(subject: number, relation: number, object: number): boolean;
  /** How active each entity is at `time`, which orders those that are no candidates. */
  activity(time: number): Float64Array;
  /**
   * Makes a period history, once all of it was asked about; where the scorer follows the past its rules learn of it
   * first.
   */
  observe(period: Period): void;
};

/**
 * Opens a scorer after `past`, the periods the model has learned from or any other history. followsPast: whether rules
 * go on learning from what is observed, which changes the model's tables; otherwise they stay as they are and only the
 * facts of the past are read. The ranker always stays as it is.
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
