/**
 * Facts of a question's own period or later must not change a bit of its candidates, columns or scores. Each planted
 * fact is also planted early, where it must change something, so that a test that detects nothing fails.
 */
import { expect, test } from 'vitest';
import { periodsOfRows, sampleFacts } from '../../../tests/support/samples/links.ts';
import { columnNames } from './columns.ts';
import { type Period, questionsOf } from './facts.ts';
import { fitLinks } from './fit.ts';
import { copyRules } from './rules.ts';
import { type LinkModel, openLinkScorer } from './scorer.ts';

const [entities, relations] = [60, 3];
const options = { entities, relations, halfLives: [1, 5, 25], seed: 3, ruleCells: 2 ** 18 } as const;
const rows = sampleFacts(8, { entities, relations, moments: 40, facts: 8 });
const periods = periodsOfRows(rows);
const trained = periods.slice(0, 30);
const model = fitLinks(trained, options, () => {});
const questions = questionsOf(periods[35], relations);

/** Everything the scorer returns for a period's questions after the periods before it. */
function saidOf(at: number, all: readonly Period[], followsPast = true, own: LinkModel = model): unknown[] {
  const scorer = openLinkScorer({ ...own, rules: copyRules(own.rules) }, all.slice(0, 30), followsPast);
  for (const period of all.slice(30)) if (period.time < at) scorer.observe(period);
  return questions.map(({ subject, relation }) => {
    const { candidates, columns, scores } = scorer.score(subject, relation, at);
    return {
      entities: candidates.entities.slice(0, candidates.size),
      columns: columns.slice(0, candidates.size * columnNames.length),
      scores: scores.slice(0, candidates.size),
      activity: scorer.activity(at),
    };
  });
}

const planted = (time: number) => [7, 1, 9, time];
const asked = saidOf(35, periods);

test('facts of the own period and of later ones move nothing', () => {
  const later = periodsOfRows([...rows, ...[35, 36, 39].flatMap((time) => [planted(time), planted(time)])]);
  expect(saidOf(35, later)).toEqual(asked);
  const alone = periodsOfRows(rows.filter(([, , , time], at) => time < 35 || (time === 35 && at % 8 === 0)));
  expect(saidOf(35, alone)).toEqual(asked);
});

test('the same fact planted before moves something', () => {
  for (const time of [34, 31, 12]) expect(saidOf(35, periodsOfRows([...rows, planted(time)]))).not.toEqual(asked);
});

test('what was learned does not depend on what comes after the periods it was learned from', () => {
  const fitted = (facts: number[][]) => fitLinks(periodsOfRows(facts).slice(0, 30), options, () => {});
  const same = fitted([...rows, planted(30), planted(35)]);
  expect(same.ranker).toEqual(model.ranker);
  expect(sumsOf(same)).toEqual(sumsOf(model));
  const other = fitted([...rows, planted(12)]);
  expect(other.ranker.parameters).not.toEqual(model.ranker.parameters);
  expect(sumsOf(other)).not.toEqual(sumsOf(model));
});

test('with everything fixed the rules stay as they were, and the facts of the past are read all the same', () => {
  const fixed = saidOf(35, periods, false);
  expect(fixed).not.toEqual(asked);
  const own = { ...model, rules: copyRules(model.rules) };
  const scorer = openLinkScorer(own, trained, false);
  for (const period of periods.slice(30)) scorer.observe(period);
  expect(sumsOf(own)).toEqual(sumsOf(model));
  expect(saidOf(35, periodsOfRows([...rows, planted(34)]), false)).not.toEqual(fixed);
});

test('the order of rows in a file and of questions moves nothing', () => {
  expect(saidOf(35, periodsOfRows(rows.toReversed()))).toEqual(asked);
  questions.reverse();
  const backwards = saidOf(35, periods);
  questions.reverse();
  expect(backwards.toReversed()).toEqual(asked);
});

/**
 * Sums of the tables, weighted by position: comparing half a million numbers one by one takes the test runner seconds.
 */
function sumsOf({ rules }: LinkModel): number[] {
  return [rules.edge, rules.edgeBackOff, rules.path, rules.pathBackOff].map((table) =>
    table.reduce((sum, count, at) => (count === 0 ? sum : sum + count * ((at % 65_521) + 1)), 0),
  );
}
