import { expect, test } from 'vitest';
import { periodsOfRows, sampleFacts } from '../../../tests/support/samples/links.ts';
import { inverseOf } from './facts.ts';
import { History } from './history.ts';
import { likenesses } from './profiles.ts';

const [entities, relations, halfLife] = [40, 4, 15];
const rows = sampleFacts(6, { entities, relations, moments: 30, facts: 6 });
const periods = periodsOfRows(rows);

/** A sparse vector: weights by name. */
type Sparse = ReadonlyMap<string, number>;

function plus(...parts: readonly (readonly [Sparse, number])[]): Sparse {
  const sum = new Map<string, number>();
  for (const [vector, weight] of parts)
    for (const [name, value] of vector) sum.set(name, (sum.get(name) ?? 0) + weight * value);
  return sum;
}

function cosine(a: Sparse, b: Sparse): number {
  const dot = (x: Sparse, y: Sparse) => [...x].reduce((sum, [name, value]) => sum + value * (y.get(name) ?? 0), 0);
  const length = Math.sqrt(dot(a, a) * dot(b, b));
  return length === 0 ? 0 : dot(a, b) / length;
}

const edges = rows.flatMap(([s, r, o, time]) => [
  { from: s, by: r, to: o, time },
  { from: o, by: inverseOf(r, relations), to: s, time },
]);
const share = (since: number, now: number) => 2 ** ((since - now) / halfLife);

/** The profile by its definition, without signatures: what an entity was seen with before `now`. */
function profileOf(entity: number, now: number, kind: 'relations' | 'neighbours'): Sparse {
  const activity = (other: number, at: number) =>
    edges.reduce((sum, { from, time }) => sum + (from === other && time <= at ? share(time, at) : 0), 0);
  return plus(
    ...edges
      .filter(({ from, time }) => from === entity && time < now)
      .map(({ by, to, time }): [Sparse, number] =>
        kind === 'relations'
          ? [new Map([[`${by}`, 1]]), share(time, now)]
          : [new Map([[`${to}`, 1]]), share(time, now) / Math.sqrt(activity(to, time))],
      ),
  );
}

function answersOf(isAsked: (edge: (typeof edges)[number]) => boolean, now: number, kind: 'relations' | 'neighbours') {
  return plus(
    ...edges
      .filter((edge) => edge.time < now && isAsked(edge))
      .map(({ to, time }): [Sparse, number] => {
        const profile = profileOf(to, time, kind);
        const length = Math.sqrt([...profile.values()].reduce((sum, value) => sum + value * value, 0));
        return [profile, length === 0 ? 0 : share(time, now) / length];
      }),
  );
}

test('likenesses are the cosines of what was met, but for the noise of signatures', () => {
  const history = new History(entities, relations, [1, 5, halfLife]);
  for (const period of periods) history.add(period);
  const now = 30;
  const out = new Float64Array(likenesses);
  const gaps = Array.from({ length: likenesses }, (): number[] => []);
  const exact = Array.from({ length: likenesses }, (): number[] => []);
  for (const [subject, relation] of edges.slice(-12).map(({ from, by }) => [from, by])) {
    const [r, s] = [relation, subject];
    const asked = {
      r: (edge: (typeof edges)[number]) => edge.by === r,
      s: (edge: (typeof edges)[number]) => edge.from === s,
    };
    const both = (edge: (typeof edges)[number]) => asked.r(edge) && asked.s(edge);
    const against = [
      answersOf(asked.r, now, 'relations'),
      answersOf(both, now, 'relations'),
      answersOf(both, now, 'neighbours'),
      answersOf(asked.s, now, 'neighbours'),
      answersOf(asked.r, now, 'neighbours'),
      profileOf(subject, now, 'neighbours'),
    ];
    for (let object = 0; object < entities; object += 3) {
      history.profiles.liken(out, history.side(subject, relation), subject, relation, object);
      for (const [at, profile] of against.entries()) {
        const expected = cosine(profileOf(object, now, at < 2 ? 'relations' : 'neighbours'), profile);
        exact[at].push(expected);
        gaps[at].push(Math.abs(out[at] - expected));
      }
    }
  }
  const mean = (values: number[]) => values.reduce((a, b) => a + b) / values.length;
  for (let at = 0; at < likenesses; at++) {
    // The mean of |noise| is 0.8 / √width: 0.14 for relations and 0.07 for neighbours, less when vectors are similar.
    expect(mean(gaps[at])).toBeLessThan(at < 2 ? 0.15 : 0.08);
    expect(Math.max(...exact[at]) - Math.min(...exact[at])).toBeGreaterThan(0.4);
  }
});

test('nothing is alike to what was never seen', () => {
  const history = new History(entities, relations, [1, 5, halfLife]);
  const out = new Float64Array(likenesses).fill(7);
  history.profiles.liken(out, history.side(1, 2), 1, 2, 3);
  expect(out).toEqual(new Float64Array(likenesses));
});
