import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Failure } from '../../lib/failure.ts';
import { dateForms } from '../../lib/files/date-forms.ts';
import type { ColumnContract, Contract } from './contract.ts';
import { formatOffset, parseOffset } from './offset.ts';
import { parseContract, parseStoredContract } from './parse.ts';
import { writeContract } from './write.ts';

function column(name: string, rest: Partial<ColumnContract> = {}): ColumnContract {
  return { name, type: 'string', required: false, unique: false, planned: false, mutable: false, pii: false, ...rest };
}

const everything: Contract = {
  id: 'shop: "north"',
  version: '1.0',
  tables: [
    {
      name: 'sales.buyers',
      description: 'Who buys.\nOnce each.',
      businessName: 'buyers: all',
      key: ['code'],
      references: [{ column: 'referred by', table: 'sales.buyers', key: 'code' }],
      time: { column: 'joined', clock: 'at' },
      knownAt: 'sent',
      entityKind: 'company',
      columns: [
        column('code', { required: true, unique: true, graphKey: true, format: 'cnpj' }),
        column('referred by', { description: 'null', businessName: 'yes', aliases: ['by whom', '1'] }),
        column('joined', { type: 'date' }),
        column('at', { type: 'time' }),
        column('sent', { type: 'timestamp' }),
        column('site', { format: 'url' }),
        column('class', { enum: ['1', 'true', 'no', '# odd', ''], pattern: '^[a-z]+$' }),
      ],
    },
    {
      name: 'lines',
      key: ['order', 'number'],
      references: [{ column: 'order', table: 'sales.buyers', key: 'code' }],
      time: { reference: 'order', offset: -86_400_000_000 },
      columns: [
        column('number', { type: 'integer', required: true, minimum: 0, maximum: 10 }),
        column('order', { required: true }),
        column('price', { type: 'number', unit: 'BRL', format: 'money', mutable: true }),
        column('due', { type: 'date', planned: true }),
        column('paid', { type: 'date', dateForm: 'dd/MM/yyyy' }),
        column('late', { type: 'integer', knownFrom: 'paid' }),
        column('who', { pii: true }),
        column('yes', { type: 'boolean', missingValues: ['?', 'null', '-999', 'n/a', '', '# none'] }),
      ],
    },
  ],
};

function problemsOf(text: string): string[] {
  try {
    parseContract(text, 'contract.yaml');
  } catch (error) {
    expect(error).toBeInstanceOf(Failure);
    expect((error as Failure).code).toBe('invalid');
    return (error as Failure).problems.map((problem) => `${problem.at}: ${problem.message}`);
  }
  return [];
}

function yaml(tables: string): string {
  return `apiVersion: v3.1.0\nkind: DataContract\nid: c\nversion: "1"\nschema:\n${tables}`;
}

describe('a contract written and read again', () => {
  test('is the same contract', () => {
    expect(parseContract(writeContract(everything), 'c')).toEqual(everything);
  });

  test.each(dateForms)('keeps the form %s of its dates', (dateForm) => {
    for (const type of ['date', 'timestamp'] as const) {
      const [buyers, lines] = everything.tables;
      const columns = [...lines.columns, column('seen', { type, dateForm })];
      const contract = { ...everything, tables: [buyers, { ...lines, columns }] };
      expect(parseContract(writeContract(contract), 'c')).toEqual(contract);
    }
  });

  test('of before has dates without a form, and says the mistakes in one', () => {
    const of = (type: string, format: string) =>
      yaml(
        `  - name: t\n    properties:\n      - {name: d, logicalType: ${type}, logicalTypeOptions: {format: ${format}}}\n`,
      );
    const plain = yaml('  - name: t\n    properties:\n      - {name: d, logicalType: date}\n');
    expect(parseStoredContract(plain, 'c').tables[0].columns).toEqual([column('d', { type: 'date' })]);
    expect(problemsOf(of('date', 'dd-MM-yy'))).toEqual([
      'line 8, schema[0].properties[0].logicalTypeOptions.format: dd-MM-yy is no form of a date; known: dd/MM/yyyy, MM/dd/yyyy, yyyy/MM/dd, yyyyMMdd, epoch_seconds, epoch_milliseconds, the first three also with . or - for /; ISO 8601 such as 2024-12-31 is read without any',
    ]);
    expect(problemsOf(of('string', 'dd/MM/yyyy'))).toEqual([
      expect.stringMatching(/format: dd\/MM\/yyyy is the form of a date or timestamp, and does not apply to a string$/),
    ]);
    expect(problemsOf(of('string', 'iban'))).toEqual([
      expect.stringMatching(/format: unknown format iban; known: cpf, /),
    ]);
  });

  test('is the same whatever its names, descriptions and allowed values say', () => {
    const text = fc.oneof(
      fc.string({ minLength: 1, unit: 'binary' }),
      fc.constantFrom(
        'null',
        '~',
        'yes',
        '1e3',
        '- a',
        '# b',
        'a: b',
        '"',
        '0x1f',
        ' x ',
        'line\nbreak',
        '\t',
        '{}',
        '*a',
        '!!b',
      ),
    );
    const name = text.filter((value) => value.trim() !== '');
    fc.assert(
      fc.property(name, name, fc.uniqueArray(text, { minLength: 1, maxLength: 4 }), text, (id, table, values, note) => {
        const contract: Contract = {
          id,
          version: '1',
          tables: [
            {
              name: table,
              description: values[0],
              key: ['k'],
              references: [{ column: id === 'k' ? 'j' : id, table, key: 'k' }],
              columns: [column('k', { required: true }), column(id === 'k' ? 'j' : id, { enum: values, unit: note })],
            },
          ],
        };
        const written = writeContract(contract, [{ table, column: 'k', kind: 'key', text: note }]);
        expect(parseContract(written, 'c')).toEqual(contract);
      }),
      { numRuns: 300 },
    );
  });

  test('is the same with notes in it, which stand as comments behind what they are about', () => {
    const text = writeContract(everything, [
      { table: 'lines', column: 'number', kind: 'key', text: 'high: unique,\nnever empty' },
      { table: 'lines', column: 'order', kind: 'reference', text: 'medium: names agree' },
      { table: 'lines', column: null, kind: 'time', text: 'low: through order' },
      { table: 'sales.buyers', column: 'class', kind: 'enum', text: 'few values' },
      { table: 'lines', column: 'paid', kind: 'range', text: 'odd: not stated' },
      { table: 'lines', column: 'yes', kind: 'missingValues', text: '"?" in 3 rows' },
    ]);
    expect(parseContract(text, 'c')).toEqual(everything);
    expect(text).toContain('primaryKey: true # high: unique, never empty\n');
    expect(text).toContain('to: sales.buyers.code # medium: names agree\n');
    expect(text).toContain('reference: order # low: through order\n');
    expect(text).toContain('metric: invalidValues # few values\n');
    expect(text).toContain('name: paid # odd: not stated\n');
    expect(text).toContain('- "?" # "?" in 3 rows\n');
  });
});

describe('a mistake in a contract', () => {
  test.each([
    ['of one text', '"?"', '', /must be a list of texts/],
    ['that are numbers', '["?", -999]', '', /must be a text: put -999 in quotes/],
    ['that are null', '["?", null]', '', /must be a text: put null in quotes/],
    ['that are none', '[]', '', /missingValues: lists no text/],
    ['with blanks around', '["? "]', '', /"\? ": blanks around a text do not count/],
    ['given twice', '["?", "?"]', '', /lists a text twice/],
    ['that are long', `["${'a'.repeat(41)}"]`, '', /is longer than 40 characters/],
    ['that are many', JSON.stringify(Array.from({ length: 21 }, (_, i) => `w${i}`)), '', /more than 20 texts/],
    ['of a key', '["?"]', 'primaryKey: true, ', /^line 9, .*x is part of the key/],
    ['of a required column', '["?"]', 'required: true, ', /^line 9, .*x is required/],
  ])('missing values %s are refused', (_, list, rules, expected) => {
    const tables = `  - name: a
    properties:
      - {
          name: x, logicalType: integer, ${rules}customProperties: [{ property: missingValues, value: ${list} }] }
`;
    expect(problemsOf(yaml(tables))).toEqual([expect.stringMatching(expected)]);
  });

  test('is named with its line and path, and all are named at once', () => {
    const problems = problemsOf(
      yaml(`  - name: a
    colour: red
    properties:
      - name: id
        logicalType: integer
        primaryKey: yes
      - name: b
        logicalType: text
        relationships:
          - to: nowhere.id
  - name: c
    properties:
      - name: a_id
        logicalType: integer
        relationships:
          - to: a.b
      - name: low
        logicalType: integer
        logicalTypeOptions: { minimum: 5, maximum: 2 }
      - name: low
        logicalType: string
        logicalTypeOptions: { pattern: "([a-z" }
`),
    );
    expect(problems).toEqual([
      expect.stringMatching(/^line 7, schema\[0\]\.colour: unknown field/),
      expect.stringMatching(/^line 11, schema\[0\]\.properties\[0\]\.primaryKey: must be true or false/),
      expect.stringMatching(/^line 13, schema\[0\]\.properties\[1\]\.logicalType: text is not one/),
      'line 15, schema[0].properties[1].relationships[0].to: there is no table nowhere',
      expect.stringMatching(/^line 21, schema\[1\]\.properties\[0\]\.relationships\[0\]\.to: a\.b is not the key of a/),
      'line 24, schema[1].properties[1].logicalTypeOptions.minimum: 5 is above the maximum 2',
      'line 25, schema[1].properties[2].name: low is named twice',
      expect.stringMatching(/^line 27, schema\[1\]\.properties\[2\]\.logicalTypeOptions\.pattern: /),
    ]);
  });

  test.each([
    ['an unquoted version', 'kind: DataContract\nid: c\nversion: 1.0\nschema: []', /version: must be text.*quotes/],
    ['broken YAML', 'kind: [DataContract', /^line 1, column/],
    ['a field twice', 'kind: DataContract\nkind: DataContract', /^line 2, column 1/],
    ['a list', '- 1', /must be a map/],
    ['nothing', '', /must be a map/],
    ['another kind', 'kind: Service', /kind: must be DataContract/],
  ])('%s is refused', (_, text, expected) => {
    expect(problemsOf(text)).toContainEqual(expect.stringMatching(expected));
  });

  const timed = (name: string, time: string, columns: string): string => `  - name: ${name}
    customProperties:
      - { property: entityKind, value: event }
      - { property: eventTime, value: ${time} }
    properties:
      - { name: id, logicalType: integer, primaryKey: true }
${columns}`;
  const link = (to: string): string =>
    `      - { name: up, logicalType: integer, relationships: [{ to: ${to}.id }] }\n`;

  test.each([
    ['a time that is no date', timed('a', 'id', ''), /eventTime id: is a integer, not a date or timestamp/],
    ['a time that is no column', timed('a', 'when', ''), /^line 9, .*eventTime when: a has no such column/],
    ['a time through no reference', timed('a', '{ reference: id }', ''), /eventTime reference id: is not a reference/],
    ['a bad offset', timed('a', '{ reference: up, offset: 1 day }', link('a')), /1 day is not a span/],
    [
      'a cycle of time references',
      timed('a', '{ reference: up }', link('b')) + timed('b', '{ reference: up }', link('a')),
      /leads back to a/,
    ],
    ['a time through itself', timed('a', '{ reference: up }', link('a')), /leads back to a/],
    ['a clock on nothing', timed('a', '{ clock: id }', ''), /must be a column name/],
  ])('%s is refused', (_, tables, expected) => {
    expect(problemsOf(yaml(tables))).toContainEqual(expect.stringMatching(expected));
  });

  test.each(['(.)\\1', '(?=a)a', 'a{1001}', '(?:a{1000}){1000}'])(
    'the pattern %s has what the syntax lacks, and is refused',
    (p) => {
      const tables = `  - name: a\n    properties:\n      - { name: x, logicalType: string, logicalTypeOptions: { pattern: '${p}' } }\n`;
      expect(problemsOf(yaml(tables))).toHaveLength(1);
    },
  );

  test.each(['^[A-Z]{2}\\d{4}$', '^(\\d{3}-)?\\d+$', '[(+*]+\\(a\\)+', '(a+)+$', '(a|aa)*'])(
    'the pattern %s is accepted',
    (p) => {
      const tables = `  - name: a\n    properties:\n      - { name: x, logicalType: string, logicalTypeOptions: { pattern: '${p}' } }\n`;
      expect(problemsOf(yaml(tables))).toEqual([]);
    },
  );

  test('of a stored contract, a pattern that cannot be used any more is no mistake, and all others are', () => {
    const tables = (rules: string) =>
      `  - name: a\n    properties:\n      - { name: x, logicalType: string, logicalTypeOptions: { ${rules} } }\n`;
    expect(parseStoredContract(yaml(tables("pattern: '(?=a)a'")), 'f').tables[0].columns[0].pattern).toBe('(?=a)a');
    expect(() => parseStoredContract(yaml(tables('minimum: 1')), 'f')).toThrow(/does not apply/);
  });
});

test('a self-reference is allowed', () => {
  const tables = `  - name: a
    properties:
      - { name: id, logicalType: integer, primaryKey: true }
      - { name: parent, logicalType: integer, relationships: [{ to: a.id }] }
`;
  expect(problemsOf(yaml(tables))).toEqual([]);
});

test.each([
  ['-1d', -86_400_000_000],
  ['6h', 21_600_000_000],
  ['0', 0],
  ['1.5s', 1_500_000],
  ['day', null],
])('the span %s is %s microseconds', (text, expected) => {
  expect(parseOffset(text)).toBe(expected);
  if (expected !== null) expect(parseOffset(formatOffset(expected))).toBe(expected);
});

test('a column is personal by either word, and a word that is not known is refused', () => {
  const classified = (word: string) =>
    parseContract(
      [
        ...['apiVersion: v3.1.0', 'kind: DataContract', 'id: c', 'version: "1"', 'schema:', '  - name: people'],
        ...['    properties:', '      - {name: id, logicalType: string, primaryKey: true}'],
        `      - {name: mail, logicalType: string, classification: ${word}}`,
      ].join('\n'),
      'contract.yaml',
    ).tables[0].columns[1].pii;
  expect(['pii', 'PII', 'personal', 'Personal'].map(classified)).toEqual([true, true, true, true]);
  expect(['public', 'restricted'].map(classified)).toEqual([false, false]);
  expect(() => classified('sensitve')).toThrow(/classification: sensitve is not known: pii or personal/);
});
