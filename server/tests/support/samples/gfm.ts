// Small made-up stores for the tests of this folder.
import { join } from 'node:path';
import { microsecondsPerDay } from '../../../src/ml/contract/contract.ts';
import type { EncoderSizes } from '../../../src/ml/gfm/encoder.ts';
import { openBook } from '../../../src/ml/gfm/facts/book.ts';
import { type FactStore, writeStore } from '../../../src/ml/gfm/facts/store.ts';
import { fitEncoder } from '../../../src/ml/gfm/fit.ts';
import { openFactGraph } from '../../../src/ml/gfm/graph.ts';
import { saveGfm } from '../../../src/ml/gfm/version.ts';
import { seedRandom } from '../../../src/ml/statistics/random.ts';

export const smallSizes: EncoderSizes = {
  ...{ signature: 16, profile: 8, farProfile: 4, near: 64, far: 16 },
  ...{ placeSignature: 32, place: 16 },
};

export const dayAt = (day: number) => day * microsecondsPerDay;

/**
 * Companies that supply one another and are recorded, owned by people, over 1,000 days; some facts became known late.
 */
export function sampleStore(
  options: { companies?: number; seed?: number; nameOf?: (id: string) => string } = {},
): FactStore {
  const { companies = 40, seed = 1, nameOf = (id) => id } = options;
  const random = seedRandom(seed);
  const draw = (count: number) => Math.floor(random() * count);
  const book = openBook();
  book.attribute('sector', 'text');
  book.attribute('staff', 'number');
  book.attribute('founded', 'time');
  for (let c = 0; c < companies; c++) {
    const values = new Map<string, number | string>([
      ['sector', `s${draw(4)}`],
      ['staff', draw(100)],
      ['founded', dayAt(draw(1000) - 500)],
    ]);
    book.addNode(book.entityFor('company', nameOf(`c${c}`)), Number.NEGATIVE_INFINITY, values);
  }
  const company = () => book.entityFor('company', nameOf(`c${draw(companies)}`));
  const person = () => book.entityFor('individual', nameOf(`p${draw(companies)}`));
  for (let i = 0; i < companies * 6; i++) {
    const from = dayAt(draw(1000));
    const to = random() < 0.5 ? Number.NaN : from + dayAt(draw(400));
    const knownAt = random() < 0.2 ? from + dayAt(draw(300)) : Number.NEGATIVE_INFINITY;
    const common = { from, to, weight: 0.5 + random(), knownAt };
    const relation = i % 3 === 0 ? 'owns' : 'supplies';
    book.addFact(
      { ...common, subject: relation === 'owns' ? person() : company(), relation, object: company() },
      'lasting',
    );
    if (i % 4 > 0) continue;
    const register = book.entityFor('other', nameOf('register'));
    book.addFact(
      { subject: company(), relation: 'recorded', object: register, from, to: from, weight: 1, knownAt },
      'momentary',
    );
  }
  return book.finish(true, []);
}

/**
 * Saves a store in `store` of a folder, and what is learned of it until a moment twice, as `demo-1` in `model` and as
 * `demo-2` in `other`.
 */
export async function saveTwice(folder: string, store: FactStore, until: number): Promise<void> {
  const source = join(folder, 'store');
  await writeStore(source, store);
  const fitted = fitEncoder(openFactGraph(store), { until, sizes: smallSizes });
  for (const [place, name] of [
    ['model', 'demo-1'],
    ['other', 'demo-2'],
  ] as const)
    await saveGfm(join(folder, place), source, fitted, { name, until, generatedAt: 0 });
}

/** The facts for which `keep` holds, the entities as they are. */
export function withFacts(store: FactStore, keep: (fact: number) => boolean): FactStore {
  const { facts } = store;
  const rows = Uint32Array.from(facts.subject.keys()).filter(keep);
  const integers = (values: Int32Array) => Int32Array.from(rows, (row) => values[row]);
  const numbers = (values: Float64Array) => Float64Array.from(rows, (row) => values[row]);
  return {
    ...store,
    facts: {
      subject: integers(facts.subject),
      relation: integers(facts.relation),
      object: integers(facts.object),
      from: numbers(facts.from),
      to: numbers(facts.to),
      weight: numbers(facts.weight),
      known: numbers(facts.known),
      until: numbers(facts.until),
    },
  };
}

/** The sectors of a made-up store's companies, `s0` to `s3`, in order of the companies. */
export function sectorsOf(store: FactStore): { readonly codes: Int32Array; readonly dictionary: readonly string[] } {
  const sector = store.nodes.attributes.find(({ name }) => name === 'sector')!;
  if (sector.kind !== 'text') throw new Error('sectors are texts');
  return sector;
}
