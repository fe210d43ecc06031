import { expect, test } from 'vitest';
import { day, type Row, sampleContract, sampleRows } from '../../../tests/samples.ts';
import { outputFields } from '../answers/answers.ts';
import { fitCohort } from '../calibration/cohort.ts';
import type { ColumnContract, Contract } from '../contract/contract.ts';
import { isOfFormat } from '../contract/formats.ts';
import { readText } from '../contract/profile.ts';
import type { Feature } from '../features/feature.ts';
import type { KindName } from '../kinds/kinds.ts';
import { objectiveOf } from '../tasks/labels.ts';
import { parseTask } from '../tasks/parse-task.ts';
import { inputFields } from './schema.ts';

const plain = sampleContract([
  { name: 'branch', key: 'code', columns: { code: 'string' } },
  {
    name: 'loan',
    key: 'loan_id',
    time: 'granted',
    references: { branch: 'branch' },
    columns: {
      loan_id: 'integer',
      // Given as numbers, where the keys of the branches are texts.
      branch: 'integer',
      granted: 'date',
      signed: 'timestamp',
      opens: 'time',
      amount: 'number',
      terms: 'integer',
      share: 'number',
      kind: 'string',
      level: 'integer',
      note: 'string',
      insured: 'boolean',
      document: 'string',
      company: 'string',
      payer: 'string',
      mail: 'string',
      mobile: 'string',
      page: 'string',
      token: 'string',
      born: 'date',
      income: 'number',
      policy: 'integer',
      few: 'number',
      paid: 'date',
      late: { type: 'integer', knownFrom: 'paid' },
    },
  },
]);
const more: Record<string, Partial<ColumnContract>> = {
  signed: { planned: true },
  share: { minimum: 0, maximum: 0.01 },
  kind: { enum: ['leasing', 'loan'] },
  level: { enum: ['3', '1'] },
  document: { format: 'cpf', pii: true },
  company: { format: 'cnpj', graphKey: true },
  payer: { format: 'identifier', pii: true },
  mail: { format: 'email', pii: true },
  mobile: { format: 'phone', pii: true },
  page: { format: 'url' },
  token: { format: 'uuid' },
  born: { pii: true },
  income: { pii: true, minimum: 500 },
  policy: { format: 'identifier' },
};
const contract: Contract = {
  ...plain,
  tables: plain.tables.map((table) => ({
    ...table,
    columns: table.columns.map((column) => ({ ...column, ...more[column.name] })),
  })),
};
const own = 7_654_321;
const start = Date.UTC(2023, 0, 1) * 1000;
const loans = Array.from(
  { length: 101 },
  (_, i): Row => ({
    loan_id: own + i,
    branch: null,
    granted: start + i * day,
    signed: start + i * day + 37 * 60_000_000,
    opens: 9.5 * 3_600_000_000,
    amount: 123_456.78 + i,
    terms: 1_987,
    share: 0.5,
    kind: 'loan',
    level: 1,
    note: i < 30 ? 'renewal' : `of Ana ${own + i}`,
    insured: 0,
    document: `529.982.247-${i}`,
    company: `c${own}`,
    payer: '00000000000191',
    mail: `ana${own}@mail.org`,
    mobile: `+55 ${own}`,
    page: `https://ana.org/${own}`,
    token: `t${own + i}`,
    born: start - own * day,
    income: own,
    policy: own + i,
    few: i < 19 ? own : null,
    paid: start + 500 * day,
    late: 77,
  }),
);
const task = parseTask('entity: loan\nkey: loan_id\ntime: date\nlabel: late\nkind: binary\n', 'late', 'task.yaml');
const columns = contract.tables[1].columns.map(({ name }) => name);
const features: Feature[] = columns.map((column) => ({ focus: { kind: 'root' }, read: { kind: 'attribute', column } }));
const given = (rows: readonly Row[]) => ({
  columns: sampleRows(contract.tables[1], rows).columns,
  rows: Int32Array.from(rows.keys()),
});
const fieldsOf = (rows: readonly Row[]) =>
  inputFields(task, contract, true, features, new Float64Array(columns.length).fill(1), given(rows));
const fields = fieldsOf(loans);
const exampleOf = new Map(fields.map(({ name, example }) => [name, example]));

test('an example is the median, rounded, the first allowed value, or a text that many rows have', () => {
  expect(Object.fromEntries(exampleOf)).toMatchObject({
    granted: '2023-02-20',
    signed: '2023-02-20T00:00:00',
    opens: '09:00:00',
    amount: 124_000,
    terms: 1_987,
    share: 0.01,
    kind: 'leasing',
    level: 3,
    note: 'renewal',
    insured: true,
  });
});

test('an example of a key, a reference or personal data is made up in the right form, whatever the rows hold', () => {
  for (const [name, format] of [
    ['document', 'cpf'],
    ['company', 'cnpj'],
    ['payer', 'cnpj'],
    ['mail', 'email'],
    ['mobile', 'phone'],
    ['page', 'url'],
    ['token', 'uuid'],
  ] as const)
    expect([name, isOfFormat(format, String(exampleOf.get(name)))]).toEqual([name, true]);
  expect(exampleOf.get('document')).toMatch(/^\d{3}\.\d{3}\.\d{3}-\d\d$/);
  expect(exampleOf.get('payer')).toBe('11222333000181');
  expect(Object.fromEntries(exampleOf)).toMatchObject({ loan_id: 1, branch: 'id-1', income: 500, policy: 1, few: 1 });
  const told = JSON.stringify(fields);
  expect([String(own), 'Ana', 'ana', '529', 'c7', '191'].filter((text) => told.includes(text))).toEqual([]);
});

test('an example is not made of what is filled in later', () => {
  expect([exampleOf.get('paid'), exampleOf.get('late')]).toEqual(['2024-12-31', 1]);
});

test('every example reads as its type and keeps its range and list, with rows and without', () => {
  for (const field of [...fields, ...fieldsOf([]), ...inputFields(task, contract, false, [], [])]) {
    const { name, type, example, minimum = -Infinity, maximum = Infinity, enum: allowed } = field;
    const value = type === 'string' ? 0 : readText(type, String(example));
    const fits = !Number.isNaN(value) && (allowed?.includes(String(example)) ?? true);
    const isWithin = typeof example !== 'number' || (example >= minimum && example <= maximum);
    expect([name, fits, isWithin]).toEqual([name, true, true]);
  }
});

test('a reference is asked for as the key it points to', () => {
  expect(fields.find(({ name }) => name === 'branch')).toMatchObject({ type: 'string' });
});

test('outputs have examples, a score with its band', () => {
  const credit = parseTask(
    'entity: loan\nkey: loan_id\ntime: date\nlabel: late\nkind: credit\nwindow: 365d\n',
    'late',
    'task.yaml',
  );
  const output = (kind: KindName, name: string, classes: readonly string[], values: readonly number[]) => [
    { name, objective: objectiveOf({ ...task, kind }, null, classes), cohort: fitCohort(values) },
  ];
  const found = new Map(
    outputFields(credit, output('credit', 'pd_365', [], [0.1])).map((field) => [field.name, field]),
  );
  expect(found.get('score')!.example).toBe(650);
  expect(found.get('pd_365')!.example).toBe(0.05);
  const band = found.get('risk_band')!;
  expect([band.example, band.enum!.length]).toEqual(['Medium Risk', 6]);
  expect(JSON.parse(String(found.get('key_factors')!.example))).toEqual([expect.any(String)]);
  const regression = { ...task, kind: 'regression' as const };
  expect(outputFields(regression, output('regression', 'late', [], [12.3456]))[0].example).toBe(12.3);
  expect(
    outputFields({ ...task, kind: 'multiclass' }, output('multiclass', 'late', ['a', 'b'], [0.5]))[0].example,
  ).toBe('a');
});
