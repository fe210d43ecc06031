/** Small random graphs; test support. */

import { type Period, periodsOf } from '../../../src/ml/links/facts.ts';
import { seedRandom } from '../../../src/ml/statistics/random.ts';

/** Facts of `moments` consecutive times, repetitive as real ones are: half of them repeat an earlier fact. */
export function sampleFacts(
  seed: number,
  { entities, relations, moments, facts }: { entities: number; relations: number; moments: number; facts: number },
): number[][] {
  const random = seedRandom(seed);
  const draw = (below: number) => Math.floor(random() * below);
  const rows: number[][] = [];
  for (let time = 0; time < moments; time++) {
    for (let i = 0; i < facts; i++) {
      const [subject, relation, object] =
        rows.length > 0 && random() < 0.5 ? rows[draw(rows.length)] : [draw(entities), draw(relations), draw(entities)];
      rows.push([subject, relation, object, time]);
    }
  }
  return rows;
}

/** Rows of subject, relation, object and time as periods. */
export function periodsOfRows(rows: readonly (readonly number[])[]): Period[] {
  const column = (at: number) => rows.map((row) => row[at]);
  return periodsOf(column(0), column(1), column(2), column(3));
}
