// Data sets with a champion in service, to which challengers of known kinds are made: the demo's lender and superlender.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { openDataset } from '../../src/commands/dataset.ts';
import { generateLender } from '../../src/commands/demo/lender.ts';
import { type Column, textColumn } from '../../src/lib/files/column.ts';
import type { ColumnContract, Contract, TableContract } from '../../src/ml/contract/contract.ts';
import { linkTables } from '../../src/ml/graph/link.ts';
import type { Tables } from '../../src/ml/graph/tables.ts';
import { type Random, seedRandom } from '../../src/ml/statistics/random.ts';
import type { Examples } from '../../src/ml/tasks/examples.ts';
import { type LabelledOutput, readOutputs } from '../../src/ml/tasks/labels.ts';
import { parseTask } from '../../src/ml/tasks/parse-task.ts';
import { resolveTask } from '../../src/ml/tasks/resolve.ts';
import { horizonsOf } from '../../src/ml/tasks/target.ts';
import type { Task } from '../../src/ml/tasks/task.ts';
import { dataSets } from '../tasks.ts';

/** What a version may read besides the plain tables. */
export type Variant = {
  /** Scores of a bureau that sees some of what is coming, as a champion did not have them. */
  readonly bureau?: 'right' | 'in_another_unit';
  /** A column that tells nothing. */
  readonly noise?: true;
  /** A column that is filled in when a case goes wrong, as it stood at a moment. */
  readonly stage?: { readonly until: number };
};

export type World = {
  readonly name: string;
  readonly task: Task;
  readonly labelFiles: readonly string[];
  readonly output: LabelledOutput;
  /** The end of the data when the champion was learned, and now. */
  readonly then: number;
  readonly now: number;
  data(variant: Variant): { readonly contract: Contract; readonly tables: Tables };
  /** Many others who go through the same months, whom no version has seen; absent where there are none. */
  others?(): Promise<World>;
};

const dayUs = 86_400_000_000;
/** As many as the demo has, and as tell what is true of a version. */
const customers = 1_200;
const otherCustomers = 12_000;
/** Lenders of these seeds are others. */
const otherSeeds = 1_000;
const silent = { say: () => {}, phase: () => {} };

export async function lenderWorld(folder: string, seed: number): Promise<World> {
  const others = () => openLender(folder, seed + otherSeeds, otherCustomers, seed);
  return { ...(await openLender(folder, seed, customers, seed)), others };
}

async function openLender(folder: string, seed: number, customers: number, economySeed: number): Promise<World> {
  const data = join(folder, `lender-${seed}`);
  await generateLender(data, { customers, seed, economySeed });
  const definition = `entity: customers
key: legal_document
time: date
kind: credit
metric: auroc
target:
  table: instalments
  reference: loan_id.customer
  overdue: {due: due_date, paid: paid_at, days: 30}
  horizons: [90d]
anchors: {every: 90d}
ignore: [accounts, balances, invoices, payments]
`;
  const [then, now] = ['2025-03-01', '2025-12-31'].map((date) => Date.parse(date) * 1000);
  return openWorld({ name: 'lender', data, definition, labelFiles: [], then, now, people: 'customers', seed });
}

export async function superlenderWorld(_: string, seed: number): Promise<World | null> {
  const data = join(dataSets, 'superlender');
  if (!existsSync(data)) return null;
  const task = join(data, 'tasks', 'late-first-payment');
  const definition = `entity: loans
key: systemloanid
time: approveddate
label: late_first_payment
kind: binary
metric: auroc
window: 36d
strict: true
`;
  const labelFiles = ['train.csv', 'val.csv'].map((file) => join(task, file));
  const [then, now] = ['2016-12-01', '2017-04-30'].map((date) => Date.parse(date) * 1000);
  return openWorld({
    name: 'superlender',
    data,
    definition,
    labelFiles,
    then,
    now,
    people: 'customers',
    seed,
  });
}

type Made = Pick<World, 'name' | 'labelFiles' | 'then' | 'now'> & {
  readonly data: string;
  readonly definition: string;
  readonly people: string;
  readonly seed: number;
};

async function openWorld({ data, definition, people, seed, ...world }: Made): Promise<World> {
  const { contract, tables } = await openDataset(data, silent);
  const task = resolveTask(parseTask(definition, world.name, 'task.yaml'), contract, 'task.yaml');
  const { outputs } = await readOutputs(task, tables, world.labelFiles, [], world.now);
  const output = outputs.at(-1)!;
  return {
    ...world,
    task,
    output,
    data: (variant) => variantOf(contract, tables, task, output.examples, people, { ...world, seed }, variant),
  };
}

function variantOf(
  plain: Contract,
  tables: Tables,
  task: Task,
  examples: Examples,
  people: string,
  { seed, now }: { readonly seed: number; readonly now: number },
  { bureau, stage, noise }: Variant,
): { contract: Contract; tables: Tables } {
  const rowsOf = new Map([...tables].map(([name, { rows, columns }]) => [name, { rows, columns: new Map(columns) }]));
  let contract = plain;
  const entity = rowsOf.get(task.entity)!;
  const add = (name: string, values: readonly (string | null)[]) => {
    const column: ColumnContract = { name, type: 'string', ...plainColumn };
    const withColumn = (table: TableContract) =>
      table.name === task.entity ? { ...table, columns: [...table.columns, column] } : table;
    contract = { ...contract, tables: contract.tables.map(withColumn) };
    entity.columns.set(name, textColumn(values));
  };
  if (stage) add('collection_stage', stagesOf(examples, entity.rows, stage.until, seedRandom(seed * 7 + 1)));
  if (noise) {
    const random = seedRandom(seed * 7 + 4);
    add(
      'campaign',
      Array.from({ length: entity.rows }, () => `campaign ${Math.floor(random() * 5)}`),
    );
  }
  if (bureau) {
    const { key, rows } = bureauRows(tables, task, examples, people, now, bureau, seedRandom(seed * 7 + 2));
    contract = {
      ...contract,
      tables: [
        ...contract.tables,
        {
          name: 'bureau',
          key: [],
          time: { column: 'scored_at' },
          references: [{ column: 'person', table: people, key }],
          columns: [
            { name: 'person', type: plainTypeOf(plain, people, key), ...plainColumn },
            { name: 'scored_at', type: 'timestamp', ...plainColumn },
            { name: 'score', type: 'number', ...plainColumn },
          ],
        },
      ],
    };
    rowsOf.set('bureau', rows);
  }
  return { contract, tables: linkTables(contract, rowsOf, []) };
}

const plainColumn = { required: false, unique: false, planned: false, mutable: false, pii: false } as const;

function plainTypeOf({ tables }: Contract, table: string, column: string) {
  return tables.find(({ name }) => name === table)!.columns.find(({ name }) => name === column)!.type;
}

/** Most of those that went wrong by a moment are marked, and few others, whenever one asks about them. */
function stagesOf(
  { rows, labels, closes }: Examples,
  entities: number,
  until: number,
  random: Random,
): (string | null)[] {
  const wrong = new Set(Array.from(rows).filter((_, i) => labels[i] === 1 && closes[i] <= until));
  return Array.from({ length: entities }, (_, entity) => {
    const [isMarked, isByChance] = [random() < 0.75, random() < 0.04];
    return (wrong.has(entity) ? isMarked : isByChance) ? 'with lawyers' : null;
  });
}

/** A score before each labelled moment, and of everybody at the end, when nobody knows what will come. */
function bureauRows(
  tables: Tables,
  task: Task,
  { rows, at, labels }: Examples,
  people: string,
  now: number,
  bureau: NonNullable<Variant['bureau']>,
  random: Random,
) {
  const entity = tables.get(task.entity)!;
  // Of late alone, so that no label that is known is of that time.
  const windowDays = task.windowDays ?? horizonsOf(task.target!).at(-1)!;
  const person = tables.get(people)!;
  const [key] = person.contract.key;
  const reference = entity.contract.references.find(({ table }) => table === people)?.column;
  const personOf = (row: number) => (task.entity === people ? row : entity.references.get(reference!)!.rows[row]);
  const known = new Map(Array.from(rows, (row, i) => [`${row} ${at[i]}`, labels[i]]));
  const rate = labels.reduce((sum, label) => sum + label, 0) / labels.length;
  const asked = Array.from(rows, (row, i) => ({ row, at: at[i] }));
  if (task.entity === people) for (let row = 0; row < entity.rows; row++) asked.push({ row, at: now });
  else
    for (const [row, moment] of entity.time!.entries())
      if (!known.has(`${row} ${moment}`)) asked.push({ row, at: moment });
  const made = asked
    .map(({ row, at }) => {
      const isWrong = known.get(`${row} ${at}`) ?? Number(random() < rate);
      const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
      const score = 600 - 110 * isWrong + 100 * normal;
      return {
        person: personOf(row),
        at: at - 3_600_000_000,
        score: bureau === 'in_another_unit' && at > now - windowDays * dayUs ? score / 10 : score,
      };
    })
    .filter(({ person }) => person >= 0);
  const keys = person.columns.get(key)!;
  const column: Column =
    keys.kind === 'text'
      ? { kind: 'text', codes: Int32Array.from(made, ({ person }) => keys.codes[person]), dictionary: keys.dictionary }
      : { kind: keys.kind, values: Float64Array.from(made, ({ person }) => keys.values[person]) };
  return {
    key,
    rows: {
      rows: made.length,
      columns: new Map<string, Column>([
        ['person', column],
        ['scored_at', { kind: 'time', values: Float64Array.from(made, ({ at }) => at) }],
        ['score', { kind: 'number', values: Float64Array.from(made, ({ score }) => score) }],
      ]),
    },
  };
}
