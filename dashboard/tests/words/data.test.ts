import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkFile } from '../../../server/src/ml/contract/check.ts';
import type { ColumnContract, Contract } from '../../../server/src/ml/contract/contract.ts';
import { type FieldMistake, sayFieldMistake } from '../../../server/src/ml/contract/field-mistakes.ts';
import { type Notice, sayNotice } from '../../../server/src/ml/contract/notices.ts';
import { type ReasonCode, sayReasons } from '../../../server/src/ml/contract/reasons.ts';
import { ingest } from '../../../server/src/resources/ingestions/compute.ts';
import { sayDeviation } from '../../src/data/deviation-words.ts';
import { sayIngestPhase } from '../../src/data/ingest-phases.ts';
import { noticesInPortuguese, sayNotice as sayInPortuguese } from '../../src/data/notice-words.ts';
import { reasonsInPortuguese } from '../../src/data/reason-words.ts';
import { fieldMistakesInPortuguese } from '../../src/words/field-mistakes.ts';
import { sayMistake } from '../../src/words/mistakes.ts';

import { namedIn } from './named-in.ts';

/** Gives for each value that a sentence asks for its name in brackets, or what it chooses its words by. */
function valuesOf(code: string): object {
  const own: Readonly<Record<string, unknown>> = {
    ...{ code, repeated: 7, missing: 7, iso: 7, columns: ['[column]', '[other]'] },
    found: [{ text: '[text]', rows: '[rows of text]' }],
    first: code === 'near_key' ? [{ row: '[row]', of: '[earlier row]' }] : 'day',
    ...{ form: 'cpf', unit: 'seconds', of: 'company' },
  };
  return new Proxy({}, { get: (_, name) => own[String(name)] ?? `[${String(name)}]` });
}

test('every reason of a guess has words in Portuguese, which name what the English ones name', () => {
  // The compiler refuses a code that one of the two lacks.
  const words: Readonly<Record<ReasonCode, (values: never, n: typeof String) => string>> = reasonsInPortuguese;
  const codes: readonly ReasonCode[] = Object.keys(words) as (keyof typeof reasonsInPortuguese)[];
  for (const code of codes) {
    const values = valuesOf(code);
    const said = words[code](values as never, String);
    expect({ code, named: namedIn(said) }).toEqual({ code, named: namedIn(sayReasons([values as never])) });
  }
});

test('every mistake in a field of YAML has words in Portuguese, which name what the English ones name', () => {
  const known = ['[known]', '[other]'];
  const found = { as: 'string', text: '[text]' } as const;
  // The compiler refuses a code that one of the two lacks.
  const mistakes: { readonly [Code in FieldMistake['code']]: Omit<Extract<FieldMistake, { code: Code }>, 'code'> } = {
    ...{
      missing_field: {},
      said_by_query: {},
      without_target: {},
      before_from: {},
      of_label_files: {},
      empty_list: {},
    },
    no_map: { found },
    unknown_field: { known, meant: null },
    wrong_kind: { kind: 'list', found },
    not_among: { known },
    no_span: { text: '[text]', meant: 7 },
    long_span: { text: '[text]', most: 7 },
    no_day: { text: '[text]' },
    excluded: { other: '[other]' },
    headed_alone: { kinds: known },
    no_head: { kind: '[kind]', heads: known },
    no_aggregate: { text: '[text]' },
    many_horizons_listed: { most: 7 },
    many_moments: { count: 7, most: 70 },
    no_text: { text: '[text]' },
    dropped_too: { name: '[name]' },
    no_entity_kind: { name: '[name]', known },
    no_column_type: { name: '[name]', known },
    no_reference_form: { name: '[name]' },
    no_such_table: { name: '[name]', meant: '[meant]' },
  };
  expect(Object.keys(fieldMistakesInPortuguese).sort()).toEqual(Object.keys(mistakes).sort());
  const saidOf = (because: FieldMistake) => {
    const english = sayFieldMistake(because);
    const portuguese = sayMistake(`line 3, targets[0].where: ${english}`, because)!;
    expect(portuguese).toMatch(/^linha 3, targets\[0\]\.where: (?!.*(undefined|null))/);
    const named = namedIn(portuguese.replace('[0]', ''));
    expect({ because, named }).toEqual({ because, named: namedIn(english) });
  };
  for (const [code, values] of Object.entries(mistakes)) saidOf({ code, ...values } as FieldMistake);
  for (const as of ['string', 'number', 'boolean', 'list', 'map', 'empty'] as const)
    for (const kind of ['string', 'number', 'boolean', 'list', 'map'] as const)
      saidOf({
        code: 'wrong_kind',
        kind,
        found: { as, text: ['string', 'number', 'boolean'].includes(as) ? '[text]' : null },
      });
});

test('every notice of files and tables has words in Portuguese, which name what the English ones name', () => {
  const column = { table: '[table]', column: '[column]' };
  const columns = { table: '[table]', columns: ['[column]', '[other]'] };
  const rows = { rows: 7, of: 70 };
  const dates = { ...column, ...rows, day: '2024-03-31' };
  const example = { file: '[file]', row: 70, column: '[column]', reason: 'no number', others: 0 };
  const because = [{ code: 'near_key', repeated: 7, missing: 0, rows: 70, first: [] }] as const;
  // The compiler refuses a code that one of the two lacks.
  const words: Readonly<Record<Notice['code'], unknown>> = noticesInPortuguese;
  const notices: { readonly [Code in Notice['code']]: Omit<Extract<Notice, { code: Code }>, 'code'> } = {
    called_otherwise: { file: '[file]', ending: '[ending]', format: 'Parquet' },
    column_read_as: { file: '[file]', column: '[column]', name: '[name]' },
    column_late: { file: '[file]', column: '[column]' },
    column_absent: { file: '[file]', column: '[column]' },
    lost_key: { ...column, because },
    unread_dates: columns,
    unsure_order: columns,
    present_file: { file: '[file]' },
    kept_as_text: { key: '[key]' },
    not_compared: { table: '[table]', hasKey: false },
    rows_kept: { table: '[table]', modes: ['append'], ...rows },
    rows_removed: { table: '[table]', ...rows },
    column_gone: column,
    no_rows: { table: '[table]' },
    ignored_columns: columns,
    rejected: { table: '[table]', count: 7, looked: 7, examples: [example], isMore: false },
    before_1900: dates,
    no_date: { ...dates, isPlanned: false },
    in_future: dates,
    undated_rows: { table: '[table]', ...rows },
    timeless: { tables: ['[table]', '[other]'] },
    repeated_keys: { ...column, rows: 7 },
    unmatched: { ...column, ...rows, to: '[to]' },
    silent_table: { table: '[table]', newest: '2024-01-31', end: '2024-03-31', days: 60 },
    classes_alike: { classes: [['[class]', '[other]']], more: 0 },
    unknown_keys: { file: '[file]', ...rows, to: '[to]' },
    unlabelled_rows: { file: '[file]', ...rows, column: '[column]' },
    future_anchors: { file: '[file]', ...rows, column: '[column]' },
    ancient_anchors: { file: '[file]', ...rows, column: '[column]' },
    repeated_anchors: { file: '[file]', ...rows, columns: ['[column]', '[other]'] },
  };
  expect(Object.keys(notices).sort()).toEqual(Object.keys(words).sort());
  const format = { language: 'pt-BR', integer: String, number: String, day: String } as const;
  const named = (text: string) => [...new Set(text.match(/\[[^\]]+\]|\b70?\b/g))].sort();
  for (const [code, values] of Object.entries(notices)) {
    const notice = { code, ...values } as Notice;
    const said = sayInPortuguese(notice, format)!;
    expect({ code, named: named(said) }).toEqual({ code, named: named(sayNotice(notice)) });
  }
  const stored = { code: 'column_absent', file: 'table t, rows of a.csv', column: 'c', table: 't', source: 'a.csv' };
  expect(sayInPortuguese(stored, format)).toMatch(/^tabela t, linhas de a\.csv: não tem a coluna “c”/);
});

test('what a check of files finds is said in Portuguese, with what it names', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'lastro-words-'));
  const path = join(folder, 'sales.csv');
  const rows = ['1,9,2024-01-31,x,5000,a@b', '1,1,31.31.2024,paid,-1,a@b.co', '2,1,1850-01-01,new,5,a@b.co'];
  await writeFile(path, `id,person,day,state,amount,mail,more\n${rows.map((row) => `${row},7`).join('\n')}\n`);
  const column = (name: string, type: ColumnContract['type'], rest: Partial<ColumnContract> = {}): ColumnContract => ({
    ...{ name, type, required: false, unique: false, planned: false, mutable: false, pii: false },
    ...rest,
  });
  const table = {
    ...{ name: 'sales', key: ['id'], references: [{ column: 'person', table: 'people', key: 'id' }] },
    columns: [
      ...[column('id', 'integer', { required: true, unique: true }), column('person', 'integer')],
      ...[column('day', 'date'), column('state', 'string', { enum: ['new', 'paid'] }), column('seller', 'string')],
      ...[column('amount', 'number', { minimum: 0, maximum: 1000 }), column('mail', 'string', { format: 'email' })],
    ],
  };
  const contract: Contract = { id: 'c', version: '1.0.0', tables: [table] };
  const report = await checkFile(path, table, contract, { now: 0, keysOf: async () => new Set(['1']) });
  await rm(folder, { recursive: true });
  const said = report.deviations.map(({ rule, column: of, values }) => `${of} ${rule}: ${sayDeviation(rule, values)}`);
  expect(said.sort()).toMatchInlineSnapshot(`
    [
      "amount above_maximum: são esperados valores de no máximo 1000",
      "amount below_minimum: são esperados valores de no mínimo 0",
      "day before_1900: a data é anterior a 1900",
      "day in_future: a data está no futuro, e a coluna não é de data prevista",
      "day wrong_type: não é uma data, como 2024-01-31",
      "id duplicate_key: já está em uma linha anterior",
      "mail wrong_format: não é um email válido",
      "more unknown_column: o contrato não conhece essa coluna (seus valores se leem como integer)",
      "person dangling_reference: não é chave de people",
      "seller missing_column: o arquivo não tem essa coluna",
      "state new_values: há um valor que o contrato não lista",
    ]
  `);
});

test('each phase of an ingestion is said in Portuguese', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'lastro-words-'));
  const path = join(folder, 'sales.csv');
  const text = `id,day\n${Array.from({ length: 1500 }, (_, id) => `${id},2024-01-${10 + (id % 20)}`).join('\n')}\n`;
  await writeFile(path, text);
  const sha256 = createHash('sha256').update(text).digest('hex');
  const file = { id: 'f', name: 'my sales.csv', path, table: 'sales', mode: 'append', sha256 } as const;
  const common = {
    contractId: 'c',
    timeZone: 'UTC',
    triesProposal: false,
    previous: null,
    identifiers: null,
    originals: [],
  };
  const phases = new Set<string>();
  const context = { progress: (phase: string) => void phases.add(phase), signal: new AbortController().signal };
  const take = (contract: string | null) =>
    ingest({ ...common, contract, files: [file], out: folder, now: Date.UTC(2026, 0) * 1000 }, context as never);
  const first = await take(null);
  expect(await take(first.kind === 'refused' ? first.proposal!.document : null)).toMatchObject({ kind: 'accepted' });
  await rm(folder, { recursive: true });
  const portuguese = { language: 'pt-BR', integer: (value: number) => value.toLocaleString('pt-BR') } as const;
  expect([...phases].map((phase) => sayIngestPhase(phase, portuguese))).toMatchInlineSnapshot(`
    [
      "sales: 1.500 linhas, 2 colunas",
      "conferindo my sales.csv",
      "recebendo my sales.csv em sales",
      "sales lida: 1.500 linhas",
      "gravando as tabelas como as previsões as leem",
    ]
  `);
});
