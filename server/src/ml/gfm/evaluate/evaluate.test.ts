import { expect, test } from 'vitest';
import { dayAt, sampleStore } from '../../../../tests/support/samples/gfm.ts';
import { seedRandom } from '../../statistics/random.ts';
import type { Embedder } from '../embed.ts';
import { openBook } from '../facts/book.ts';
import { openFactGraph } from '../graph.ts';
import { measureLinks } from './links.ts';
import { neighbourRecall } from './prefixes.ts';
import { solveRidgeMap } from './ridge-map.ts';
import { shuffleObjects } from './shuffle.ts';

test('shuffled ends keep how many facts everybody has, of what and when they began', () => {
  const store = sampleStore({ companies: 60 });
  const shuffled = shuffleObjects(store, 1);
  const { facts } = shuffled;
  const halfYear = (fact: number) => Math.floor(facts.from[fact] / dayAt(182));
  const counts = (ends: Int32Array) => {
    const found = new Map<string, number>();
    for (const [fact, end] of ends.entries()) {
      const key = `${end} ${facts.relation[fact]} ${halfYear(fact)}`;
      found.set(key, (found.get(key) ?? 0) + 1);
    }
    return found;
  };
  expect(counts(facts.object)).toEqual(counts(store.facts.object));
  expect(facts.subject).toEqual(store.facts.subject);
  const moved = facts.object.filter((object, fact) => object !== store.facts.object[fact]).length;
  expect(moved / facts.object.length).toBeGreaterThan(0.5);
});

test('a ridge map finds the linear map that pairs were made by, with more pairs than numbers and with fewer', () => {
  const random = seedRandom(3);
  const vector = () => Float32Array.from({ length: 1024 }, () => random() - 0.5);
  // Outputs are the inputs with adjacent numbers swapped.
  const swapped = (input: Float32Array) => input.map((_, k) => input[k ^ 1]);
  for (const [dimension, pairs] of [
    [16, 200],
    [64, 40],
  ] as const) {
    const made = Array.from({ length: pairs }, () => {
      const input = vector();
      return { input, output: swapped(input) };
    });
    const map = solveRidgeMap(made, dimension, 1e-6);
    const { input, output } = dimension === 16 ? { input: vector(), output: null } : made[0];
    const wanted = (output ?? swapped(input)).subarray(0, dimension);
    const norm = (values: ArrayLike<number>) => Math.hypot(...Array.from(values));
    const found = map(input);
    const cosine = wanted.reduce((sum, value, k) => sum + value * found[k], 0) / norm(wanted) / norm(found);
    expect(cosine).toBeCloseTo(1, 6);
  }
});

/** An embedder with given vectors. */
function embedderOf(vectorOf: (entity: number) => Float32Array): Pick<Embedder, 'embedAll'> {
  return { embedAll: (entities) => entities.map(vectorOf) };
}

test('recall is what of the ten nearest a prefix keeps', () => {
  const random = seedRandom(1);
  const first = Array.from({ length: 60 }, () => Float32Array.from({ length: 16 }, () => random() - 0.5));
  const short = embedderOf((entity) => {
    const vector = new Float32Array(1024);
    vector.set(first[entity]);
    return vector;
  });
  const all = Array.from({ length: 60 }, (_, i) => i);
  expect(neighbourRecall(short, all, [0, 7, 30], 0).map(({ recall }) => recall)).toEqual([1, 1, 1, 1, 1, 1, 1]);
  const long = embedderOf((entity) => {
    const vector = new Float32Array(1024);
    vector.set(first[entity], 1000);
    vector.set(
      first[(entity * 7) % 60].map((value) => value / 100),
      0,
    );
    return vector;
  });
  const shares: number[] = [];
  const recalls = neighbourRecall(long, all, all, 0, (done, of) => shares.push(done / of));
  // Each prefix length is searched twice, and the whole vector once; progress is reported at the start of every search.
  expect(shares.length).toBeGreaterThanOrEqual(15);
  expect(shares).toEqual(shares.toSorted((a, b) => a - b));
  expect(shares.at(-1)).toBeLessThan(1);
  expect(recalls[0].recall).toBe(1);
  expect(recalls.at(-1)!.recall).toBeLessThan(0.5);
  // Sixteen numbers explain nearly everything if they are the right axes.
  expect(recalls.at(-1)!.optimum).toBeGreaterThan(0.9);
});

test('links after t are predicted from what was known at t, among those known then', () => {
  // Askers buy from a seller of their colour; vectors encode the colour.
  const colours = 4;
  const askers = 80;
  const book = openBook();
  const seller = Array.from({ length: 60 }, (_, i) => book.entityFor('company', `s${i}`));
  const buyer = Array.from({ length: askers }, (_, i) => book.entityFor('individual', `b${i}`));
  const fact = (from: number, i: number, round: number) => {
    const own = seller[(i % colours) + colours * ((i * 5 + round * 7) % 15)];
    book.addFact(
      { subject: buyer[i], relation: 'buys', object: own, from: dayAt(from), to: dayAt(from), weight: 1, knownAt: 0 },
      'momentary',
    );
  };
  for (const s of seller)
    book.addFact(
      { subject: s, relation: 'opens', object: s, from: dayAt(1), to: dayAt(1), weight: 1, knownAt: 0 },
      'momentary',
    );
  for (let i = 0; i < askers; i++) for (let round = 0; round < 4; round++) fact(100 + round * 160, i, round);
  for (let i = 0; i < askers; i++) fact(900, i, 9);
  const graph = openFactGraph(book.finish(true, []));
  const telling = embedderOf((entity) => {
    const vector = new Float32Array(1024);
    vector[(entity < 60 ? entity : entity - 60) % colours] = 1;
    return vector;
  });
  const options = { t: dayAt(800), until: dayAt(1000), dimensions: [16] };
  const whole = (vector: Float32Array, _kind: number, dimension: number) =>
    Float64Array.from(vector.subarray(0, dimension));
  const told: string[] = [];
  const [measured] = measureLinks(graph, telling, whole, options, (phase, done, of) =>
    told.push(`${phase} ${done}/${of}`),
  );
  const quarters = [0, 1, 2, 3, 4, 5, 6, 7].map((quarter) => `reading links of the past ${quarter}/8`);
  expect(told).toEqual([...quarters, 'predicting links 0/1']);
  expect(measured).toMatchObject({ relation: 'buys', inverse: false, questions: askers, candidates: 60 });
  expect(measured!.random).toBeCloseTo(0.078, 3);
  // One of fifteen sellers of the colour; ties count at their mean rank.
  expect(measured!.embedding.at(-1)!.mrr).toBeGreaterThan(0.12);
  const silent = embedderOf(() => new Float32Array(1024).fill(1));
  const [guessed] = measureLinks(graph, silent, whole, options);
  expect(guessed!.embedding.at(-1)!.mrr).toBeLessThan(0.05);
});
