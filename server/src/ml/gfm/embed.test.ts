import { expect, test } from 'vitest';
import { dayAt, sampleStore, smallSizes, withFacts } from '../../../tests/support/samples/gfm.ts';
import { openEmbedder } from './embed.ts';
import { openBook } from './facts/book.ts';
import type { FactStore } from './facts/store.ts';
import { embeddingSize, type FittedEncoder, fitEncoder } from './fit.ts';
import { openFactGraph } from './graph.ts';

const t = dayAt(600);

function fitted(store: FactStore): FittedEncoder {
  return fitEncoder(openFactGraph(store), { until: t, sizes: smallSizes });
}

/** Every vector at t, as base64 text. */
function bitsOf(store: FactStore, encoder: FittedEncoder, at = t): string[] {
  const embedder = openEmbedder(openFactGraph(store), encoder);
  return Array.from({ length: store.entities.size }, (_, entity) => {
    const vector = embedder.embed(entity, at);
    return vector === null ? 'null' : Buffer.from(vector.buffer).toString('base64');
  });
}

test('a vector has 1024 numbers and length 1; nothing is said of what nothing was known of', () => {
  const store = sampleStore();
  const graph = openFactGraph(store);
  const embedder = openEmbedder(graph, fitted(store));
  let unknown = 0;
  for (let entity = 0; entity < store.entities.size; entity++) {
    const vector = embedder.embed(entity, dayAt(100));
    expect(vector === null).toBe(!(graph.bornAt[entity] <= dayAt(100)));
    if (vector === null) unknown++;
    else {
      expect(vector.length).toBe(embeddingSize);
      expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
    }
  }
  expect(unknown).toBeGreaterThan(5);
});

test('a prefix points where the first numbers of the whole vector do', () => {
  const store = sampleStore();
  const graph = openFactGraph(store);
  const embedder = openEmbedder(graph, fitted(store));
  const entities = Int32Array.from({ length: store.entities.size }, (_, e) => e);
  const prefixes = embedder.embedPrefixes(entities, dayAt(100), 16);
  for (const [e, vector] of embedder.embedAll(Array.from(entities), dayAt(100)).entries()) {
    const prefix = Array.from(prefixes.subarray(16 * e, 16 * e + 16));
    const first = vector === null ? prefix.map(() => 0) : Array.from(vector.subarray(0, 16));
    const length = Math.hypot(...prefix) || 1;
    const whole = Math.hypot(...first) || 1;
    for (let k = 0; k < 16; k++) expect(prefix[k] / length).toBeCloseTo(first[k] / whole, 5);
  }
});

test('facts that became known after t change no bit of vectors at t, nor of the encoder fitted by t', () => {
  const store = sampleStore();
  const past = withFacts(store, (fact) => store.facts.known[fact] <= t);
  expect(past.facts.subject.length).toBeLessThan(store.facts.subject.length - 50);
  const lateKnown = store.facts.known.some((known, fact) => known > t && store.facts.from[fact] < t);
  expect(lateKnown, 'some facts began before t and became known after').toBe(true);
  const encoder = fitted(store);
  expect(fitted(past)).toEqual(encoder);
  expect(bitsOf(past, encoder)).toEqual(bitsOf(store, encoder));
  expect(bitsOf(past, encoder, dayAt(900))).not.toEqual(bitsOf(store, encoder, dayAt(900)));
});

test('a relation that nobody knew when the encoder was fitted changes nothing, neither then nor later', () => {
  const store = sampleStore();
  const { facts } = store;
  const late = facts.known.findIndex((known) => known > t);
  const relations = [...store.relations, { name: 'a later relation', class: 'lasting' as const }];
  const relation = facts.relation.map((own, fact) => (fact === late ? relations.length - 1 : own));
  const grown: FactStore = { ...store, relations, facts: { ...facts, relation } };
  const encoder = fitted(withFacts(store, (fact) => fact !== late));
  expect(fitted(grown)).toEqual(encoder);
  expect(bitsOf(grown, encoder)).toEqual(bitsOf(store, encoder));
  const others = (of: FactStore) => bitsOf(of, encoder, dayAt(1200)).filter((bits) => bits !== 'null');
  expect(others(grown)).toEqual(others(withFacts(store, (fact) => fact !== late)));
});

test('an end that lies after t is not read at t', () => {
  const store = sampleStore();
  const ends = (to: number) => store.facts.to.map((end) => (end > t ? to : end));
  const isTold = store.facts.to.some((end, fact) => end > t && store.facts.known[fact] <= t);
  expect(isTold).toBe(true);
  const open: FactStore = { ...store, facts: { ...store.facts, to: ends(Number.NaN) } };
  expect(fitted(open)).toEqual(fitted(store));
  expect(bitsOf(open, fitted(store))).toEqual(bitsOf(store, fitted(store)));
});

test('attributes told after t, and dates that lie after it, change no bit at t', () => {
  const told = (staff: number, founded: number) => {
    const book = openBook();
    book.attribute('staff', 'number');
    book.attribute('founded', 'time');
    const [a, b] = [book.entityFor('company', 'a'), book.entityFor('company', 'b')];
    book.addNode(
      a,
      dayAt(1),
      new Map([
        ['staff', 5],
        ['founded', founded],
      ]),
    );
    book.addNode(a, dayAt(700), new Map([['staff', staff]]));
    book.addFact(
      { subject: a, relation: 'r', object: b, from: dayAt(2), to: Number.NaN, weight: 1, knownAt: 0 },
      'lasting',
    );
    return book.finish(true, []);
  };
  const plain = told(5, dayAt(800));
  expect(bitsOf(told(50, dayAt(900)), fitted(plain))).toEqual(bitsOf(plain, fitted(plain)));
  expect(bitsOf(told(50, dayAt(900)), fitted(plain), dayAt(950))).not.toEqual(bitsOf(plain, fitted(plain), dayAt(950)));
});

test('a fact known before t moves its ends and those around them', () => {
  const store = sampleStore();
  const encoder = fitted(store);
  const { facts } = store;
  const gone = facts.subject.findIndex((_, i) => facts.relation[i] === 0 && facts.known[i] < t && !(facts.to[i] < t));
  const without = bitsOf(
    withFacts(store, (fact) => fact !== gone),
    encoder,
  );
  const moved = bitsOf(store, encoder).flatMap((bits, entity) => (bits === without[entity] ? [] : [entity]));
  expect(moved).toContain(facts.subject[gone]);
  expect(moved).toContain(facts.object[gone]);
  expect(moved.length).toBeGreaterThan(2);
});

test('a version of a fact is read until the next one is known', () => {
  const book = openBook();
  const [a, b, c] = ['a', 'b', 'c'].map((id) => book.entityFor('company', id));
  const common = { subject: a!, relation: 'r', object: b!, from: dayAt(10), weight: 1 };
  book.addFact({ ...common, to: Number.NaN, knownAt: dayAt(10) }, 'lasting');
  book.addFact({ ...common, to: dayAt(100), knownAt: dayAt(300) }, 'lasting');
  book.addFact({ ...common, object: c!, to: Number.NaN, knownAt: dayAt(10) }, 'lasting');
  const store = book.finish(true, []);
  const open = withFacts(store, (fact) => !(store.facts.to[fact] > 0));
  const forever: FactStore = {
    ...open,
    facts: { ...open.facts, until: open.facts.until.map(() => Number.POSITIVE_INFINITY) },
  };
  const encoder = fitEncoder(openFactGraph(store), { until: dayAt(900), sizes: smallSizes });
  expect(bitsOf(store, encoder, dayAt(299))).toEqual(bitsOf(forever, encoder, dayAt(299)));
  expect(bitsOf(store, encoder, dayAt(301))).not.toEqual(bitsOf(forever, encoder, dayAt(301)));
});

test('names play no part: renaming everybody changes no bit', () => {
  const renamed = sampleStore({ nameOf: (id) => `x${id.length}-${Buffer.from(id).toString('hex')}` });
  const store = sampleStore();
  expect(fitted(renamed)).toEqual(fitted(store));
  expect(bitsOf(renamed, fitted(store))).toEqual(bitsOf(store, fitted(store)));
});

test('a vector does not depend on what else was asked, together or before', () => {
  const store = sampleStore();
  const encoder = fitted(store);
  const all = openEmbedder(openFactGraph(store), encoder);
  const entities = Array.from({ length: store.entities.size }, (_, i) => i);
  const together = all.embedAll(entities.toReversed(), t).reverse();
  all.embedAll(entities, dayAt(800));
  for (const entity of entities.slice(0, 20)) {
    expect(openEmbedder(openFactGraph(store), encoder).embed(entity, t)).toEqual(together[entity]);
    expect(all.embed(entity, t)).toEqual(together[entity]);
  }
});

test('who comes after the encoder was fitted lies nearest to those in a place like its own', () => {
  const store = sampleStore({ companies: 60 });
  const encoder = fitted(store);
  const { facts } = store;
  const born = openFactGraph(store).bornAt;
  const twinOf = store.kinds.findIndex((kind, e) => kind === 0 && born[e] < dayAt(300));
  // A later entity with the same relations as an existing one.
  const book = openBook();
  for (const { name, kind } of store.nodes.attributes) book.attribute(name, kind);
  for (let e = 0; e < store.entities.size; e++) {
    const { kind, identifier } = store.entities.entryOf(e + 1)!;
    book.entityFor(kind, identifier);
  }
  for (const [row, entity] of store.nodes.entity.entries()) {
    const values = store.nodes.attributes.map((attribute): [string, number | string | null] => [
      attribute.name,
      attribute.kind === 'text' ? (attribute.dictionary[attribute.codes[row]] ?? null) : attribute.values[row],
    ]);
    book.addNode(entity, store.nodes.known[row], new Map(values));
    if (entity === twinOf) book.addNode(book.entityFor('company', 'late'), store.nodes.known[row], new Map(values));
  }
  const late = book.entityFor('company', 'late');
  for (const [i, subject] of facts.subject.entries()) {
    const { name, class: relationClass } = store.relations[facts.relation[i]];
    const fact = {
      relation: name,
      from: facts.from[i],
      to: facts.to[i],
      weight: facts.weight[i],
      knownAt: facts.known[i],
    };
    const object = facts.object[i];
    book.addFact({ ...fact, subject, object }, relationClass);
    const ends = [subject === twinOf ? late : subject, object === twinOf ? late : object];
    if (subject === twinOf || object === twinOf)
      book.addFact(
        { ...fact, subject: ends[0], object: ends[1], knownAt: Math.max(dayAt(650), fact.knownAt) },
        relationClass,
      );
  }
  const grown = book.finish(true, []);
  const embedder = openEmbedder(openFactGraph(grown), encoder);
  expect(embedder.embed(late, t)).toBeNull();
  const at = dayAt(900);
  const own = embedder.embed(late, at)!;
  const cosines = Array.from({ length: store.entities.size }, (_, e) =>
    (embedder.embed(e, at) ?? new Float32Array(embeddingSize)).reduce((sum, value, k) => sum + value * own[k], 0),
  );
  expect(cosines.indexOf(Math.max(...cosines))).toBe(twinOf);
});
