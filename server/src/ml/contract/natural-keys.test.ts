/** Tables that are held together by calendars, by names, and by partners who are there in part. */
import { describe, expect, test } from 'vitest';
import { day, infer, pick, referencesOf, rows, type Sheet, tableOf } from '../../../tests/support/samples/contract.ts';

describe('a league of sixty seasons', () => {
  const sheets: Record<string, Sheet> = {
    seasons: { header: 'season,closed_on', rows: rows(60, (i) => [1960 + i, `${1960 + i}-12-01`]) },
    players: { header: 'player_code,name,joined', rows: rows(400, (i) => [`pl${i}x`, `n ${i}`, day(pick(0, 900))]) },
    batting: {
      header: 'player_code,season,hits',
      rows: rows(4000, () => [`pl${pick(0, 399)}x`, pick(1960, 2019), pick(0, 200)]),
    },
  };

  test.each(['dated games', 'no dated rows'])(
    'dates what was done in a season by it, where there are %s of it',
    async (games) => {
      const inference = await infer('league', {
        ...sheets,
        ...(games === 'dated games' && {
          games: {
            header: 'game_number,season,played_on',
            rows: rows(900, (i) => [i + 1, 2010 + (i % 10), `${2010 + (i % 10)}-0${1 + (i % 9)}-1${i % 8}`]),
          },
        }),
      });
      expect(tableOf(inference, 'seasons').time).toEqual({ column: 'closed_on' });
      expect(tableOf(inference, 'batting').time).toEqual({ reference: 'season', offset: 0 });
    },
  );
});

describe('partners of whom only some are in the data', () => {
  const hash = (i: number): string => (i * 2_654_435_761).toString(16).padStart(12, '0').repeat(2);

  test('are referred to where nothing else explains the values that agree', async () => {
    const inference = await infer('partners', {
      shops: { header: 'shop_id,town', rows: rows(300, (i) => [hash(i), `t ${i % 20}`]) },
      deals: {
        header: 'deal_id,shop_id,introduced,won_on',
        rows: rows(900, (i) => [i + 1, hash(pick(0, 599)), i % 3 ? null : hash(pick(0, 699)), day(i)]),
      },
      codes: { header: 'code,meaning', rows: rows(40, (i) => [`K${i}`, `m ${i}`]) },
      notes: { header: 'note_id,mark,written_on', rows: rows(500, (i) => [i + 1, `K${pick(0, 79)}`, day(i)]) },
    });
    expect(referencesOf(inference).sort()).toEqual([
      'deals.introduced > shops.shop_id',
      'deals.shop_id > shops.shop_id',
    ]);
    const told = inference.guesses.filter(({ table, kind }) => table === 'deals' && kind === 'reference');
    expect(told.map(({ confidence }) => confidence)).toEqual(['medium', 'medium']);
  });

  test('a column that restates the key of its own row leads nowhere', async () => {
    const inference = await infer('restated', {
      people: {
        header: 'person_key,other_key,chief_key,town',
        rows: rows(200, (i) => [
          `person${i}`,
          i % 50 ? `person${i}` : null,
          i ? `person${pick(0, i - 1)}` : null,
          `t ${i % 9}`,
        ]),
      },
    });
    expect(referencesOf(inference)).not.toContain('people.other_key > people.person_key');
    expect(tableOf(inference, 'people').key).toEqual(['person_key']);
  });
});

describe('doctors who have no number', () => {
  test('are known by their names, where visits name them', async () => {
    const name = (i: number): string =>
      `Dr ${['Ana', 'Rui', 'Eva', 'Tom'][i % 4]} ${['Sousa', 'Kline', 'Moro', 'Beck', 'Luz'][Math.floor(i / 4)]}`;
    const inference = await infer('doctors', {
      doctors: { header: 'full_name,speciality', rows: rows(20, (i) => [name(i), `s ${i % 3}`]) },
      visits: { header: 'visit_id,seen_by,visited_on', rows: rows(600, (i) => [i + 1, name(pick(0, 19)), day(i)]) },
      towns: { header: 'town,country', rows: rows(40, (i) => [`town ${i}`, `c ${i % 5}`]) },
    });
    expect(tableOf(inference, 'doctors').key).toEqual(['full_name']);
    expect(referencesOf(inference)).toEqual(['visits.seen_by > doctors.full_name']);
  });
});
