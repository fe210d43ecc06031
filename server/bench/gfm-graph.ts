// A made-up graph of any size for the benchmarks of the graph model: companies in communities of thirty, and their
// people.
import { microsecondsPerDay } from '../src/ml/contract/contract.ts';
import { defaultSizes, type EncoderSizes } from '../src/ml/gfm/encoder.ts';
import { openBook } from '../src/ml/gfm/facts/book.ts';
import type { FactStore } from '../src/ml/gfm/facts/store.ts';
import { seedRandom } from '../src/ml/statistics/random.ts';

const communitySize = 30;
const suppliers = 3;
const insideShare = 0.75;
export const graphDays = 1_000;

/** As the default has them, with room for two relations and no more. */
export const graphSizes: EncoderSizes = { ...defaultSizes, near: 4 * defaultSizes.profile, far: 4 * 8 };

export const dayAt = (day: number) => day * microsecondsPerDay;

/** Half of the entities companies, half people; 2 facts per entity. */
export function makeGraph(entities: number): FactStore {
  const random = seedRandom(1);
  const draw = (count: number) => Math.floor(random() * count);
  const book = openBook();
  book.attribute('sector', 'text');
  book.attribute('size', 'number');
  const companies = Math.floor(entities / 2);
  const idOf = Array.from({ length: companies }, (_, c) => book.entityFor('company', `c${c}`));
  for (const id of idOf)
    book.addNode(
      id,
      Number.NEGATIVE_INFINITY,
      new Map<string, string | number>([
        ['sector', `s${draw(10)}`],
        ['size', 1 + draw(4)],
      ]),
    );
  const add = (subject: number, relation: string, object: number) => {
    const from = dayAt(draw(graphDays));
    const to = random() < 0.5 ? Number.NaN : from + dayAt(30 + draw(900));
    book.addFact({ subject, relation, object, from, to, weight: 1, knownAt: Number.NEGATIVE_INFINITY }, 'lasting');
  };
  for (let c = 0; c < companies; c++) {
    const first = c - (c % communitySize);
    add(book.entityFor('individual', `p${random() < 0.3 ? first + draw(communitySize) : c}`), 'directs', idOf[c]);
    for (let i = 0; i < suppliers; i++) {
      const other = random() < insideShare ? Math.min(companies - 1, first + draw(communitySize)) : draw(companies);
      add(idOf[other], 'supplies', idOf[c]);
    }
  }
  return book.finish(true, []);
}
