// Evaluates link prediction on a graph one step ahead, by the protocol of temporal knowledge graph extrapolation.
import { columnNames, views } from './columns.ts';
import { type Period, questionsOf, type TemporalGraph } from './facts.ts';
import { fitLinks } from './fit.ts';
import { chooseHalfLives } from './half-life.ts';
import { type RankMeasures, rankByView, rankTruth, Tally } from './metrics.ts';
import { copyRules, pathCells } from './rules.ts';
import { type LinkScorer, openLinkScorer } from './scorer.ts';

/** What may change after training has ended. */
export const policies = {
  follow:
    'Facts of earlier periods are read. Counts, profiles of whom entities met, and the confidences of rules are updated after every whole period has been scored, validation and test periods included. Fixed after the end of train: the weights and scaling of the ranker; half-lives, chosen on valid.',
  fixed:
    'Facts of earlier periods are read as the history of a question, as the single-step protocol allows: which edges there were, how often and when, as counts decayed by age and profiles of whom entities met. Fixed after the end of train: the confidences of rules (hits and bodies of every table), the weights and scaling of the ranker; half-lives, chosen on valid. Nothing is learned from whether an answer came true.',
} as const;

export type Policy = keyof typeof policies;

export type PartReport = {
  readonly ranker: RankMeasures;
  readonly by_direction: { readonly object: RankMeasures; readonly subject: RankMeasures };
  /** Separately for whether (s, r, o) was seen in an earlier period. */
  readonly by_novelty: { readonly repeated: RankMeasures; readonly new: RankMeasures };
  readonly by_view: Readonly<Record<string, RankMeasures>>;
  /** The share of truths that are among the candidates, and the mean number of candidates of a question. */
  readonly candidate_recall: number;
  readonly candidates_mean: number;
};

export type LinkReport = {
  readonly protocol: string;
  readonly graph: Readonly<Record<string, number>>;
  readonly chosen: {
    readonly step: number;
    readonly half_lives: readonly number[];
    readonly half_lives_tried: readonly { half_life: number; mrr: number }[];
    readonly seed: number;
  };
  readonly policies: Partial<
    Record<Policy, { readonly means: string; readonly valid: PartReport; readonly test?: PartReport }>
  >;
  readonly warnings: readonly string[];
};

const protocol =
  'Single-step extrapolation: every fact of the part is asked from both ends, (s, r, ?, t) and (?, r, o, t), with facts of periods before t. The true entity is ranked among all entities; other entities that are true for the same question at t are passed over (time-aware filter); ties get the average rank. Views order candidates by one number, all other entities tie behind. Standard errors are of the MRR over whole periods.';

export type EvaluateOptions = {
  readonly policies: readonly Policy[];
  /** Whether the test facts are left out. */
  readonly validOnly: boolean;
  readonly seed: number;
};

/** Trains on train, chooses on valid, and evaluates predictions on valid and test. */
export function evaluateLinks(
  graph: TemporalGraph,
  { policies: asked, validOnly, seed }: EvaluateOptions,
  progress: (phase: string, done: number, of: number) => void,
): LinkReport {
  const { entities, relations, step, train, valid, test } = graph;
  const { halfLives, tried } = chooseHalfLives(train, valid, entities, relations);
  const model = fitLinks(train, { entities, relations, halfLives, seed, ruleCells: pathCells }, progress);
  const reports: LinkReport['policies'] = {};
  for (const policy of asked) {
    const scorer = openLinkScorer({ ...model, rules: copyRules(model.rules) }, train, policy === 'follow');
    const evaluate = (part: string, periods: readonly Period[]) =>
      evaluatePeriods(scorer, periods, graph, (done) => progress(`scoring ${part}, ${policy}`, done, periods.length));
    reports[policy] = {
      means: policies[policy],
      valid: evaluate('valid', valid),
      ...(!validOnly && { test: evaluate('test', test) }),
    };
  }
  const facts = (periods: readonly Period[]) => periods.reduce((sum, { subjects }) => sum + subjects.length, 0);
  return {
    protocol,
    graph: { entities, relations, train: facts(train), valid: facts(valid), test: facts(test) },
    chosen: { step, half_lives: halfLives, half_lives_tried: tried, seed },
    policies: reports,
    warnings: graph.warnings,
  };
}

/** Asks about every period and then lets the scorer observe it. */
function evaluatePeriods(
  scorer: LinkScorer,
  periods: readonly Period[],
  { entities, relations }: TemporalGraph,
  progress: (done: number) => void,
): PartReport {
  const all = new Tally();
  const directions = { object: new Tally(), subject: new Tally() };
  const novelty = { repeated: new Tally(), new: new Tally() };
  const viewed = views.map((view) => ({ ...view, at: columnNames.indexOf(view.column), tally: new Tally() }));
  const isTruth = new Uint8Array(entities);
  let [found, asked, questions, gathered] = [0, 0, 0, 0];
  for (const [at, period] of periods.entries()) {
    const activity = scorer.activity(period.time);
    for (const { subject, relation, truths } of questionsOf(period, relations)) {
      const { candidates, columns, scores } = scorer.score(subject, relation, period.time);
      for (const truth of truths) isTruth[truth] = 1;
      const distinct = new Set(truths).size;
      for (const truth of truths) {
        const rank = rankTruth(truth, isTruth, candidates, (place) => scores[place], activity);
        const isRepeated = scorer.hasSeen(subject, relation, truth);
        all.add(rank, period.time);
        directions[relation < relations ? 'object' : 'subject'].add(rank, period.time);
        novelty[isRepeated ? 'repeated' : 'new'].add(rank, period.time);
        for (const { at: column, least, tally } of viewed) {
          const score = (place: number) => columns[place * columnNames.length + column];
          tally.add(rankByView(truth, isTruth, candidates, score, { least, entities, truths: distinct }), period.time);
        }
        if (candidates.places[truth] > 0) found++;
      }
      for (const truth of truths) isTruth[truth] = 0;
      asked += truths.length;
      questions++;
      gathered += candidates.size;
    }
    scorer.observe(period);
    progress(at + 1);
  }
  return {
    ranker: all.measures(),
    by_direction: { object: directions.object.measures(), subject: directions.subject.measures() },
    by_novelty: { repeated: novelty.repeated.measures(), new: novelty.new.measures() },
    by_view: Object.fromEntries(viewed.map(({ name, tally }) => [name, tally.measures()])),
    candidate_recall: found / asked,
    candidates_mean: gathered / questions,
  };
}
