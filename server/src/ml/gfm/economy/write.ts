import { type FileHandle, mkdir, open, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { LogicalType } from '../../../lib/files/column.ts';
import type { ColumnContract, Contract } from '../../contract/contract.ts';
import { writeContract } from '../../contract/write.ts';
import { type Economy, isRecord, sectors, states } from './economy.ts';

export const labelWindowDays = 180;
const anchorEveryDays = 90;
/** Days from the start to the first anchor, so that histories and delayed effects have built up. */
const anchorFirstDays = 400;
const millisecondsPerDay = 86_400_000;
const textPerWrite = 1 << 20;

export type Split = 'train' | 'val' | 'test';
export type EconomyLabel = {
  readonly company: number;
  readonly day: number;
  readonly split: Split;
  readonly defaults: boolean;
};

/**
 * Writes an economy into `folder` as an ordinary data set with its graph. `tables/`, `contract.yaml` and
 * `tasks/default-180d` are the data set. `graph/` has the files that `lastro gfm import` reads. `truth/` has what would
 * not be known: rings with their paths, days of default, and labels of the test rows. The same economy gives the same
 * bytes.
 */
export async function writeEconomy(folder: string, economy: Economy): Promise<void> {
  const { companies, entities, facts, payments, defaultedAt, rings } = economy;
  const id = (entity: number) => entities[entity].id;
  const ours = entities.slice(0, companies);
  await writeCsv(
    join(folder, 'tables', 'companies.csv'),
    ['company_id', 'sector', 'state', 'size', 'founded_at', 'synthetic'],
    ours.map(({ id, sector, state, size, since }) => [id, sector!, state!, String(size), textOf(since), 'true']),
  );
  await writeCsv(
    join(folder, 'tables', 'payments.csv'),
    ['payment_id', 'company_id', 'due_at', 'paid_at', 'amount', 'days_late'],
    payments.map(({ company, due, paid, amount }, i) => [
      ...[`Y${String(i + 1).padStart(8, '0')}`, id(company), textOf(due), textOf(paid)],
      ...[amount.toFixed(2), String(paid - due)],
    ]),
  );
  await writeFile(join(folder, 'contract.yaml'), writeContract(economyContract));
  await writeCsv(
    join(folder, 'graph', 'nodes.csv'),
    ['id', 'kind', 'sector', 'state', 'size', 'since', 'synthetic'],
    entities.map(({ id, kind, sector = '', state = '', size, since }) => [
      ...[id, kind, sector, state, size === undefined ? '' : String(size), textOf(since), 'true'],
    ]),
  );
  const lasting = facts.filter(({ relation }) => !isRecord(relation));
  const happened = facts.filter(({ relation }) => isRecord(relation));
  await writeCsv(
    join(folder, 'graph', 'relations.csv'),
    ['subject', 'relation', 'object', 'from', 'to', 'weight'],
    lasting.map(({ subject, relation, object, from, to, weight }) => [
      ...[id(subject), relation, id(object), textOf(from), Number.isNaN(to) ? '' : textOf(to), weight.toFixed(3)],
    ]),
  );
  await writeCsv(
    join(folder, 'graph', 'records.csv'),
    ['subject', 'relation', 'object', 'at'],
    happened.map(({ subject, relation, object, from }) => [id(subject), relation, id(object), textOf(from)]),
  );
  await writeTask(folder, economy);
  await writeCsv(
    join(folder, 'truth', 'defaults.csv'),
    ['company_id', 'defaulted_at', 'thin'],
    ours.flatMap(({ id }, c) =>
      Number.isNaN(defaultedAt[c]) ? [] : [[id, textOf(defaultedAt[c]), economy.isThin[c] ? 'true' : 'false']],
    ),
  );
  const named = rings.map(({ members, since, burstAt, path }) => ({
    members: members.map(id),
    since: textOf(since),
    burst_at: textOf(burstAt),
    path: path.map(({ from, to, via, relation }) => ({ from: id(from), to: id(to), via: id(via), relation })),
  }));
  await writeFile(
    join(folder, 'truth', 'rings.json'),
    `${JSON.stringify({ synthetic: true, rings: named }, null, 1)}\n`,
  );
}

/**
 * Labels of companies founded before a day and not in default then: whether the company defaults within 180 days from
 * that day. Days are 90 apart, in three splits whose windows do not overlap. Members of rings are left out, since their
 * defaults follow other rules.
 */
export function labelsOf({ from, until, companies, entities, defaultedAt, rings }: Economy): EconomyLabel[] {
  const days: number[] = [];
  for (let day = from + anchorFirstDays; day + labelWindowDays <= until + 1; day += anchorEveryDays) days.push(day);
  const gap = Math.ceil(labelWindowDays / anchorEveryDays) - 1;
  const held = Math.max(1, Math.round(days.length / 5));
  const planted = new Set(rings.flatMap(({ members }) => members));
  return days.flatMap((day, at) => {
    const left = days.length - at;
    const split: Split | null =
      left <= held
        ? 'test'
        : left <= held + gap
          ? null
          : left <= 2 * held + gap
            ? 'val'
            : left <= 2 * (held + gap)
              ? null
              : 'train';
    if (split === null) return [];
    return Array.from({ length: companies }, (_, company) => company)
      .filter((c) => entities[c].since < day && !(defaultedAt[c] < day) && !planted.has(c))
      .map((company) => ({ company, day, split, defaults: defaultedAt[company] < day + labelWindowDays }));
  });
}

async function writeTask(folder: string, economy: Economy): Promise<void> {
  const task = join(folder, 'tasks', 'default-180d');
  await mkdir(task, { recursive: true });
  const text = `# Will the company default within 180 days?
entity: companies
key: company_id
time: date                 # the start of this day
label: default
kind: binary
metric: auroc
window: ${labelWindowDays}d
`;
  await writeFile(join(task, 'task.yaml'), text);
  const labels = labelsOf(economy);
  const rows = (split: Split, isTold: boolean) =>
    labels
      .filter((label) => label.split === split)
      .map(({ company, day, defaults }) => [
        ...[textOf(day), economy.entities[company].id],
        ...(isTold ? [defaults ? '1' : '0'] : []),
      ]);
  const header = ['date', 'company_id', 'default'];
  await writeCsv(join(task, 'train.csv'), header, rows('train', true));
  await writeCsv(join(task, 'val.csv'), header, rows('val', true));
  await writeCsv(join(task, 'test.csv'), header.slice(0, 2), rows('test', false));
  await writeCsv(join(folder, 'truth', 'default-180d.csv'), header, rows('test', true));
}

const economyContract: Contract = {
  id: 'demo-economy',
  version: '1.0.0',
  tables: [
    {
      name: 'companies',
      description: 'Companies of a made-up economy; nobody here exists.',
      key: ['company_id'],
      references: [],
      time: { column: 'founded_at' },
      entityKind: 'company',
      columns: [
        column('company_id', 'string', { required: true, unique: true, graphKey: true, format: 'identifier' }),
        column('sector', 'string', { enum: sectors }),
        column('state', 'string', { enum: states }),
        column('size', 'integer', { minimum: 1, maximum: 4 }),
        column('founded_at', 'date', { required: true }),
        column('synthetic', 'boolean', { description: 'Always true.' }),
      ],
    },
    {
      name: 'payments',
      description: 'What companies paid, in the ledger of the day they did.',
      key: ['payment_id'],
      references: [{ column: 'company_id', table: 'companies', key: 'company_id' }],
      time: { column: 'paid_at' },
      entityKind: 'event',
      columns: [
        column('payment_id', 'string', { required: true, unique: true }),
        column('company_id', 'string', { required: true }),
        column('due_at', 'date', { required: true }),
        column('paid_at', 'date', { required: true }),
        column('amount', 'number', { required: true, minimum: 0, unit: 'BRL', format: 'money' }),
        column('days_late', 'integer', { required: true, description: 'Negative when paid early.' }),
      ],
    },
  ],
};

function column(name: string, type: LogicalType, traits: Partial<ColumnContract> = {}): ColumnContract {
  return { required: false, unique: false, planned: false, mutable: false, pii: false, ...traits, name, type };
}

function textOf(day: number): string {
  return new Date(day * millisecondsPerDay).toISOString().slice(0, 10);
}

/** Writes a CSV file. No field contains a comma, quote or line break, since all values are generated. */
async function writeCsv(path: string, header: readonly string[], rows: readonly (readonly string[])[]): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const file: FileHandle = await open(path, 'w');
  try {
    let text = `${header.join(',')}\n`;
    for (const row of rows) {
      text += `${row.join(',')}\n`;
      if (text.length < textPerWrite) continue;
      await file.writeFile(text);
      text = '';
    }
    await file.writeFile(text);
  } finally {
    await file.close();
  }
}
