/** What is true of tables, and what a proposed contract says of it, in texts that can be compared; test support. */
import type { Inference } from '../../../src/ml/contract/infer.ts';

/**
 * Keys as `table.column`, references as `column > table.key`, and times.
 */
export type Truth = {
  readonly keys: Readonly<Record<string, string>>;
  readonly references: readonly string[];
  readonly times: Readonly<Record<string, string>>;
};

export function factsOf(inference: Inference): Set<string> {
  const facts = new Set<string>();
  for (const table of inference.contract.tables) {
    if (table.key.length > 0) facts.add(`key ${table.name}.${table.key.join('+')}`);
    for (const to of table.references) facts.add(`reference ${table.name}.${to.column} > ${to.table}.${to.key}`);
    const time = table.time;
    if (time === undefined) continue;
    const text =
      'column' in time
        ? `${time.column}${time.clock === undefined ? '' : `+${time.clock}`}`
        : `${time.reference} ${time.offset}`;
    facts.add(`time ${table.name}: ${text}`);
  }
  return facts;
}

export function truthFacts(truth: Truth): Set<string> {
  return new Set([
    ...Object.entries(truth.keys).map(([table, key]) => `key ${table}.${key}`),
    ...truth.references.map((reference) => `reference ${reference}`),
    ...Object.entries(truth.times).map(([table, time]) => `time ${table}: ${time}`),
  ]);
}
