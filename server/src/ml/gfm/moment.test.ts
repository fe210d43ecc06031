import { expect, test } from 'vitest';
import { seedRandom } from '../trees/random.ts';
import { partsOf } from './encoder.ts';
import { openBook } from './facts/book.ts';
import { fitEncoder } from './fit.ts';
import { openFactGraph } from './graph.ts';
import { openMoment } from './moment.ts';
import { dayAt, sampleStore, smallSizes } from './samples.ts';
import { signatureSeeds } from './signatures.ts';

test('who is tied closely to one another has a place in common, also who came last and who is tied to one alone', () => {
  const random = seedRandom(4);
  const book = openBook();
  const [communities, size] = [6, 12];
  const company = Array.from({ length: communities * size }, (_, c) => book.entityFor('company', `c${c}`));
  const add = (subject: number, relation: string, object: number, day: number) => {
    const fact = { subject, relation, object, from: dayAt(day), to: Number.NaN, weight: 1, knownAt: 0 };
    book.addFact(fact, 'lasting');
  };
  const member = (community: number) => company[community * size + Math.floor(random() * size)]!;
  for (const [c, each] of company.entries()) {
    const community = Math.floor(c / size);
    // The last of each community comes when everything was learned.
    const day = c % size === size - 1 ? 500 : 100 + c;
    for (let i = 0; i < 4; i++) add(member(community), 'supplies', each, day + i);
    if (c % size === 0) add(member((community + 1) % communities), 'supplies', each, day);
    add(each, 'employs', book.entityFor('individual', `p${c}`), day);
  }
  const graph = openFactGraph(book.finish(true, []));
  const { encoder } = fitEncoder(graph, { until: dayAt(300), sizes: { ...smallSizes, place: 32 } });
  const moment = openMoment(graph, encoder, signatureSeeds(graph), dayAt(600));
  const { start, size: length } = partsOf(encoder).find(({ name }) => name === 'place')!;
  const placeOf = (entity: number) => {
    const raw = new Float64Array(moment.size);
    moment.encode(entity, raw);
    return raw.subarray(start, start + length);
  };
  const cosine = (a: number, b: number) => {
    const [x, y] = [placeOf(a), placeOf(b)];
    return x.reduce((sum, value, k) => sum + value * y[k]!, 0) / (Math.hypot(...x) * Math.hypot(...y));
  };
  for (let community = 0; community < communities; community++) {
    const [late, own, other] = [size - 1, 3, size + 3].map((c) => company[(community * size + c) % company.length]!);
    const employee = graph.store.entities.numberOf('individual', `p${community * size + 5}`)! - 1;
    for (const each of [late!, employee]) expect(cosine(each, own!)).toBeGreaterThan(cosine(each, other!) + 0.3);
  }
});

test('what was let go while others were encoded is computed again, to the same bits', () => {
  const graph = openFactGraph(sampleStore());
  const { encoder } = fitEncoder(graph, { until: dayAt(600), sizes: smallSizes });
  const seeds = signatureSeeds(graph);
  const [whole, short] = [
    openMoment(graph, encoder, seeds, dayAt(600)),
    openMoment(graph, encoder, seeds, dayAt(600), 4_096),
  ];
  for (let entity = 0; entity < graph.entities; entity++) {
    const [a, b] = [new Float64Array(whole.size), new Float64Array(short.size)];
    expect(whole.encode(entity, a)).toBe(short.encode(entity, b));
    expect(b).toEqual(a);
  }
});
