import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { type Inference, inferContract } from './infer.ts';
import { parseContract } from './parse.ts';
import { writeContract } from './write.ts';

/**
 * The truth by a data set's own documentation: keys as `table.column`, references as `column > table.key`, and times.
 */
type Truth = {
  readonly keys: Readonly<Record<string, string>>;
  readonly references: readonly string[];
  readonly times: Readonly<Record<string, string>>;
};

const formulaOne: Truth = {
  keys: {
    circuits: 'circuitId',
    constructors: 'constructorId',
    drivers: 'driverId',
    races: 'raceId',
    results: 'resultId',
    qualifying: 'qualifyId',
    driver_standings: 'driverStandingsId',
    constructor_standings: 'constructorStandingsId',
    constructor_results: 'constructorResultsId',
    status: 'statusId',
  },
  references: [
    'races.circuitId > circuits.circuitId',
    ...['results', 'qualifying', 'driver_standings'].map((table) => `${table}.driverId > drivers.driverId`),
    ...['results', 'qualifying', 'driver_standings', 'constructor_standings', 'constructor_results'].map(
      (table) => `${table}.raceId > races.raceId`,
    ),
    ...['results', 'qualifying', 'constructor_standings', 'constructor_results'].map(
      (table) => `${table}.constructorId > constructors.constructorId`,
    ),
    'results.statusId > status.statusId',
  ],
  times: {
    races: 'date+time',
    results: 'raceId 0',
    qualifying: 'raceId -86400000000',
    driver_standings: 'raceId 0',
    constructor_standings: 'raceId 0',
    constructor_results: 'raceId 0',
  },
};

const bank: Truth = {
  keys: {
    account: 'account_id',
    client: 'client_id',
    disp: 'disp_id',
    card: 'card_id',
    order: 'order_id',
    loan: 'loan_id',
    trans: 'trans_id',
    district: 'A1',
  },
  references: [
    'account.district_id > district.A1',
    'client.district_id > district.A1',
    'disp.client_id > client.client_id',
    'disp.account_id > account.account_id',
    'card.disp_id > disp.disp_id',
    'order.account_id > account.account_id',
    'loan.account_id > account.account_id',
    'trans.account_id > account.account_id',
  ],
  times: { account: 'date', card: 'issued', loan: 'date', trans: 'date' },
};

function factsOf(inference: Inference): Set<string> {
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

function truthFacts(truth: Truth): Set<string> {
  return new Set([
    ...Object.entries(truth.keys).map(([table, key]) => `key ${table}.${key}`),
    ...truth.references.map((reference) => `reference ${reference}`),
    ...Object.entries(truth.times).map(([table, time]) => `time ${table}: ${time}`),
  ]);
}

const data = fileURLToPath(new URL('../../../../../shared/data', import.meta.url));
const isThere = existsSync(data);
if (!isThere) console.log(`SKIPPED: inference on real data sets, because ${data} does not exist`);

describe.skipIf(!isThere)('on the real data sets', () => {
  test('all but two keys, references and times are found, and none wrong is called sure', async () => {
    let missed = 0;
    for (const [name, truth] of [
      ['rel-f1', formulaOne],
      ['berka', bank],
    ] as const) {
      const inference = await inferContract(`${data}/${name}`);
      const found = factsOf(inference);
      const expected = truthFacts(truth);
      const missing = [...expected].filter((fact) => !found.has(fact));
      const wrong = [...found].filter((fact) => !expected.has(fact));
      console.log(
        `${name}: found ${expected.size - missing.length} of ${expected.size}; missed: ${missing.join('; ') || 'none'}; not in its documentation: ${wrong.join('; ') || 'none'}`,
      );
      missed += missing.length;
      const sure = inference.guesses.filter((guess) => guess.confidence === 'high');
      const sureWrong = wrong.filter((fact) =>
        sure.some((guess) =>
          fact.startsWith(`${guess.kind} ${guess.table}${guess.column === null ? ':' : `.${guess.column}`}`),
        ),
      );
      expect(sureWrong).toEqual([]);
      const text = writeContract(
        inference.contract,
        inference.guesses.map(({ confidence, reason, ...guess }) => ({ ...guess, text: `${confidence}: ${reason}` })),
      );
      expect(parseContract(text, name)).toEqual(inference.contract);
    }
    expect(missed).toBeLessThanOrEqual(2);
  });
});
