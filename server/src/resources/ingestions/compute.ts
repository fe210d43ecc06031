import { join } from 'node:path';
import { Failure } from '../../lib/failure.ts';
import type { TaskContext } from '../../lib/processes/serve.ts';
import { type Deviation, unreadableFile } from '../../ml/contract/deviation.ts';
import { inferFromFiles } from '../../ml/contract/infer.ts';
import { parseContract } from '../../ml/contract/parse.ts';
import { writeContract } from '../../ml/contract/write.ts';
import { freezeTables } from '../../ml/graph/frozen.ts';
import { noIdentifiers, openIdentifiers, writeIdentifiers } from '../../ml/lake/identifiers.ts';
import { ingestFiles } from '../../ml/lake/ingest.ts';
import { loadSnapshot } from '../../ml/lake/load.ts';
import { type Part, readManifest, writeManifest } from '../../ml/lake/manifest.ts';
import { describeTables } from '../../ml/lake/report.ts';
import type { Mode } from './ingestion.ts';

export type IngestTask = {
  /** YAML; null where one is to be inferred. */
  readonly contract: string | null;
  /** The id of a contract that is inferred. */
  readonly contractId: string;
  /** The state before, and where its parts lie. */
  readonly previous: { readonly manifest: string; readonly paths: Readonly<Record<string, string>> } | null;
  /** Local file with the dictionary of names; null before the first. */
  readonly identifiers: string | null;
  readonly files: readonly {
    readonly id: string;
    /** What its sender calls it. */
    readonly name: string;
    /** A local file whose name ends as its format does. */
    readonly path: string;
    readonly table: string;
    readonly mode: Mode;
    readonly sha256: string;
  }[];
  /** A folder of this task's own. */
  readonly out: string;
  /** Microseconds, on the clock of the workspace. */
  readonly now: number;
};

export type IngestResult =
  | {
      readonly kind: 'accepted';
      readonly manifest: string;
      readonly newParts: readonly Part[];
      /** Local file with the frozen tables. */
      readonly frozen: string;
      /** Local file with the dictionary as it is now, to be kept before the manifest is. */
      readonly identifiers: string;
      readonly report: unknown;
    }
  | { readonly kind: 'unchanged' }
  | {
      readonly kind: 'refused';
      /** The contract under which the files would do, as YAML, with what changes; null for errors in the data. */
      readonly proposal: { readonly document: string; readonly changes: readonly unknown[] } | null;
      readonly deviations: readonly FileDeviation[];
    };

export type FileDeviation = {
  readonly file_id: string;
  readonly path: string;
  readonly table: string;
  readonly rows: number;
  readonly deviations: readonly Deviation[];
};

type Progress = (line: string) => void;

/** Checks files and makes the next state of the tables of them, all on local files. */
export async function ingest(task: IngestTask, { progress, signal }: TaskContext<string>): Promise<IngestResult> {
  const { labels, identify } = labelFiles(task.files);
  if (task.contract === null) return inferFrom(task, labels, progress);
  const contract = parseContract(task.contract, 'the active contract');
  const { previous } = task;
  const found = await ingestFiles({
    contract,
    previous: previous ? readManifest(previous.manifest) : null,
    pathOf: (part) => previous!.paths[part.path],
    files: task.files.map(({ path, table, mode, sha256 }, at) => ({ path, table, mode, sha256, name: labels[at] })),
    out: task.out,
    now: task.now,
    identifiers: task.identifiers === null ? noIdentifiers : await openIdentifiers(task.identifiers),
    progress,
    signal,
  });
  if (found.kind === 'unchanged') return found;
  if (found.kind === 'contract_version')
    return {
      kind: 'refused',
      proposal: { document: writeContract(found.proposed.contract), changes: found.proposed.changes },
      deviations: found.deviations.map(identify),
    };
  if (found.kind === 'data_error') return { kind: 'refused', proposal: null, deviations: found.files.map(identify) };
  const isNew = new Set(found.newParts.map(({ path }) => path));
  const { tables, report } = await loadSnapshot(
    found.manifest,
    ({ path }) => (isNew.has(path) ? join(task.out, path) : previous!.paths[path]),
    progress,
  );
  progress('writing the tables as predictions read them');
  const frozen = join(task.out, 'frozen');
  await freezeTables(tables, frozen);
  const identifiers = join(task.out, 'identifiers');
  await writeIdentifiers(found.identifiers!, identifiers);
  return {
    kind: 'accepted',
    manifest: writeManifest(found.manifest),
    newParts: found.newParts,
    frozen,
    identifiers,
    report: { tables: describeTables(tables), warnings: report.warnings, files: found.report.files.map(identify) },
  };
}

/** What messages call each file, and how what is told of a file so called names it to its sender. */
function labelFiles(files: IngestTask['files']) {
  const isAlone = (name: string) => files.filter((file) => file.name === name).length === 1;
  const labels = files.map(({ name, id }) => (isAlone(name) ? name : `${name} (${id})`));
  const identify = <T extends { readonly file: string }>({ file, ...rest }: T) => {
    const { id, name } = files[labels.indexOf(file)];
    return { file_id: id, path: name, ...rest };
  };
  return { labels, identify };
}

/** The first contract of a workspace is a proposal made from its first files. */
async function inferFrom(
  { files, contractId }: IngestTask,
  labels: readonly string[],
  progress: Progress,
): Promise<IngestResult> {
  const options = { nameOf: (path: string) => labels[files.findIndex((file) => file.path === path)] };
  const tables = [...new Set(files.map(({ table }) => table))].sort();
  const sources = tables.map((table) => ({
    table,
    paths: files.filter((file) => file.table === table).map(({ path }) => path),
  }));
  try {
    const { contract, guesses } = await inferFromFiles(contractId, sources, { ...options, progress });
    return { kind: 'refused', proposal: { document: writeContract(contract), changes: guesses }, deviations: [] };
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'invalid') throw error;
    const deviations: FileDeviation[] = [];
    for (const { id, name, path, table } of files) {
      const why = await inferFromFiles(contractId, [{ table, paths: [path] }], options).then(() => null, messageOf);
      if (why !== null) deviations.push({ file_id: id, path: name, table, rows: 0, deviations: [unreadableFile(why)] });
    }
    // Not one file alone is at fault, but what they are together.
    if (deviations.length === 0) throw error;
    return { kind: 'refused', proposal: null, deviations };
  }
}

function messageOf(error: unknown): string {
  if (error instanceof Failure && error.code === 'invalid') return error.message;
  throw error;
}
