/** Cases that commonly mislead inference, in made-up tables. */
import { describe, expect, test } from 'vitest';
import { day, infer, moment, pick, referencesOf, rows, tableOf } from '../../../tests/support/samples/contract.ts';
import { bareDocument, cpfFrom } from '../../lib/brazil-documents.ts';
import type { Inference } from './infer.ts';
import { parseContract } from './parse.ts';
import { warnOfGuesses } from './warnings.ts';
import { writeContract } from './write.ts';

describe('what misleads', () => {
  test('measures, ranks, flags and years are neither keys nor references', async () => {
    const inference = await infer('measures', {
      grades: { header: 'grade_id,label', rows: rows(3, (i) => [i, `g${i}`]) },
      towns: { header: 'town_id,name', rows: rows(60, (i) => [i + 1, `town ${i}`]) },
      readings: {
        header: 'position,rank,number,flag,year,amount,day',
        rows: rows(500, (i) => [
          (i % 20) + 1,
          (i % 50) + 1,
          pick(1, 60),
          pick(0, 1),
          pick(1990, 2020),
          i * 17 + 3,
          `${pick(2018, 2022)}${String(pick(1, 12)).padStart(2, '0')}${pick(10, 28)}`,
        ]),
      },
    });
    const readings = tableOf(inference, 'readings');
    expect(readings.key).toEqual([]);
    expect(readings.references).toEqual([]);
    expect(readings.time).toEqual({ column: 'day' });
    expect(readings.columns.map(({ type, dateForm }) => dateForm ?? type)).toEqual([
      ...['integer', 'integer', 'integer', 'integer', 'integer', 'integer', 'yyyyMMdd'],
    ]);
  });

  test('numbers that count time since 1970 are told in their unit', async () => {
    const { guesses } = await infer('epochs', {
      events: {
        header: 'event_id,at_s,at_ms,at_us',
        rows: rows(50, (i) => [i + 1, 1.7e9 + i, 1.7e12 + i * 1000, 1.7e15 + i * 1e6]),
      },
    });
    const told = guesses.flatMap(({ reason }) => /(\w+) since 1970/.exec(reason)?.[1] ?? []);
    expect(told).toEqual(['seconds', 'milliseconds', 'microseconds']);
  });

  test('what is not used of a table is told with its reason, and what is used of a person too', async () => {
    const { contract, guesses } = await infer('unused', {
      lifts: {
        header: 'lift_id,installed_on,checked_on,model_name',
        rows: rows(100, (i) => [i + 1, day(-15_000 + i * 120), i % 3 === 0 ? '' : day(i), `model ${i % 90}`]),
      },
      employees: {
        header: 'employee_id,full_name,cpf,joined',
        rows: rows(60, (i) => [
          i + 1,
          `Ana ${i}`,
          `497.893.9${10 + i}-31`,
          i % 3 === 0 ? `${10 + (i % 9)}/0${1 + (i % 9)}/2023` : day(i),
        ]),
      },
      visits: {
        header: 'visit_id,lift_id,visited_on,by',
        rows: rows(400, (i) => [
          i + 1,
          (i % 100) + 1,
          i % 2 === 0 ? `${10 + (i % 19)}/0${1 + (i % 9)}/2023` : `0${1 + (i % 9)}/${10 + (i % 19)}/2023`,
          `p${i % 9}@example.com`,
        ]),
      },
      repairs: {
        header: 'repair_id,lift_id,repaired_on',
        rows: rows(300, (i) => [i + 1, (i % 100) + 1, day(i)]),
      },
    });
    const toldOf = (column: string) =>
      guesses
        .filter((guess) => guess.column === column)
        .map(({ kind, applied, reason }) => ({ kind, applied, reason }));
    expect(toldOf('installed_on')).toContainEqual({
      ...{ kind: 'time', applied: false },
      reason: expect.stringMatching(/^spread over decades, .*: it does not date the rows; .*eventTime\)$/),
    });
    expect(toldOf('checked_on')).toContainEqual({
      ...{ kind: 'time', applied: false },
      reason: expect.stringMatching(/^empty in 34 % of the rows: it does not date the rows/),
    });
    expect(toldOf('by')).toContainEqual({
      ...{ kind: 'pii', applied: true },
      reason: 'its values have the form of an email address',
    });
    expect(contract.tables.find(({ name }) => name === 'visits')!.columns.at(-1)!.pii).toBe(true);
    expect(toldOf('full_name')).toContainEqual({
      ...{ kind: 'pii', applied: true },
      reason: 'named like the name of a person',
    });
    expect(toldOf('cpf')).toContainEqual({ kind: 'pii', applied: true, reason: 'named like a CPF' });
    expect(toldOf('model_name').filter(({ kind }) => kind === 'pii')).toEqual([]);
    expect(toldOf('joined')).toEqual([
      {
        ...{ kind: 'type', applied: true },
        reason: expect.stringMatching(
          /^written as "1\d\/0\d\/2023", and 40 of 60 rows as ISO 8601 says: the day first, which 13 of 60 rows/,
        ),
      },
    ]);
    expect(toldOf('visited_on')).toContainEqual({
      ...{ kind: 'type', applied: true },
      reason: expect.stringMatching(/^some of its dates have the day first, .* and some the month, .* so none is used/),
    });
    expect(
      guesses.find(({ table, kind, column }) => table === 'repairs' && kind === 'time' && column === null),
    ).toEqual(expect.objectContaining({ applied: true, value: 'repaired_on' }));
    expect(warnOfGuesses(guesses)).toEqual([{ code: 'unread_dates', table: 'visits', columns: ['visited_on'] }]);
    for (const { column, seen } of guesses)
      if (['full_name', 'cpf', 'employee_id', 'installed_on', 'by'].includes(column!))
        expect(seen!.examples).toEqual([]);
  });

  test('numbers with some texts between them stay text, and it is said that they are read as numbers', async () => {
    const { contract, guesses } = await infer('mixed', {
      exams: {
        header: 'exam_id,result,level,postal,diagnosis',
        rows: rows(2_000, (i) => [
          i + 1,
          i % 50 === 0 ? 'POS' : `${30 + (i % 401) / 10}`,
          i % 40 === 0 ? `>${i}.5` : `${i}.${1 + (i % 9)}${i % 7}`,
          i % 50 === 0 ? 'abroad' : `${10_000 + ((i * 37) % 80_000)}`,
          i % 20 === 0 ? `V${i % 90}` : `${100 + ((i * 7) % 800)}.${i % 10}`,
        ]),
      },
    });
    expect(contract.tables[0].columns.slice(1).map(({ type, format }) => ({ type, format }))).toEqual(
      Array.from({ length: 4 }, () => ({ type: 'string' })),
    );
    const told = guesses.filter(({ kind, reason }) => kind === 'type' && reason.includes('read as numbers'));
    expect(told).toMatchObject([
      {
        column: 'result',
        confidence: 'low',
        reason: expect.stringMatching(/^98 % of .*"POS" in 40 rows.*missingValues/),
      },
      { column: 'level', confidence: 'low', reason: expect.stringContaining('">40.5" in 1') },
    ]);
  });

  const quoted = (text: string) => `"${text}"`;

  test('a column of decimal commas is one of numbers, unless the commas may set off thousands', async () => {
    const { contract, guesses } = await infer('commas', {
      sales: {
        header: 'sale_id,amount,total,weight,length,mixed',
        rows: rows(60, (i) => [
          i + 1,
          ...[`${i * 7},5${i % 10}`, i % 3 === 0 ? `${i}` : `1.${100 + i}.000,${10 + i}`].map(quoted),
          ...[`${i + 1},${100 + i}`, i < 50 ? `${i + 1},${100 + i}` : `0,${i}`, i % 2 ? `${i},5` : `${i}.5`].map(
            quoted,
          ),
        ]),
      },
    });
    const columns = contract.tables[0].columns.slice(1);
    expect(columns.map(({ name, type, decimalSeparator = '.' }) => [name, type, decimalSeparator])).toEqual([
      ['amount', 'number', ','],
      ['total', 'number', ','],
      ['weight', 'string', '.'],
      ['length', 'string', '.'],
      ['mixed', 'string', '.'],
    ]);
    const told = guesses.filter(({ kind, reason }) => kind === 'type' && reason.includes('comma'));
    expect(told).toMatchObject([
      { column: 'amount', value: 'number', confidence: 'high', reason: expect.stringContaining('such as "0,50"') },
      { column: 'total', value: 'number', confidence: 'high' },
      { column: 'weight', value: 'string', confidence: 'low', reason: expect.stringContaining('set off thousands') },
      { column: 'length', value: 'string', confidence: 'low' },
    ]);
    // What is written says what was found.
    expect(parseContract(writeContract(contract), 'written')).toEqual(contract);
  });

  test('two dates of one moment, a due date that is empty in part, and keys in part are told', async () => {
    const code = (i: number) => `c${String(i * 7919).padStart(9, '0')}`;
    const lending = (dueUntil: number) => ({
      people: { header: 'person_code,name', rows: rows(200, (i) => [code(i), `p${i % 7}`]) },
      loans: {
        header: 'loan_id,person_code,created,approved,firstduedate,settled,referredby',
        rows: rows(400, (i) => [
          ...[i + 1, code(i % 200), `${day(i)} 07:53:17`, `${day(i)} 08:5${i % 10}:28`],
          ...[i % 5 === 0 || i > dueUntil ? '' : day(i + 20 + (i % 13)), i % 3 === 0 ? '' : day(i + 3 + (i % 90))],
          i % 10 === 0 ? code(i % 20 === 0 ? i % 200 : 500 + i) : '',
        ]),
      },
    });
    const found = await infer('rivals', lending(400));
    const doubtful = found.guesses.filter(({ table, confidence }) => table === 'loans' && confidence === 'low');
    expect(doubtful).toMatchObject([
      { column: 'referredby', kind: 'reference', value: 'people.person_code', reason: expect.stringMatching(/^50 %/) },
      { column: null, kind: 'time', value: 'created', reason: expect.stringContaining('approved lies within a day') },
      { column: 'settled', kind: 'planned', reason: expect.stringContaining('read from its own day on') },
    ]);
    // Values of keys and references are nobody's to tell; those of dates show what was read.
    expect(doubtful[0]!.seen).toEqual({ column: 'referredby', rows: 400, filled: 40, distinct: 30, examples: [] });
    expect(doubtful[1]!.seen).toMatchObject({ column: 'created', rows: 400, filled: 400, distinct: 400 });
    expect(doubtful[1]!.seen!.examples).toEqual([0, 133, 266].map((i) => `${day(i)} 07:53:17`));
    const planned = (of: Inference) =>
      tableOf(of, 'loans')
        .columns.filter((column) => column.planned)
        .map(({ name }) => name);
    expect(planned(found)).toEqual(['firstduedate']);
    expect(tableOf(found, 'loans').references.map(({ column }) => column)).toEqual(['person_code']);
    // A due date that never reaches beyond the data may have been written at the end.
    const old = await infer('rivals-old', lending(300));
    expect(planned(old)).toEqual([]);
    expect(old.guesses).toContainEqual(
      expect.objectContaining({ column: 'firstduedate', kind: 'planned', confidence: 'low' }),
    );
  });

  test('a date that many rows share, far ahead, may stand for none', async () => {
    const { guesses } = await infer('forever', {
      contracts: {
        header: 'contract_id,signed_at,ended_at,reviewed_at',
        rows: rows(200, (i) => [i + 1, day(i), i % 3 ? '9999-12-31' : day(i + 90), i % 5 ? '2079-06-06' : day(i + 30)]),
      },
    });
    expect(guesses.filter(({ kind }) => kind === 'missingValues')).toMatchObject([
      { column: 'ended_at', value: '9999-12-31', confidence: 'low', reason: expect.stringContaining('133 of 200') },
      { column: 'reviewed_at', value: '2079-06-06', confidence: 'low' },
    ]);
  });

  test('codes with leading zeros stay text, and do not point to whole numbers', async () => {
    const inference = await infer('zeros', {
      shops: { header: 'shop_id,name', rows: rows(90, (i) => [i + 1, `s ${i}`]) },
      sales: { header: 'sale_id,shop_id', rows: rows(300, (i) => [i + 1, String((i % 90) + 1).padStart(4, '0')]) },
    });
    expect(tableOf(inference, 'sales').columns[1].type).toBe('string');
    expect(referencesOf(inference)).toEqual([]);
  });

  test('whole numbers written as 12.0, a few references that dangle, and \\N do no harm', async () => {
    const inference = await infer('floats', {
      Customer: { header: 'CustomerID,Name', rows: rows(200, (i) => [i + 1, `c ${i}`]) },
      Orders: {
        header: 'OrderID,CustomerID,Total,Placed',
        rows: rows(900, (i) => [
          i + 1,
          i % 40 === 0 ? '\\N' : i % 50 === 1 ? '999.0' : `${pick(1, 200)}.0`,
          pick(1, 500) / 4,
          moment(i),
        ]),
      },
    });
    expect(tableOf(inference, 'Orders').columns[1].type).toBe('integer');
    expect(referencesOf(inference)).toEqual(['Orders.CustomerID > Customer.CustomerID']);
  });

  test('empty columns, tables without rows, and a few bad values are borne', async () => {
    const inference = await infer('holes', {
      things: {
        header: 'thing_id,nothing,size',
        rows: rows(1000, (i) => [i + 1, null, i === 500 ? 'big' : i === 600 ? 'NA' : i * 2]),
      },
      none: { header: 'id,thing_id,at', rows: [] },
    });
    const [, nothing, size] = tableOf(inference, 'things').columns;
    expect(nothing!.type).toBe('string');
    expect(size!.type).toBe('integer');
    expect(inference.guesses).toContainEqual(
      expect.objectContaining({
        column: 'size',
        kind: 'type',
        confidence: 'low',
        reason: expect.stringContaining('2 of 1000'),
      }),
    );
    expect(tableOf(inference, 'none').key).toEqual([]);
  });

  test('words for absence in numbers and dates are listed, and so is a text that stands alone; codes are not', async () => {
    const inference = await infer('absent', {
      loans: {
        header: 'loan_id,income,paid,score,grade,note,rate,kind,total',
        rows: rows(600, (i) => [
          i + 1,
          i % 5 === 0 ? '?' : i % 7 === 0 ? ' n/a' : pick(1_000, 90_000),
          i % 3 === 0 ? '-' : day(i),
          i === 77 ? 'pending' : pick(300, 850),
          i % 100 === 0 ? 'X' : pick(1, 300),
          i % 4 === 0 ? 'NA' : `text ${i}`,
          i === 5 ? 'oops' : i === 6 ? 'never' : i % 9 === 0 ? 'null' : pick(1, 999) / 10,
          i % 2 === 0 ? 'none' : `k${i % 3}`,
          i % 50 === 0 ? ' ' : i * 1.5,
        ]),
      },
    });
    const columns = new Map(tableOf(inference, 'loans').columns.map((column) => [column.name, column]));
    const found = [...columns.values()].map(({ name, type, missingValues }) => [name, type, missingValues]);
    expect(found).toEqual([
      ['loan_id', 'integer', undefined],
      ['income', 'integer', ['?', 'n/a']],
      ['paid', 'date', ['-']],
      ['score', 'integer', ['pending']],
      ['grade', 'string', undefined],
      ['note', 'string', undefined],
      ['rate', 'number', ['null']],
      ['kind', 'string', undefined],
      ['total', 'number', ['']],
    ]);
    const sure = inference.guesses.filter(({ kind }) => kind === 'missingValues');
    expect(sure.map(({ column, value, confidence }) => [column, value, confidence])).toEqual([
      ['income', '?, n/a', 'high'],
      ['paid', '-', 'high'],
      ['score', 'pending', 'medium'],
      ['rate', 'null', 'medium'],
      ['total', '', 'high'],
    ]);
    expect(sure[0].reason).toBe('"?" in 120, "n/a" in 68 of 600 rows, beside 412 values of type integer');
    const doubted = inference.guesses.filter(({ kind, confidence }) => kind === 'type' && confidence === 'low');
    expect(doubted.map(({ column }) => column)).toEqual(['score', 'rate']);
  });

  test('a value empty by a word where its date is empty exists from that date', async () => {
    const inference = await infer('delays', {
      bills: {
        header: 'bill_id,issued_at,paid_at,days_late',
        rows: rows(400, (i) => {
          const open = i % 3 === 0;
          return [i + 1, day(i), open ? null : day(i + 30), open ? 'NULL' : pick(0, 20)];
        }),
      },
    });
    expect(tableOf(inference, 'bills').columns[3]).toMatchObject({ missingValues: ['NULL'], knownFrom: 'paid_at' });
  });

  test('an account that lives on does not date its cards or standing orders', async () => {
    const inference = await infer('accounts', {
      branches: { header: 'branch_id,city', rows: rows(20, (i) => [i + 1, `c${i}`]) },
      accounts: {
        header: 'account_id,branch_id,opened_on',
        rows: rows(300, (i) => [i + 1, pick(1, 20), day(pick(0, 700))]),
      },
      transactions: {
        header: 'id,account_id,booked_on,amount',
        rows: rows(4000, (i) => [i + 1, pick(1, 300), day(pick(700, 1400)), pick(-500, 500)]),
      },
      standing_orders: { header: 'id,account_id,amount', rows: rows(500, (i) => [i + 1, pick(1, 300), pick(1, 500)]) },
    });
    expect(tableOf(inference, 'accounts').time).toEqual({ column: 'opened_on' });
    expect(tableOf(inference, 'standing_orders').time).toBeUndefined();
  });

  test('a constant span before the event is found where a date shows it', async () => {
    const inference = await infer('offsets', {
      venues: { header: 'venue_id,name', rows: rows(10, (i) => [i + 1, `v${i}`]) },
      concerts: {
        header: 'concert_id,venue_id,held_on,rehearsal_on',
        rows: rows(200, (i) => [i + 1, pick(1, 10), day(i * 3), i < 100 ? null : day(i * 3 - 2)]),
      },
      rehearsals: {
        header: 'rehearsal_id,concert_id,score',
        rows: rows(900, (i) => [i + 1, pick(1, 200), pick(1, 10)]),
      },
    });
    expect(tableOf(inference, 'rehearsals').time).toEqual({ reference: 'concert_id', offset: -2 * 86_400_000_000 });
  });

  test('tax numbers, addresses and telephones are known by their form and marked as personal', async () => {
    const cpf = (): string => bareDocument(cpfFrom(pick(0, 999_999_999)));
    const inference = await infer('people', {
      people: {
        header: 'id,tax,mail,phone,site',
        rows: rows(60, (i) => [
          i + 1,
          cpf(),
          `a${i}@x.org`,
          `+55 11 9${pick(1000, 9999)}-${pick(1000, 9999)}`,
          `https://x.org/${i}`,
        ]),
      },
    });
    const people = tableOf(inference, 'people');
    expect(people.columns.map((column) => [column.format, column.pii])).toEqual([
      [undefined, false],
      ['cpf', true],
      ['email', true],
      ['phone', true],
      ['url', false],
    ]);
    expect(people.entityKind).toBe('individual');
    expect(people.columns[1]).toMatchObject({ type: 'string', graphKey: true });
  });
});
