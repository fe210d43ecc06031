import { expect, test } from 'vitest';
import { fitCohort } from '../../../server/src/ml/calibration/cohort.ts';
import { fieldSales } from '../../../server/src/ml/kinds/field-sales.ts';
import { paidMedia } from '../../../server/src/ml/kinds/paid-media.ts';
import { type InputReason, sayInputReason } from '../../../server/src/ml/version/input-reasons.ts';
import { describeMissing } from '../../../server/src/ml/version/input-requests.ts';
import { describeRows, type RowWarningCode } from '../../../server/src/serving/rows/row-warnings.ts';
import { sayBatchWarning } from '../../src/batches/warning-words.ts';
import { sayValue } from '../../src/predictions/value-words.ts';
import { sayMistake } from '../../src/words/mistakes.ts';
import { rowReasonsInPortuguese } from '../../src/words/row-reasons.ts';

import { namedIn } from './named-in.ts';

test('every value that the service names by itself has words in Portuguese', () => {
  for (const { field } of [
    ...fieldSales.answers([{ name: 'growth' }] as never),
    ...paidMedia.answers([{ name: 'value', cohort: fitCohort([1, 2, 3]) }] as never),
  ])
    for (const value of field.name === 'risk_band' ? [] : (field.enum ?? []))
      expect([field.name, value, sayValue(field.name, value, 'pt-BR')]).not.toEqual([field.name, value, value]);
  expect(sayValue('segment', 'mid value, hot', 'pt-BR')).toBe('valor médio, quente');
  expect(sayValue('prediction', 'stable', 'pt-BR')).toBe('stable');
});

test('every reason why a row has no answer has words in Portuguese, which name what the English ones name', () => {
  const value = {
    type: 'date',
    examples: ['[example]'],
    found: '[found]',
    foundAs: 'text',
    hint: 'not_midnight',
  } as const;
  // The compiler refuses a code that one of the two lacks.
  const reasons: { readonly [Code in InputReason['code']]: Omit<Extract<InputReason, { code: Code }>, 'code'> } = {
    ...{ missing: {}, open_quote: {}, text_after_quote: {}, not_utf8: {}, nul_bytes: {} },
    ...{ day_ahead: {}, before_year_1: {}, no_target: {} },
    not_of_type: value,
    expected_type: value,
    row_fields: { expected: 7, found: 70 },
    row_too_long: { size: '[size]', column: '[column]' },
    out_of_range: { minimum: 7, maximum: 70, found: 700 },
    wrong_format: { format: 'cnpj' },
    undated: { input: '[input]' },
    dated_ahead: { day: '[day]', today: '[today]' },
    long_text: { most: 7 },
    unknown_target: { target: '[target]' },
    unread_future: { until: '[until]' },
    lacking_of_new: { table: '[table]' },
  };
  expect(Object.keys(rowReasonsInPortuguese).sort()).toEqual(Object.keys(reasons).sort());
  const saidOf = (because: InputReason) => {
    const english = sayInputReason(because);
    const portuguese = sayMistake(english, because)!;
    expect(portuguese).not.toMatch(/undefined|null/);
    expect({ because, named: namedIn(portuguese) }).toEqual({ because, named: namedIn(english) });
  };
  for (const [code, values] of Object.entries(reasons)) saidOf({ code, ...values } as InputReason);
  for (const format of ['cpf', 'cnpj', 'email', 'phone', 'url', 'uuid'] as const)
    saidOf({ code: 'wrong_format', format });
  for (const type of ['string', 'integer', 'number', 'boolean', 'date', 'timestamp', 'time'] as const)
    for (const foundAs of ['text', 'number', 'list', 'object'] as const)
      for (const hint of ['too_large', 'decimal_point', 'not_midnight', null] as const)
        saidOf({ code: 'not_of_type', type, examples: [], found: '[found]', foundAs, hint });
  saidOf({ code: 'out_of_range', minimum: null, maximum: 7, found: null });
  saidOf({ code: 'out_of_range', minimum: 7, maximum: null, found: null });
});

test('what a file of a batch is warned of is said in Portuguese, with what it names', () => {
  const of = { file_id: 'f', path: 'a.csv' };
  const format = {
    integer: (value: number) => value.toLocaleString('pt-BR'),
    percent: (share: number) => `${(100 * share).toLocaleString('pt-BR')}%`,
  };
  const codes: Record<RowWarningCode, string> = {
    ...{
      unknown_entities: '[who]',
      unnamed_entities: '[who]',
      wrong_check_digits: '[who]',
      outside_population: '[size > 6]',
      stale_data: '31',
      before_learned: '2023-06-15',
    },
  };
  for (const [code, about] of Object.entries(codes)) {
    const [{ message, values }] = describeRows(code as RowWarningCode, { [about]: { rows: 1234, first: [1] } }, 5678);
    const said = sayBatchWarning({ ...of, code, message, values }, format);
    for (const [english, portuguese] of [
      [about, about],
      ['1,234', '1.234'],
      ['5,678', '5.678'],
    ]) {
      expect(message).toContain(english);
      expect(said).toContain(portuguese);
    }
  }
  const told = { rows: 2, first: [1], said: { en: '[size at least 6]', 'pt-BR': '[tamanho ao menos 6]' } };
  const [outside] = describeRows('outside_population', { 'size >= 6': told }, 5);
  expect(outside.message).toContain('which is about cases with [size at least 6] as of their moment');
  expect(outside.message).not.toContain('>=');
  expect(sayBatchWarning({ ...of, code: 'outside_population', ...outside }, format)).toContain(
    'que é de casos com [tamanho ao menos 6]:',
  );
  const missing = { name: '[size]', importance: 0.0412 };
  const message = describeMissing(missing);
  expect(message).toContain('[size] is not in the file: the model draws 4.1 % ');
  const said = sayBatchWarning({ ...of, code: 'missing_inputs', message, values: missing }, format);
  expect(said).toMatch(/^a\.csv: a coluna \[size\] não está no arquivo: o modelo tira dela 4,12%/);
  // Written down before values were told.
  expect(sayBatchWarning({ ...of, code: 'missing_inputs', message }, format)).toBe(null);
});
