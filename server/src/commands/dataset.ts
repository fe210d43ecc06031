import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../lib/failure.ts';
import type { Contract } from '../ml/contract/contract.ts';
import { tablesFolder } from '../ml/contract/files.ts';
import { inferContract } from '../ml/contract/infer.ts';
import type { Notice } from '../ml/contract/notices.ts';
import { parseContract } from '../ml/contract/parse.ts';
import { findLink, type Linked } from '../ml/gfm-link/link.ts';
import { type LinkedGraphModel, openGraphModel } from '../ml/gfm-link/reading.ts';
import { filesOfTable } from '../ml/graph/files.ts';
import { type LoadReport, loadTables } from '../ml/graph/load.ts';
import { drawShare, openSampler, planSample, type Sampled, type Sampler, type Unsampled } from '../ml/graph/sample.ts';
import type { Tables } from '../ml/graph/tables.ts';
import type { Objective } from '../ml/statistics/objective.ts';
import type { Examples } from '../ml/tasks/examples.ts';
import { readLabelFiles } from '../ml/tasks/labels.ts';
import { parseTask } from '../ml/tasks/parse-task.ts';
import { namesIn, resolveTask } from '../ml/tasks/resolve.ts';
import type { Task } from '../ml/tasks/task.ts';
import { alsoNamed, alsoNamedIn, otherNamesOf } from '../ml/version/other-names.ts';
import { readVersion, type Version } from '../ml/version/version.ts';
import type { ProgressLine } from './progress.ts';

/** A folder with `tables/`, optional `contract.yaml`, and `tasks/<name>/{task.yaml,train.csv,val.csv,test.csv}`. */
export type Dataset = {
  readonly folder: string;
  readonly contract: Contract;
  readonly tables: Tables;
  readonly report: LoadReport;
  /** What was read, where that is a sample. */
  readonly sampled?: Sampled;
};

/**
 * Opens a data set with all its tables. Without a contract.yaml it infers the contract from the files. Throws Failure
 * 'not_found', and those of reading the contract and the tables.
 */
export async function openDataset(folder: string, progress: ProgressLine): Promise<Dataset> {
  return readDataset(await openContract(folder, progress), progress);
}

type OpenedContract = Pick<Dataset, 'folder' | 'contract'>;

async function openContract(folder: string, progress: ProgressLine): Promise<OpenedContract> {
  if (!existsSync(folder) || !statSync(folder).isDirectory())
    throw new Failure('not_found', `${folder} is not a folder`);
  const file = join(folder, 'contract.yaml');
  let contract: Contract;
  if (existsSync(file)) {
    contract = parseContract(readFileSync(file, 'utf8'), file);
    progress.say(`contract: ${file}, version ${contract.version}`);
  } else {
    progress.say('contract: inferred from the files, since there is no contract.yaml');
    contract = (await inferContract(folder, (line) => progress.say(line))).contract;
  }
  return { folder, contract };
}

async function readDataset(
  { folder, contract }: OpenedContract,
  progress: ProgressLine,
  sampler?: Sampler,
): Promise<Dataset> {
  const say = (line: string) => progress.say(line);
  const { tables, report } = await loadTables(folder, contract, say, Date.now() * 1000, sampler);
  return { folder, contract, tables, report, ...(sampler && { sampled: sampler.sampled() }) };
}

/**
 * Opens a data set to learn a task from: where its tables have more than `cellsMax` cells, a sample of those rows that
 * the task is about with all that refers to them, which says so. Throws Failure as `openDataset` and `openTask` do.
 */
export async function openSample(
  folder: string,
  taskName: string,
  progress: ProgressLine,
  cellsMax: number,
): Promise<Dataset> {
  const opened = await openContract(folder, progress);
  const { entity } = openTask(opened, taskName);
  const source = tablesFolder(folder);
  const plan = await planSample(opened.contract, entity, (table) => filesOfTable(source, table), cellsMax);
  if (plan === 'small') return readDataset(opened, progress);
  if (typeof plan === 'string') {
    progress.say(`warning: the tables are large, and are read whole: ${whyWhole[plan]}`);
    return readDataset(opened, progress);
  }
  const { root } = plan.partition;
  progress.say(
    `the tables are large: about ${(100 * plan.share).toPrecision(2)} % of ${root} are read, with all that refers to them`,
  );
  const dataset = await readDataset(
    opened,
    progress,
    openSampler(opened.contract, plan.partition, drawShare(plan.share)),
  );
  const { loose } = dataset.sampled!;
  // Of a row of a table with loose references, what hangs on its other side is not in the sample.
  const isAskedOfLoose = [...loose].some((reference) => reference.startsWith(`${entity}.`));
  if (!isAskedOfLoose) return dataset;
  progress.say(`warning: the tables are read whole after all: rows of ${entity} refer to several ${root}`);
  return readDataset(opened, progress);
}

const whyWhole: Readonly<Record<Exclude<Unsampled, 'small'>, string>> = {
  inseparable: 'tables refer to one another in a circle, or keep versions of rows that refer to others',
  shared: 'most of them is what all rows share',
};

/**
 * Reads a task of a data set. Throws Failure 'not_found' with the names of the existing tasks, 'invalid' when the task
 * does not fit the tables.
 */
export function openTask({ folder, contract }: OpenedContract, name: string): Task {
  const file = join(folder, 'tasks', name, 'task.yaml');
  if (!existsSync(file)) {
    const known = existsSync(join(folder, 'tasks')) ? readdirSync(join(folder, 'tasks')).sort().join(', ') : 'none';
    throw new Failure('not_found', `${file} does not exist; tasks here: ${known}`);
  }
  return resolveTask(parseTask(readFileSync(file, 'utf8'), name, file, namesIn(contract)), contract, file);
}

/**
 * Reads a version to be used over a folder of tables. Where the folder has a contract.yaml, its files, and rows to
 * predict, may also have columns under the other names that this contract has for them. Throws Failure as `readVersion`
 * and `parseContract` do.
 */
export function readVersionOver(versionFolder: string, data: string): Version {
  const version = readVersion(versionFolder);
  const file = join(data, 'contract.yaml');
  if (!existsSync(file)) return version;
  const names = otherNamesOf(parseContract(readFileSync(file, 'utf8'), file).tables);
  const inputFields = alsoNamed(version.inputFields, names);
  return { ...version, contract: alsoNamedIn(version.contract, names), inputFields };
}

/** The labels of one output, one part per file. */
export type FiledOutput = { readonly name: string; readonly objective: Objective; readonly parts: readonly Examples[] };

/** Reads the labels of a task's label files, per head if it has heads. Labels of test.csv are missing (NaN). */
export async function openLabels(
  dataset: Dataset,
  task: Task,
  files: readonly string[],
  warnings: Notice[],
): Promise<readonly FiledOutput[]> {
  const folder = join(dataset.folder, 'tasks', task.name);
  const filed = files.map((file) => ({ path: join(folder, file), isLabelled: file !== 'test.csv' }));
  const read = await readLabelFiles(task, dataset.tables, filed, warnings, Date.now() * 1000);
  return read.map(({ head, objective, parts }) => ({ name: head?.name ?? 'prediction', objective, parts }));
}

/**
 * Opens the graph model in a folder and finds the column that links rows of a task or table to it. Returns null without
 * a folder. `key`: the linking column (`table.column`). Throws Failure as `openGfm` and `findLink` do.
 */
export async function openGraphLink(
  folder: string | undefined,
  key: string | undefined,
  of: Linked,
  isFresh: boolean,
  { contract }: Dataset,
): Promise<LinkedGraphModel | null> {
  if (folder === undefined) {
    if (key !== undefined)
      throw new Failure('invalid', '--gfm-key says how rows lead to a graph: give its model too, with --gfm');
    return null;
  }
  const link = findLink(of, contract, isFresh, key);
  return { model: await openGraphModel(folder), link };
}
