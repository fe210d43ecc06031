import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { factsOf, type Truth, truthFacts } from '../../../tests/support/samples/contract-facts.ts';
import { inferContract } from './infer.ts';
import { parseContract } from './parse.ts';
import { writeContract } from './write.ts';

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

const lender: Truth = {
  keys: { customers: 'customerid', loans: 'systemloanid', repayments: 'repayment_id' },
  references: [
    'loans.customerid > customers.customerid',
    'loans.referredby > customers.customerid',
    'repayments.systemloanid > loans.systemloanid',
  ],
  times: { loans: 'approveddate', repayments: 'paid_at' },
};

const funnel: Truth = {
  keys: {
    marketing_qualified_leads: 'mql_id',
    closed_deals: 'mql_id',
    sellers: 'seller_id',
    products: 'product_id',
    product_category_name_translation: 'product_category_name',
  },
  references: [
    'closed_deals.mql_id > marketing_qualified_leads.mql_id',
    'closed_deals.seller_id > sellers.seller_id',
    'products.product_category_name > product_category_name_translation.product_category_name',
  ],
  times: { marketing_qualified_leads: 'first_contact_date', closed_deals: 'won_date' },
};

const ofSeasons = [
  ...['allstar_full', 'appearances', 'awards_players', 'awards_share_players', 'batting', 'batting_post'],
  ...['college_playing', 'fielding', 'hall_of_fame', 'managers', 'pitching', 'pitching_post', 'salaries'],
];

const baseball: Truth = {
  keys: {
    people: 'playerID',
    seasons: 'yearID',
    clubs: 'teamID',
    parks: 'park_key',
    schools: 'schoolID',
    teams_franchises: 'franchID',
    teams: 'yearID+teamID',
    appearances: 'yearID+teamID+playerID',
    batting: 'playerID+yearID+stint',
    pitching: 'playerID+yearID+stint',
    fielding: 'playerID+yearID+stint+POS',
  },
  references: [
    ...ofSeasons.flatMap((table) => [`${table}.playerID > people.playerID`, `${table}.yearID > seasons.yearID`]),
    ...[
      'allstar_full',
      'appearances',
      'batting',
      'batting_post',
      'fielding',
      'managers',
      'pitching',
      'pitching_post',
    ].map((table) => `${table}.teamID > clubs.teamID`),
    ...['salaries', 'teams', 'home_games'].map((table) => `${table}.teamID > clubs.teamID`),
    ...['teams', 'home_games', 'series_post'].map((table) => `${table}.yearID > seasons.yearID`),
    'series_post.teamIDwinner > clubs.teamID',
    'series_post.teamIDloser > clubs.teamID',
    'home_games.park_key > parks.park_key',
    'college_playing.schoolID > schools.schoolID',
    'clubs.franchID > teams_franchises.franchID',
    'teams.franchID > teams_franchises.franchID',
  ],
  times: {
    seasons: 'closed_on',
    ...Object.fromEntries([...ofSeasons, 'teams', 'series_post'].map((table) => [table, 'yearID 0'])),
    home_games: 'span_first',
  },
};

const data = fileURLToPath(new URL('../../../../../shared/data', import.meta.url));
const isThere = existsSync(data);
if (!isThere) console.log(`SKIPPED: inference on real data sets, because ${data} does not exist`);

describe.skipIf(!isThere)('on the real data sets', () => {
  test('all but two keys and references and two times are found, and none wrong is called sure', async () => {
    const missed = { times: 0, others: 0 };
    for (const [name, truth] of [
      ['rel-f1', formulaOne],
      ['berka', bank],
      ['superlender', lender],
      ['olist-funnel', funnel],
      ['lahman', baseball],
    ] as const) {
      if (!existsSync(`${data}/${name}`)) continue;
      const inference = await inferContract(`${data}/${name}`);
      const found = factsOf(inference);
      const expected = truthFacts(truth);
      const missing = [...expected].filter((fact) => !found.has(fact));
      const wrong = [...found].filter((fact) => !expected.has(fact));
      console.log(
        `${name}: found ${expected.size - missing.length} of ${expected.size}; missed: ${missing.join('; ') || 'none'}; not in its documentation: ${wrong.join('; ') || 'none'}`,
      );
      for (const fact of missing) missed[fact.startsWith('time ') ? 'times' : 'others']++;
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
    // Of a race's own date and the day before it, and of two dates of one moment, only a task's labels tell which.
    expect(missed).toEqual({ times: 2, others: expect.toSatisfy((count: number) => count <= 2) });
  });
});
