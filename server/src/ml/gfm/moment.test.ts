import { expect, test } from 'vitest';
import { dayAt, sampleStore, smallSizes } from '../../../tests/support/samples/gfm.ts';
import { seedRandom } from '../statistics/random.ts';
import { boldPlaces, type Encoder, partsOf } from './encoder.ts';
import { type FactBook, openBook } from './facts/book.ts';
import { fitEncoder } from './fit.ts';
import { type FactGraph, openFactGraph } from './graph.ts';
import { openMoment } from './moment.ts';
import { addSignature, signatureSeeds } from './signatures.ts';

const [communities, size] = [6, 12];

/**
 * Companies that buy from others of their community and employ somebody. `strangers`: the number of sales across
 * communities on day 700.
 */
function communitiesBook(strangers = 0): FactBook {
  const random = seedRandom(4);
  const book = openBook();
  const company = Array.from({ length: communities * size }, (_, c) => book.entityFor('company', `c${c}`));
  const add = (subject: number, relation: string, object: number, day: number) => {
    const fact = { subject, relation, object, from: dayAt(day), to: Number.NaN, weight: 1, knownAt: 0 };
    book.addFact(fact, 'lasting');
  };
  const member = (community: number) => company[community * size + Math.floor(random() * size)];
  for (const [c, each] of company.entries()) {
    const community = Math.floor(c / size);
    // The last company of each community appears after the encoder is fitted.
    const day = c % size === size - 1 ? 500 : 230 + c / 2;
    for (let i = 0; i < 4; i++) add(member(community), 'supplies', each, day + i);
    if (c % size === 0) add(member((community + 1) % communities), 'supplies', each, day);
    add(each, 'employs', book.entityFor('individual', `p${c}`), day);
  }
  for (let i = 0; i < strangers; i++) add(member(i % communities), 'supplies', member((i + 3) % communities), 700);
  return book;
}

/** The place part of raw vectors at t, with its factors. */
function placesAt(graph: FactGraph, encoder: Encoder, t: number): (entity: number) => Float64Array {
  const moment = openMoment(graph, encoder, signatureSeeds(graph), t);
  const { start, size: length } = partsOf(encoder).find(({ name }) => name === 'place')!;
  return (entity) => {
    const raw = new Float64Array(moment.size);
    moment.encode(entity, raw);
    return raw.subarray(start, start + length);
  };
}

test('who is tied closely to one another has a place in common, also who came last and who is tied to one alone', () => {
  const graph = openFactGraph(communitiesBook().finish(true, []));
  const { encoder } = fitEncoder(graph, { until: dayAt(300), sizes: smallSizes });
  const placeOf = placesAt(graph, encoder, dayAt(600));
  const numberOf = (kind: 'company' | 'individual', id: string) => graph.store.entities.numberOf(kind, id)! - 1;
  const cosine = (a: number, b: number) => {
    const [x, y] = [placeOf(a), placeOf(b)];
    return x.reduce((sum, value, k) => sum + value * y[k], 0) / (Math.hypot(...x) * Math.hypot(...y));
  };
  for (let community = 0; community < communities; community++) {
    const [late, own, other] = [size - 1, 3, size + 3].map((c) =>
      numberOf('company', `c${(community * size + c) % (communities * size)}`),
    );
    const employee = numberOf('individual', `p${community * size + 5}`);
    for (const each of [late!, employee]) expect(cosine(each, own!)).toBeGreaterThan(cosine(each, other!) + 0.3);
  }
});

test('places lie along the axes on which those of everybody, drawn to their neighbours one by one, differ most', () => {
  const graph = openFactGraph(communitiesBook().finish(true, []));
  const { placeSignature: length, place } = smallSizes;
  // Everything known by then became known within a quarter, so the axes are fitted at that single moment.
  const { encoder } = fitEncoder(graph, { until: dayAt(300), sizes: smallSizes });
  const { facts } = graph.store;
  const known = Array.from(facts.subject.keys()).filter((fact) => facts.known[fact] <= dayAt(300));
  const tied = (e: number) =>
    known.flatMap((fact) => [
      ...(facts.subject[fact] === e ? [facts.object[fact]] : []),
      ...(facts.object[fact] === e ? [facts.subject[fact]] : []),
    ]);
  const ties = Array.from({ length: graph.entities }, (_, e) => tied(e));
  const here = Array.from(ties.keys()).filter((e) => ties[e].length > 0);
  const unit = (x: readonly number[]) => x.map((value) => value / Math.hypot(...x));
  let places = Array.from(signatureSeeds(graph), (seed) => {
    const signature = new Float64Array(length);
    addSignature(signature, 0, length, seed, 0, 1);
    return Array.from(signature);
  });
  for (let step = 0; step < 4; step++)
    places = places.map((own, e) => {
      const around = ties[e].filter((other) => ties[other].length > 1);
      if (around.length === 0) return own;
      const mean = (k: number) => around.reduce((sum, other) => sum + places[other][k], 0) / around.length;
      return unit(own.map((value, k) => 0.8 * mean(k) + 0.2 * value));
    });
  const along = (axis: readonly number[], x: readonly number[]) => axis.reduce((sum, a, k) => sum + a * x[k], 0);
  const widthOf = (axis: readonly number[]) => here.reduce((sum, e) => sum + along(axis, places[e]) ** 2, 0);
  const axisOf = (k: number) => Array.from({ length }, (_, j) => encoder.placeAxes[j * place + k]);
  // The widest axis, by power iteration.
  let widest = unit(Array.from({ length }, (_, k) => 1 + k));
  for (let i = 0; i < 500; i++)
    widest = unit(widest.map((_, k) => here.reduce((sum, e) => sum + along(widest, places[e]) * places[e][k], 0)));
  expect(widthOf(axisOf(0))).toBeCloseTo(widthOf(widest), 6);
  const widths = Array.from({ length: place }, (_, k) => widthOf(axisOf(k)));
  for (let k = 1; k < place; k++) {
    expect(widths[k] <= widths[k - 1] + 1e-9).toBe(true);
    expect(along(axisOf(k), axisOf(k - 1))).toBeCloseTo(0, 9);
  }
  // There are six communities with few links between them: six axes explain nearly everything, and bold axes of at
  // least the mean width become equal.
  const whole = here.reduce((sum, e) => sum + along(places[e], places[e]), 0);
  expect(widths.slice(0, communities).reduce((sum, width) => sum + width, 0) / whole).toBeGreaterThan(0.7);
  const made = encoder.placeScales.map((scale, k) => scale ** 2 * widths[k]);
  expect(made[1] / made[0]).toBeCloseTo(1, 6);
  expect(encoder.placeScales.slice(boldPlaces)).toEqual(Array(place - boldPlaces).fill(1));
});

test('links known after the encoder was fitted change no axis of places, and are read once known', () => {
  const [plain, planted] = [0, 200].map((strangers) => openFactGraph(communitiesBook(strangers).finish(true, [])));
  const fit = (graph: FactGraph) => fitEncoder(graph, { until: dayAt(699), sizes: smallSizes });
  const { encoder } = fit(plain!);
  expect(fit(planted!)).toEqual(fit(plain!));
  const places = (graph: FactGraph, day: number) => {
    const placeOf = placesAt(graph, encoder, dayAt(day));
    return Array.from({ length: graph.entities }, (_, e) => placeOf(e));
  };
  expect(places(planted!, 699)).toEqual(places(plain!, 699));
  expect(places(planted!, 701)).not.toEqual(places(plain!, 701));
  expect(fitEncoder(planted!, { until: dayAt(701), sizes: smallSizes }).encoder.placeAxes).not.toEqual(
    encoder.placeAxes,
  );
});

test('what was released while others were encoded is computed again, to the same bits', () => {
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
