import { expect, test } from 'vitest';
import { parseContract } from '../../server/src/ml/contract/parse.ts';
import { correctContract } from '../src/data/correct-contract.ts';
import type { Correction } from '../src/data/corrections.ts';

const text = `# ours
apiVersion: v3.1.0
kind: DataContract
id: shop
version: "1"
schema:
  - name: customer
    properties:
      - name: customer_id # who
        logicalType: string
        primaryKey: true
        required: true
      - name: cpf
        logicalType: string # by its values
        logicalTypeOptions: { format: cpf, pattern: "[0-9]+" }
        classification: restricted
  # what they buy
  - name: order
    customProperties:
      - property: eventTime
        value: placed # the only date
      - property: entityKind
        value: event
    properties:
      - { name: order_id, logicalType: integer, primaryKey: true }
      - name: customer
        logicalType: string
      - name: placed
        logicalType: date
        logicalTypeOptions:
          format: dd/MM/yyyy
      - name: due
        logicalType: date
`;

const ofColumn = (table: string, column: string, values: Readonly<Record<string, string | boolean>>) =>
  Object.entries(values).map(([field, value]) => ({ table, column, field, value }) as Correction);
const ofTable = (table: string, values: Readonly<Record<string, string>>) =>
  Object.entries(values).map(([field, value]) => ({ table, column: null, field, value }) as Correction);

test('corrections change the lines that they are about, and no other', () => {
  const corrected = correctContract(text, [
    ...ofColumn('order', 'customer', { reference: 'customer.customer_id', isMutable: true }),
    ...ofColumn('order', 'placed', { format: 'MM/dd/yyyy' }),
    ...ofColumn('order', 'due', { isPlanned: true, knownFrom: 'placed' }),
    ...ofColumn('customer', 'cpf', { type: 'integer', isPersonal: true }),
    ...ofTable('order', { eventTime: 'due', entityKind: '' }),
  ])!;
  expect(corrected.split('\n').filter((line) => !text.includes(`${line}\n`))).toEqual([
    '        logicalType: integer',
    '        customProperties:',
    '          - property: pii',
    '            value: true',
    '        value: due',
    '        relationships:',
    '          - to: customer.customer_id',
    '        customProperties:',
    '          - property: mutable',
    '            value: true',
    '          format: MM/dd/yyyy',
    '        customProperties:',
    '          - property: planned',
    '            value: true',
    '          - property: knownFrom',
    '            value: placed',
  ]);
  for (const kept of [
    '# ours',
    '# who',
    '# what they buy',
    '{ name: order_id, logicalType: integer, primaryKey: true }',
  ])
    expect(corrected).toContain(kept);
  for (const gone of ['# by its values', '# the only date', 'cpf,', 'entityKind'])
    expect(corrected).not.toContain(gone);

  const [customer, order] = parseContract(corrected, 'contract').tables;
  expect(customer.columns[1]).toEqual({
    ...{ name: 'cpf', type: 'integer', required: false, unique: false, planned: false, mutable: false, pii: true },
  });
  expect(order.references).toEqual([{ column: 'customer', table: 'customer', key: 'customer_id' }]);
  expect(order.columns[3]).toMatchObject({ planned: true, knownFrom: 'placed' });
});

test('a contract without corrections, or with some taken back, is as it was', () => {
  expect(correctContract(text, [])).toBe(text);
  const there = correctContract(text, ofColumn('order', 'due', { isKey: true, isPersonal: true, unit: 'days' }))!;
  expect(parseContract(there, 'contract').tables[1].key).toEqual(['order_id', 'due']);
  expect(correctContract(there, ofColumn('order', 'due', { isKey: false, isPersonal: false, unit: '' }))).toBe(text);
});

test('a place that is another one too is not written to', () => {
  const aliased = text
    .replace('logicalType: integer', 'logicalType: &whole integer')
    .replace('logicalType: date\n', 'logicalType: *whole\n');
  expect(correctContract(aliased, ofColumn('order', 'placed', { type: 'date' }))).toBeNull();
});

test('bounds of numbers are written and taken away, and those of other types go with the type', () => {
  const numbers = `${text}      - name: amount
        logicalType: number
        logicalTypeOptions: { minimum: 0 }
`;
  const of = (values: Readonly<Record<string, string | boolean>>) =>
    correctContract(numbers, ofColumn('order', 'amount', values))!;
  const boundsIn = (corrected: string) => {
    const { columns } = parseContract(corrected, 'contract').tables[1]!;
    const { minimum, maximum } = columns.find(({ name }) => name === 'amount')!;
    return [minimum, maximum];
  };
  expect(boundsIn(of({ maximum: '99.5' }))).toEqual([0, 99.5]);
  expect(boundsIn(of({ minimum: '', maximum: '5' }))).toEqual([undefined, 5]);
  expect(of({ minimum: '' })).not.toContain('minimum');
  expect(boundsIn(of({ type: 'string' }))).toEqual([undefined, undefined]);
});

test('a column that is known later, or merely another name of its row, is written so and taken back', () => {
  const later = correctContract(text, ofColumn('order', 'customer', { isMutable: true, isIdentifier: true }))!;
  const { columns } = parseContract(later, 'contract').tables[1]!;
  expect(columns[1]).toMatchObject({ name: 'customer', mutable: true, format: 'identifier' });
  expect(correctContract(later, ofColumn('order', 'customer', { isMutable: false, isIdentifier: false }))).toBe(text);
});
