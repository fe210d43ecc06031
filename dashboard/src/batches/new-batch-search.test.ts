import { expect, test } from 'vitest';
import { headOfText } from '../uploads/head-of-file.ts';
import type { Batch } from './batch.ts';
import { type Input, mapColumns, mappingOf } from './column-mapping.ts';
import { chosenOf, optionsOf, readNewBatchSearch, searchLike } from './new-batch-search.ts';

const batch = {
  id: 'bat_1',
  model: { model_id: 'mod_1', alias: 'production', version_id: 'ver_1' },
  reference_date: '2024-12-31',
  priority: -3,
  output_format: 'csv',
  csv_dialect: 'excel_semicolon',
  include: ['interval'],
  reference_column: 'my_ref',
  column_mapping: { customer_id: 'Cliente' },
} as unknown as Batch;

test('rows of a batch are scored again as it was asked, through an address', () => {
  const search = readNewBatchSearch(JSON.parse(JSON.stringify(searchLike(batch))));
  expect(search).toMatchObject({ model: 'mod_1', target: 'production', corrects: 'bat_1' });
  expect(optionsOf(search)).toEqual({
    ...{ format: 'excel', day: '2024-12-31', priority: '-3', reference: 'my_ref' },
    ...{ hasInterval: true, hasColumns: true, hasRow: false, hasWarnings: false },
  });
  const field = { type: 'string', required: true, description: '', pii: false } as const;
  const inputs: readonly Input[] = [
    { ...field, name: 'customer_id' },
    { ...field, name: 'reference_date', type: 'date' },
    { ...field, name: 'order' },
  ];
  const head = headOfText('Cliente,Data Base,order\nc1,2024-01-31,o1\n', 'csv', true)!;
  // What the batch read of no column, or of one of its name, is read so again.
  const mapped = mapColumns([head], inputs, chosenOf(search, inputs));
  expect(mapped.map(({ column }) => column)).toEqual(['Cliente', '', 'order']);
  expect(mappingOf(mapped)).toEqual({ customer_id: 'Cliente' });
  // An address without columns has them found.
  expect(mappingOf(mapColumns([head], inputs, chosenOf({}, inputs)))).toMatchObject({ reference_date: 'Data Base' });
});

test('an address says what can be asked, and the usual options where it says nothing', () => {
  expect(readNewBatchSearch({ day: '2024-02-30', format: 'xml', priority: 99, include: 'row', columns: [1] })).toEqual(
    {},
  );
  expect(optionsOf({})).toMatchObject({ format: '', day: '', priority: '0', hasColumns: true, hasInterval: false });
});
