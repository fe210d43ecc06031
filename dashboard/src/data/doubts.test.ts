import { expect, test } from 'vitest';
import { readContract } from './contract.ts';
import { type Correction, impliedBy } from './corrections.ts';
import { doubtsOf, remediesOf } from './doubts.ts';
import type { Guess } from './report.ts';

const document = `
schema:
  - name: loans
    customProperties: [{ property: eventTime, value: created }, { property: entityKind, value: individual }]
    properties:
      - { name: loan_id, logicalType: integer, primaryKey: true }
      - { name: referred_by, logicalType: string }
      - { name: created, logicalType: timestamp }
      - { name: approved, logicalType: timestamp }
      - { name: settled, logicalType: date, logicalTypeOptions: { format: dd/MM/yyyy } }
  - name: people
    properties: [{ name: code, logicalType: string }, { name: born, logicalType: date }]
`;
const [loans, people] = (await readContract(document)).tables as [never, never];

const guess = (kind: string, value: string, column: string | null, more: Partial<Guess> = {}): Guess => ({
  ...{ table: 'loans', kind, value, column, confidence: 'low', reason: '', ...more },
});
const remedies = (one: Guess, table = loans) => remediesOf(one, table).map(({ column, values }) => [column, values]);

test('what was only noted is taken by one click, and what was taken is taken back', () => {
  const reference = guess('reference', 'people.code', 'referred_by', { applied: false });
  expect(remedies(reference)).toEqual([['referred_by', { reference: 'people.code' }]]);
  expect(remedies({ ...reference, applied: true })).toEqual([['referred_by', { reference: '' }]]);
  expect(remedies(guess('key', 'loan_id', 'loan_id', { applied: true }))).toEqual([['loan_id', { isKey: false }]]);
  expect(remedies(guess('key', 'loan_id + created', 'loan_id', { applied: true }))).toEqual([]);
  expect(remedies(guess('planned', 'true', 'settled', { applied: false }))).toEqual([['settled', { isPlanned: true }]]);
  expect(remedies(guess('type', 'date dd/MM/yyyy', 'settled'))).toEqual([['settled', { format: 'MM/dd/yyyy' }]]);
});

test('of dates those within a day of the one taken are offered, and without such all others', () => {
  const time = guess('time', 'created', null);
  expect(remedies(time)).toEqual([
    [null, { eventTime: 'approved' }],
    [null, { eventTime: 'settled' }],
  ]);
  const rival = { ...time, because: [{ code: 'rival_dates', columns: ['approved'] }] };
  expect(remedies(rival)).toEqual([[null, { eventTime: 'approved' }]]);
});

test('what rows are is offered but for what was taken', () => {
  const kinds = remedies(guess('entityKind', 'individual', null)).map(([, values]) => values);
  expect(kinds).toEqual(['company', 'asset', 'event', 'other'].map((entityKind) => ({ entityKind })));
});

test('bounds that were merely seen are no doubts, nor dates of birth, nor what has been corrected', () => {
  const range = guess('range', '1 … 9', 'loan_id', { applied: false });
  const birth = guess('time', 'born', 'born', { because: [{ code: 'named_founding' }] });
  const kind = guess('entityKind', 'individual', null);
  expect(doubtsOf(loans, loans, [range, kind])).toEqual([kind]);
  expect(doubtsOf(people, people, [birth])).toEqual([]);
  expect(doubtsOf(people, people, [{ ...birth, because: [{ code: 'empty_in' }] }])).toHaveLength(1);
  const corrected = { ...(loans as object), entityKind: 'company' } as never;
  expect(doubtsOf(corrected, loans, [kind])).toEqual([]);
});

test('of what is likely only what costs most is looked at', () => {
  const likely = [guess('reference', 'people.code', 'referred_by'), guess('enum', 'a, b', 'referred_by')];
  expect(
    doubtsOf(
      loans,
      loans,
      likely.map((one) => ({ ...one, confidence: 'medium' })),
      'medium',
    ).map(({ kind }) => kind),
  ).toEqual(['reference']);
});

test('where rows are said to be no people, what was taken for their names is no personal data, unless by hand', () => {
  const [byTable, own] = [
    guess('pii', 'true', 'name', { because: [{ code: 'named_person' }, { code: 'table_of_people' }] }),
    guess('pii', 'true', 'full_name', { because: [{ code: 'named_person' }] }),
  ];
  const rowsAre = (value: string): Correction => ({ table: 'loans', column: null, field: 'entityKind', value });
  const byHand: Correction = { table: 'loans', column: 'name', field: 'isPersonal', value: true };
  const unmarked = { ...byHand, value: false };
  expect(impliedBy([rowsAre('company')], [byTable, own])).toEqual([unmarked]);
  for (const given of [[], [rowsAre('individual')], [rowsAre('')], [rowsAre('company'), byHand]])
    expect(impliedBy(given, [byTable, own])).toEqual([]);
});

test('a name that may be no more than that is called so by one click, and is no doubt where it is not kept', async () => {
  const document = (more: string) =>
    `schema: [{ name: firms, properties: [{ name: title, logicalType: string, ${more} }] }]`;
  const of = async (more: string) => (await readContract(document(more))).tables[0]!;
  const title = guess('format', 'identifier', 'title', { table: 'firms', applied: false });
  const plain = await of('required: false');
  expect(doubtsOf(plain, plain, [title])).toEqual([title]);
  expect(remedies(title, plain as never)).toEqual([['title', { isIdentifier: true }]]);
  const called = await of('logicalTypeOptions: { format: identifier }');
  expect(doubtsOf(called, plain, [title])).toEqual([]);
  const personal = await of('classification: pii');
  expect(doubtsOf(personal, personal, [title])).toEqual([]);
});
