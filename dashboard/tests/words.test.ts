import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkFile } from '../../server/src/ml/contract/check.ts';
import type { ColumnContract, Contract } from '../../server/src/ml/contract/contract.ts';
import { type ReasonCode, sayReasons } from '../../server/src/ml/contract/reasons.ts';
import { describeMissing } from '../../server/src/ml/version/input-requests.ts';
import { ingest } from '../../server/src/resources/ingestions/compute.ts';
import { describeRows, type RowWarningCode } from '../../server/src/serving/rows/row-warnings.ts';
import { sayBatchWarning } from '../src/batches/warning-words.ts';
import { sayDeviation } from '../src/data/deviation-words.ts';
import { sayIngestPhase } from '../src/data/ingest-phases.ts';
import { reasonsInPortuguese } from '../src/data/reason-words.ts';

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
      "day in_future: a data está no futuro, e a coluna não é conhecida antes",
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
    const [{ message, values }] = describeRows(code as RowWarningCode, { [about]: 1234 }, 5678);
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
