import { expect, test } from 'vitest';
import { periodsOfRows, sampleFacts } from '../../../tests/support/samples/links.ts';
import { questionsOf } from './facts.ts';
import { History } from './history.ts';
import { edgeConfidence, learnRules, openRules, pathConfidence, walkEdges, walkPaths } from './rules.ts';

const [entities, relations, middle] = [12, 2, 4];
const rows = sampleFacts(3, { entities, relations, moments: 25, facts: 5 });
const periods = periodsOfRows(rows);
const now = 25;

type Edge = {
  readonly from: number;
  readonly by: number;
  readonly to: number;
  readonly last: number;
  readonly times: number;
};

/** The distinct edges before a time, from both ends, the latest first, by a scan of all rows. */
function edgesBefore(time: number): Edge[] {
  const found = new Map<string, Edge>();
  for (const [subject, relation, object, at] of rows) {
    if (at >= time) continue;
    for (const [from, by, to] of [
      [subject, relation, object],
      [object, relation + relations, subject],
    ]) {
      const key = `${from},${by},${to}`;
      found.set(key, { from, by, to, last: at, times: (found.get(key)?.times ?? 0) + 1 });
    }
  }
  return [...found.values()];
}

const bucket = (value: number, bounds: readonly number[]) => bounds.filter((bound) => value > bound).length;

/** The rules whose bodies hold for a question, as texts with and without ages, and the entities they lead to. */
function bodiesOf(subject: number, relation: number, time: number): { rule: string; plain: string; to: number }[] {
  const edges = edgesBefore(time);
  const age = (edge: Edge, bounds: number[]) => bucket((time - edge.last) / middle, bounds);
  const one = edges
    .filter(({ from }) => from === subject)
    .map((edge) => {
      const plain = `${relation} if ${edge.by}`;
      const count = edge.times === 1 ? 'once' : edge.times <= 3 ? 'few' : edge.times <= 9 ? 'more' : 'many';
      return { rule: `${plain} ${age(edge, [0.05, 0.15, 0.35, 0.75, 1.5, 4.5, 9])} ${count}`, plain, to: edge.to };
    });
  const isRecent = (edge: Edge) => time - edge.last <= 6 * middle;
  const two = edges
    .filter((edge) => edge.from === subject && isRecent(edge))
    .flatMap((first) =>
      edges
        .filter((second) => second.from === first.to && second.to !== subject && isRecent(second))
        .map((second) => {
          const plain = `${relation} if ${first.by} then ${second.by}`;
          const ages = [first, second].map((edge) => age(edge, [0.15, 0.7, 2.25]));
          return { rule: `${plain} ${ages}`, plain, to: second.to };
        }),
    );
  return [...one, ...two];
}

test('confidences are hits over bodies of all questions asked before, drawn to the rule without ages', () => {
  const history = new History(entities, relations, [1, middle, 20]);
  const rules = openRules(2 ** 22);
  const tried = new Map<string, [body: number, hits: number]>();
  for (const period of periods) {
    const questions = questionsOf(period, relations);
    for (const { subject, relation, truths } of questions) {
      for (const { rule, plain, to } of bodiesOf(subject, relation, period.time))
        for (const key of [rule, plain]) {
          const [body, hits] = tried.get(key) ?? [0, 0];
          tried.set(key, [body + 1, hits + (truths.includes(to) ? 1 : 0)]);
        }
    }
    learnRules(rules, history, questions, period.time);
    history.add(period);
  }
  const expected = (rule: string, plain: string) => {
    const isPath = rule.includes('then');
    const [body, hits] = tried.get(rule) ?? [0, 0];
    const [wideBody, wideHits] = tried.get(plain) ?? [0, 0];
    const prior = isPath ? (wideHits + 0.01) / (wideBody + 10) : (wideHits + 0.02) / (wideBody + 2);
    const strength = isPath ? 10 : 5;
    return (hits + strength * prior) / (body + strength);
  };
  const listed = (found: { to: number; confidence: number }[]) =>
    found.map(({ to, confidence }) => `${to} ${confidence.toFixed(12)}`).sort();
  let compared = 0;
  for (let subject = 0; subject < entities; subject++) {
    for (let relation = 0; relation < 2 * relations; relation++) {
      const found: { to: number; confidence: number }[] = [];
      walkEdges(rules, history, subject, relation, now, (to, _body, cell, backOff) => {
        found.push({ to, confidence: edgeConfidence(rules, cell, backOff) });
      });
      walkPaths(rules, history, subject, relation, now, (to, cell, backOff) => {
        found.push({ to, confidence: pathConfidence(rules, cell, backOff) });
      });
      const bodies = bodiesOf(subject, relation, now);
      expect(listed(found)).toEqual(
        listed(bodies.map(({ rule, plain, to }) => ({ to, confidence: expected(rule, plain) }))),
      );
      compared += bodies.length;
    }
  }
  expect(compared).toBeGreaterThan(1_000);
  expect([...tried.values()].filter(([, hits]) => hits > 1).length).toBeGreaterThan(50);
});
