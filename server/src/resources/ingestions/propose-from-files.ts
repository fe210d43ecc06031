import { Failure } from '../../lib/failure.ts';
import { type Contract, type TableContract, withTimeZone } from '../../ml/contract/contract.ts';
import { unreadableFile, wholeFile } from '../../ml/contract/deviation.ts';
import { diffContracts } from '../../ml/contract/diff.ts';
import { type Inference, inferFromFiles, type TableSource } from '../../ml/contract/infer.ts';
import { nextVersion } from '../../ml/contract/propose-version.ts';
import { isReserved } from '../../ml/contract/reserved.ts';
import { validateContract } from '../../ml/contract/validate.ts';
import { warnOfGuesses } from '../../ml/contract/warnings.ts';
import { writeContract } from '../../ml/contract/write.ts';
import { checkDelivery } from '../../ml/lake/delivery.ts';
import { unknownTable } from '../../ml/lake/ingest.ts';
import { readManifest } from '../../ml/lake/manifest.ts';
import type { FileDeviation, IngestResult, IngestTask, NamedFiles } from './delivery.ts';

type Refused = Extract<IngestResult, { kind: 'refused' }>;
type Progress = (line: string) => void;

/** Proposes the first contract of a workspace from its first files. The refusal also lists what in them violates it. */
export async function proposeFirst(task: IngestTask, named: NamedFiles, progress: Progress): Promise<Refused> {
  const { labels, identify } = named;
  const inferred = await infer(task, labels, sourcesOf(task.files), progress);
  if ('deviations' in inferred) return refused(inferred.deviations);
  const { guesses } = inferred;
  const contract = withTimeZone(inferred.contract, task.timeZone === 'UTC' ? undefined : task.timeZone);
  const proposal = { document: writeContract(contract), changes: guesses, warnings: warnOfGuesses(guesses) };
  const files = task.files.map(({ path, table, mode, sha256 }, at) => ({
    path,
    table,
    mode,
    sha256,
    name: labels[at],
  }));
  const { refusal } = await checkDelivery({ contract, files, now: task.now, progress }, new Map());
  const found = refusal === null ? [] : refusal.kind === 'data_error' ? refusal.files : refusal.deviations;
  return refused(found.map(identify), proposal);
}

/** Proposes a version of the contract that adds the tables of the files for which the contract has none. */
export async function proposeTables(
  task: IngestTask,
  contract: Contract,
  { labels }: NamedFiles,
  progress: Progress,
): Promise<Refused> {
  const isNew = ({ table }: { readonly table: string }) => contract.tables.every(({ name }) => name !== table);
  const files = task.files.filter(isNew);
  const own = labels.filter((_, at) => isNew(task.files[at]));
  const inferred = await infer({ ...task, files }, own, [...sourcesOf(files), ...keysOf(task, contract)], progress);
  if ('deviations' in inferred) return refused(inferred.deviations);
  const tables = inferred.contract.tables.filter(({ name }) => isNew({ table: name }));
  const proposed = withTimeZone(
    {
      ...contract,
      version: nextVersion(contract.version, false),
      tables: [...contract.tables, ...tables.map((table) => fitting(table, contract, tables))],
    },
    contract.timeZone,
  );
  const deviations = files.map((file) => tell(file, unknownTable(file.table, contract)));
  if (validateContract(proposed).length > 0) return refused(deviations);
  return refused(deviations, {
    document: writeContract(proposed),
    changes: diffContracts(contract, proposed),
    warnings: warnOfGuesses(inferred.guesses.filter(isNew)),
  });
}

function refused(deviations: readonly FileDeviation[], proposal: Refused['proposal'] = null): Refused {
  return { kind: 'refused', proposal, deviations };
}

function tell(
  { id, name, table }: IngestTask['files'][number],
  deviation: FileDeviation['deviations'][number],
): FileDeviation {
  return { file_id: id, path: name, table, rows: 0, deviations: [deviation] };
}

function sourcesOf(files: IngestTask['files']): TableSource[] {
  const tables = [...new Set(files.map(({ table }) => table))].sort();
  return tables.map((table) => ({
    table,
    paths: files.filter((file) => file.table === table).map(({ path }) => path),
  }));
}

/** Returns the key columns of the existing tables, which references of new tables may point to. */
function keysOf({ previous, files }: IngestTask, { tables }: Contract): TableSource[] {
  const parts = new Map<string, readonly string[]>();
  for (const table of previous ? readManifest(previous.manifest).tables : [])
    parts.set(
      table.name,
      table.parts.map(({ path }) => previous!.paths[path]),
    );
  return tables.flatMap(({ name, key }) => {
    const sent = files.filter(({ table }) => table === name).map(({ path }) => path);
    const paths = sent.length > 0 ? sent : (parts.get(name) ?? []);
    return key.length === 1 && paths.length > 0 ? [{ table: name, paths, columns: key }] : [];
  });
}

/** Removes from a new table the references whose target is not the single key column of a table. */
function fitting(table: TableContract, contract: Contract, added: readonly TableContract[]): TableContract {
  const references = table.references.filter(({ table: to, key }) => {
    const target = [...contract.tables, ...added].find(({ name }) => name === to);
    return target?.key.length === 1 && target.key[0] === key;
  });
  const { time, ...rest } = table;
  const isDated = time && ('column' in time || references.some(({ column }) => column === time.reference));
  return { ...rest, references, ...(isDated && { time }) };
}

/** Infers a contract from the files, or returns which of the files cannot be read. */
async function infer(
  { files, contractId }: Pick<IngestTask, 'files' | 'contractId'>,
  labels: readonly string[],
  sources: readonly TableSource[],
  progress: Progress,
): Promise<Inference | { readonly deviations: readonly FileDeviation[] }> {
  const nameOf = (path: string) => labels[files.findIndex((file) => file.path === path)] ?? 'the data';
  try {
    const inference = await inferFromFiles(contractId, sources, { nameOf, progress });
    const deviations = files.flatMap((file) => {
      const table = inference.contract.tables.find(({ name }) => name === file.table);
      const column = table?.columns.find(({ name }) => isReserved(name))?.name;
      if (column === undefined) return [];
      return [tell(file, wholeFile('reserved_name', `${column}: the name is reserved; rename the column`, column))];
    });
    return deviations.length > 0 ? { deviations } : inference;
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'invalid') throw error;
    const deviations: FileDeviation[] = [];
    for (const file of files) {
      const alone = [{ table: file.table, paths: [file.path] }];
      const why = await inferFromFiles(contractId, alone, { nameOf }).then(() => null, refusalOf);
      if (why !== null) deviations.push(tell(file, unreadableFile(why)));
    }
    // Each file can be read alone: the error comes from their combination.
    if (deviations.length === 0) throw error;
    return { deviations };
  }
}

function refusalOf(error: unknown): Failure {
  if (error instanceof Failure && error.code === 'invalid') return error;
  throw error;
}
