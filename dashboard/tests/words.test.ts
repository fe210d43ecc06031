import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { outputFields } from '../../server/src/ml/answers/answers.ts';
import { fitCohort } from '../../server/src/ml/calibration/cohort.ts';
import { checkFile } from '../../server/src/ml/contract/check.ts';
import type { ColumnContract, Contract } from '../../server/src/ml/contract/contract.ts';
import { type FieldMistake, sayFieldMistake } from '../../server/src/ml/contract/field-mistakes.ts';
import { type Notice, sayNotice } from '../../server/src/ml/contract/notices.ts';
import { type ReasonCode, sayReasons } from '../../server/src/ml/contract/reasons.ts';
import { type EvaluationNotice, sayNotice as sayEvaluationNotice } from '../../server/src/ml/evaluation/notices.ts';
import { openGraph } from '../../server/src/ml/features/graph.ts';
import { proposeFeatures } from '../../server/src/ml/features/proposals/propose-features.ts';
import { type Recipe, recipesFor } from '../../server/src/ml/heads/recipes.ts';
import { fieldSales } from '../../server/src/ml/kinds/field-sales.ts';
import { kinds } from '../../server/src/ml/kinds/kinds.ts';
import { paidMedia } from '../../server/src/ml/kinds/paid-media.ts';
import type { Objective } from '../../server/src/ml/statistics/objective.ts';
import { describeTarget } from '../../server/src/ml/tasks/describe.ts';
import { outputsOfTarget } from '../../server/src/ml/tasks/labels.ts';
import { parseTask } from '../../server/src/ml/tasks/parse-task.ts';
import { resolveTask } from '../../server/src/ml/tasks/resolve.ts';
import { hideSaid } from '../../server/src/ml/training/served-names.ts';
import type { WarningReason } from '../../server/src/ml/training/warning.ts';
import { vectorFields } from '../../server/src/ml/version/given-vectors.ts';
import { type InputReason, sayInputReason } from '../../server/src/ml/version/input-reasons.ts';
import { describeMissing } from '../../server/src/ml/version/input-requests.ts';
import { inputFields } from '../../server/src/ml/version/schema.ts';
import { ingest } from '../../server/src/resources/ingestions/compute.ts';
import { describeRows, type RowWarningCode } from '../../server/src/serving/rows/row-warnings.ts';
import { at, sampleContract, sampleTables } from '../../server/tests/samples.ts';
import { sellerContract, sellerData } from '../../server/tests/support/samples/answers.ts';
import { sayBatchWarning } from '../src/batches/warning-words.ts';
import { sayDeviation } from '../src/data/deviation-words.ts';
import { sayIngestPhase } from '../src/data/ingest-phases.ts';
import { noticesInPortuguese, sayNotice as sayInPortuguese } from '../src/data/notice-words.ts';
import { reasonsInPortuguese } from '../src/data/reason-words.ts';
import { evaluationWarningsInPortuguese, sayEvaluationWarning } from '../src/evaluations/warning-words.ts';
import { sayField } from '../src/models/field-words.ts';
import { sayNote } from '../src/models/note-words.ts';
import { sayRecipe } from '../src/models/recipe-words.ts';
import { sayWarning, warningsInPortuguese } from '../src/models/warning-words.ts';
import { sayValue } from '../src/predictions/value-words.ts';
import { fieldMistakesInPortuguese } from '../src/words/field-mistakes.ts';
import { sayMistake } from '../src/words/mistakes.ts';
import { rowReasonsInPortuguese } from '../src/words/row-reasons.ts';

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

const namedIn = (text: string) => [...new Set(text.match(/\[[^\]]+\]|\b7\b/g))].sort();

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
  for (const type of ['string', 'integer', 'number', 'boolean', 'date', 'timestamp', 'time'] as const)
    for (const foundAs of ['text', 'number', 'list', 'object'] as const)
      for (const hint of ['too_large', 'decimal_point', 'not_midnight', null] as const)
        saidOf({ code: 'not_of_type', type, examples: [], found: '[found]', foundAs, hint });
  saidOf({ code: 'out_of_range', minimum: null, maximum: 7, found: null });
  saidOf({ code: 'out_of_range', minimum: 7, maximum: null, found: null });
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

test('every warning of a training, and what lessens an evaluation, has words in Portuguese', () => {
  const [n, day] = [(value: number) => value.toLocaleString('pt-BR'), (value: unknown) => String(value)];
  const format = { language: 'pt-BR', integer: n, number: n, thousandths: n, signed: n, day } as const;
  // The compiler refuses a code that one of the two lacks.
  const reasons: { readonly [Code in WarningReason['code']]: Omit<Extract<WarningReason, { code: Code }>, 'code'> } = {
    other_time: { table: '[table]', column: '[column]', dated: '[dated]' },
    no_window: { table: '[table]', entity: '[entity]' },
    undated_events: { tables: ['[table]', '[other]'], entity: '[entity]' },
    wrong_on_average: { output: '[output]', rows: 7, said: 0.2, came: 0.1, error: 0.1, limit: 0.02, z: -7 },
    few_to_check: { output: '[output]', rows: 84, positives: 12, least: 100 },
    too_good: { output: '[output]', measure: 'AUROC', value: 0.997, rows: 7, best: 0.5, places: ['[at]'] },
    no_gain: {
      ...{ output: '[output]', metric: 'mae', value: 35, over: 'referred_mean', by: '[by]', of: 30 },
      ...{ gain: -7, low: -11, high: 1 },
    },
  };
  expect(Object.keys(warningsInPortuguese).sort()).toEqual(Object.keys(reasons).sort());
  for (const [code, values] of Object.entries(reasons)) {
    const said = sayWarning({ because: { code, ...values } }, format, {})!;
    for (const name of JSON.stringify(values).match(/\[[a-z]+\]/g)!) expect(said).toContain(name);
  }
  expect(sayWarning({ because: { code: 'no_gain', ...reasons.no_gain } }, format, { mae: 'Erro médio' })).toBe(
    '[output]: o valor de Erro médio, 35, não é seguramente pior que 30 da média dos rótulos anteriores por [by], por 7 (em 19 de 20 vezes entre -11 e 1)',
  );
  const notices: {
    readonly [Code in EvaluationNotice['code']]: Omit<Extract<EvaluationNotice, { code: Code }>, 'code'>;
  } = {
    day_form: { form: 'dd/MM/yyyy', guessed: true },
    unknown_learning: {},
    learned_rows: { rows: 50, matched: 40, of: 70, newest: '2024-01-31', seen: null },
    open_rows: { output: '[output]', rows: 7 },
    none_measured: { output: '[output]' },
    few_rows: { output: '[output]', rows: 7, positives: 3 },
  };
  expect(Object.keys(evaluationWarningsInPortuguese).sort()).toEqual(Object.keys(notices).sort());
  for (const [code, values] of Object.entries(notices)) {
    const said = sayEvaluationWarning({ code, ...values }, format)!;
    expect({ code, named: namedIn(said) }).toEqual({
      code,
      named: namedIn(sayEvaluationNotice({ code, ...values } as EvaluationNotice)),
    });
  }
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
      "day wrong_type: não é date, como 2024-01-31",
      "id duplicate_key: já está em uma linha anterior",
      "mail wrong_format: não é um email válido",
      "more unknown_column: o contrato não conhece essa coluna (seus valores se leem como integer)",
      "person dangling_reference: não é chave de people",
      "seller missing_column: o arquivo não tem essa coluna",
      "state new_values: há um valor que o contrato não lista",
    ]
  `);
});

test('what a file of a batch is warned of is said in Portuguese, with what it names', () => {
  const of = { file_id: 'f', path: 'a.csv' };
  const format = {
    integer: (value: number) => value.toLocaleString('pt-BR'),
    percent: (share: number) => `${(100 * share).toLocaleString('pt-BR')}%`,
  };
  const codes: Record<RowWarningCode, string> = {
    ...{ unknown_entities: '[who]', wrong_check_digits: '[who]', outside_population: '[size > 6]', stale_data: '31' },
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
  const missing = { name: '[size]', importance: 0.0412 };
  const message = describeMissing(missing);
  expect(message).toContain('[size] is not in the file: the model draws 4.1 % ');
  const said = sayBatchWarning({ ...of, code: 'missing_inputs', message, values: missing }, format);
  expect(said).toMatch(/^a\.csv: a coluna \[size\] não está no arquivo: o modelo tira dela 4,12%/);
  // Written down before values were told.
  expect(sayBatchWarning({ ...of, code: 'missing_inputs', message }, format)).toBe(null);
});

test('each phase of an ingestion is said in Portuguese', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'lastro-words-'));
  const path = join(folder, 'sales.csv');
  const text = `id,day\n${Array.from({ length: 1500 }, (_, id) => `${id},2024-01-${10 + (id % 20)}`).join('\n')}\n`;
  await writeFile(path, text);
  const sha256 = createHash('sha256').update(text).digest('hex');
  const file = { id: 'f', name: 'my sales.csv', path, table: 'sales', mode: 'append', sha256 } as const;
  const common = { contractId: 'c', triesProposal: false, previous: null, identifiers: null, originals: [] };
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

test('what the service says of inputs and outputs is said in Portuguese, for every kind of prediction', () => {
  const tables = sampleTables(sellerContract, sellerData());
  const english = new Set(vectorFields('enc_1').map(({ description }) => description));
  for (const { name, example } of kinds) {
    const task = resolveTask(parseTask(example, name, 'task.yaml'), sellerContract, 'task.yaml');
    const outputs = outputsOfTarget(task, tables, at('2025-01-01')).outputs.map((output) => ({
      ...output,
      cohort: fitCohort(Float64Array.of(1, 2, 3)),
    }));
    const inputs = [false, true].flatMap((isFresh) => inputFields(task, sellerContract, isFresh, [], []));
    for (const { description } of [...inputs, ...outputFields(task, outputs)]) english.add(description);
  }
  const questions = [
    'exists(purchase) WITHIN 30d',
    'count(purchase) WITHIN 12h',
    'sum(purchase.amount WHERE amount > 3) > 10 WITHIN 30d',
    'first(purchase) WITHIN 30d',
  ];
  for (const question of questions) {
    const text = `PREDICT ${question} FOR customer EVERY 60d FROM 2023-06-01 UNTIL 2024-06-01`;
    const { target } = parseTask(text, 'asked', 'task.yaml');
    english.add(`Probability of ${describeTarget(target!, 0)}.`);
  }
  const said = [...english].map((text) => sayField(text, 'pt-BR'));
  expect(said.filter((text, k) => text === [...english][k])).toEqual([]);
  expect(said.filter((text) => /\b(of|the|any|rows|within|days|number|Probability|Expected)\b/.test(text))).toEqual([]);
  expect(said).toMatchInlineSnapshot(`
    [
      "No lugar do que o codificador do próprio modelo (enc_1) faz da linha: 1024 números de norma 1, como lista ou como float32 (little-endian) em base64.",
      "O model_snapshot que veio com service__internal__customer_embedding: vetores de outro codificador dizem outra coisa e são recusados.",
      "Chave de customer.",
      "Prever como no fim deste dia.",
      "Chave da linha, se já tem uma; o seu próprio registro fica fora do seu histórico.",
      "Coluna created de customer. Data a linha: obrigatória se reference_date não é informada.",
      "Nada depois do fim deste dia é lido. A própria linha fica no seu tempo.",
      "Probabilidade de haver linhas de purchase em 10 dias.",
      "Probabilidade de haver linhas de purchase em 30 dias.",
      "O que mais moveu a resposta: uma lista de frases, a mais forte primeiro. Em arquivos a lista é um texto JSON.",
      "Se era conhecido o que o modelo lê desta linha: as suas entradas, as entidades que ela cita e os eventos delas.",
      "Parte da importância do modelo que vem do que se sabia desta linha, de 0 a 1.",
      "O momento para o qual a previsão é feita.",
      "Esperado: soma de purchase.amount em 60 dias.",
      "A classe mais provável.",
      "Probabilidade de 1.",
      "Probabilidade de 2.",
      "Probabilidade de 3.",
      "Probabilidade de 4.",
      "Probabilidade de 5.",
      "Probabilidade de 6.",
      "Probabilidade de 7.",
      "Probabilidade de 8.",
      "Probabilidade de 9.",
      "Mais alto quer dizer menos risco.",
      "Probabilidade de inadimplência em 30 dias.",
      "Probabilidade de inadimplência em 60 dias.",
      "Faixa do score, a mais segura primeiro: Exceptional a partir de 900, Low Risk a partir de 800, Moderate Risk a partir de 700, Medium Risk a partir de 600, High Risk a partir de 400, Very High Risk a partir de 0.",
      "Probabilidade de fraude.",
      "Ligações, por no máximo três linhas em comum, a fraudadores conhecidos, e grupos suspeitos. Em arquivos a lista é um texto JSON.",
      "Probabilidade de que o lead converta.",
      "Decil do valor esperado entre os casos do treinamento; 10 é o mais alto.",
      "Menor e maior valor esperado do decil, em BRL.",
      "Probabilidade de que o prospect compre.",
      "O que a janela à frente será mais provavelmente em relação à anterior.",
      "Caminhos de contato: linhas em comum com clientes existentes, um por linha e cliente.",
      "Valor esperado do cliente (lifetime value), em BRL.",
      "Terços dos casos do treinamento por valor esperado e por score: quem tratar do mesmo modo.",
      "Probabilidade de que o cliente saia.",
      "Probabilidade de número de linhas de purchase em 12 horas.",
      "Probabilidade de soma de purchase.amount em 30 dias ser > 10.",
      "Probabilidade de dias até a primeira das linhas de purchase, no máximo 30d.",
    ]
  `);
  // What a contract says stands as it does there.
  expect(sayField('The bank of the customer.', 'pt-BR')).toBe('The bank of the customer.');
});

test('every recipe of a model is said in both languages', () => {
  const objectives: readonly Objective[] = [
    { kind: 'binary', metric: 'auroc', classes: [] },
    { kind: 'multiclass', metric: 'accuracy', classes: ['a', 'b', 'c'] },
    { kind: 'regression', metric: 'mae', classes: [] },
    { kind: 'regression', metric: 'r2', classes: [] },
  ];
  const graph = { from: 9, columns: 4 };
  const recipes: Recipe[] = [];
  for (const objective of objectives)
    for (const [rows, examples] of [
      [500, 500],
      [30_000, 15_000],
      [90_000, 90_000],
    ])
      for (const whole of [true, false])
        for (const labels of [null, 50, 400, 90_000]) {
          const embedding = labels === null ? null : { from: 5, columns: 4, forecasts: 1, labels };
          for (const vectors of [null, graph])
            recipes.push(...recipesFor(objective, rows, examples, { tailed: true, whole }, embedding, vectors));
        }
  const names = new Set(recipes.map(({ name }) => name));
  expect(names.size).toBeGreaterThan(15);
  const tried = ['newest 50%', 'newest 12.5%', 'every second row', 'with earlier labels', 'without earlier labels'];
  for (const name of [...names, ...tried.map((how) => `blend and graph, ${how}`)])
    for (const language of ['en', 'pt-BR'] as const)
      expect([name, sayRecipe(name, language)]).toEqual([name, expect.any(String)]);
  expect(sayRecipe('blend among graph, newest 50%', 'pt-BR')).toBe(
    'a média de árvores e modelos lineares, com vetores do grafo entre os atributos, com os 50 % mais novos das linhas',
  );
});

test('notes of a training are said in Portuguese', () => {
  const wide = Object.fromEntries(Array.from({ length: 5_010 }, (_, at) => [`n${at}`, 'number' as const]));
  const columns = { id: 'integer', y: 'number', endpoint: 'number', ...wide } as const;
  const contract = sampleContract([{ name: 'client', key: 'id', columns }]);
  const client = Array.from({ length: 20 }, (_, id) => ({
    ...{ id, y: id % 2, endpoint: id },
    ...Object.fromEntries(Object.keys(wide).map((name, at) => [name, (id * (at + 1)) % 17])),
  }));
  const text = 'entity: client\nkey: id\nlabel: y\nkind: binary\noutcome: [y]\n';
  const task = resolveTask(parseTask(text, 'pays', 'task.yaml'), contract, 'task.yaml');
  const tables = sampleTables(contract, { client });
  const rows = Int32Array.from(client.keys());
  const moment = new Float64Array(rows.length).fill(at('2024-01-01'));
  const sample = { table: tables.get('client')!, fresh: true, rows, own: rows.map(() => -1) };
  const anchors = { ...sample, ownTable: 'client', at: moment, readableUntil: moment };
  const { notes } = proposeFeatures(openGraph(tables), task, anchors, at('2024-01-01'));
  const format = { language: 'pt-BR', integer: (value: number) => value.toLocaleString('pt-BR') } as const;
  const all = [...notes, ...hideSaid(task, contract, true).notes];
  expect(all.map((note) => sayNote(note, format))).toMatchInlineSnapshot(`
    [
      "a tabela client não tem tempo: suas linhas são lidas como conhecidas em qualquer momento",
      "client.y é um desfecho: lê-se o de outras linhas, nunca o da linha perguntada",
      "nada diz quando os rótulos passaram a ser conhecidos: o que aconteceu com linhas anteriores não é lido (window ou known, na tarefa, o diz)",
      "15 de 5.015 atributos propostos ficaram de fora, onde as colunas são muitas",
      "client.endpoint não é lida: nas linhas a prever, endpoint diz outra coisa; mude o nome da coluna para que seja lida",
    ]
  `);
});
