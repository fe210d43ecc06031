import { mkdirSync, symlinkSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { TaskContext } from '../../lib/processes/serve.ts';
import { inferContract } from '../../ml/contract/infer.ts';
import { parseContract } from '../../ml/contract/parse.ts';
import { writeContract } from '../../ml/contract/write.ts';
import { freezeTables } from '../../ml/graph/frozen.ts';
import { noIdentifiers, openIdentifiers, writeIdentifiers } from '../../ml/lake/identifiers.ts';
import { type FileReport, ingestFiles } from '../../ml/lake/ingest.ts';
import { loadSnapshot } from '../../ml/lake/load.ts';
import { type Part, readManifest, writeManifest } from '../../ml/lake/manifest.ts';
import { describeTables } from '../../ml/lake/report.ts';
import type { Mode } from './ingestion.ts';

export type IngestTask = {
  /** YAML; null where one is to be inferred. */
  readonly contract: string | null;
  /** The state before, and where its parts lie. */
  readonly previous: { readonly manifest: string; readonly paths: Readonly<Record<string, string>> } | null;
  /** Local file with the dictionary of names; null before the first. */
  readonly identifiers: string | null;
  readonly files: readonly {
    readonly id: string;
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
      readonly files: readonly FileReport[];
    }
  | { readonly kind: 'unchanged' }
  | {
      readonly kind: 'refused';
      /** The contract under which the files would do, as YAML, with what changes; null for errors in the data. */
      readonly proposal: { readonly document: string; readonly changes: readonly unknown[] } | null;
      readonly deviations: readonly FileDeviation[];
    };

export type FileDeviation = {
  readonly file: string;
  readonly table: string;
  readonly rows: number;
  readonly deviations: readonly unknown[];
};

type Progress = (line: string) => void;

/** Checks files and makes the next state of the tables of them, all on local files. */
export async function ingest(task: IngestTask, { progress, signal }: TaskContext<string>): Promise<IngestResult> {
  if (task.contract === null) return inferFrom(task, progress);
  const contract = parseContract(task.contract, 'the active contract');
  const { previous } = task;
  const found = await ingestFiles({
    contract,
    previous: previous ? readManifest(previous.manifest) : null,
    pathOf: (part) => previous!.paths[part.path],
    files: task.files.map(({ path, table, mode, sha256, id }) => ({ path, table, mode, sha256, name: id })),
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
      deviations: found.deviations,
    };
  if (found.kind === 'data_error') return { kind: 'refused', proposal: null, deviations: found.files };
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
    report: { tables: describeTables(tables), warnings: report.warnings, files: found.report.files },
    files: found.report.files,
  };
}

/** The first contract of a workspace is a proposal made from its first files. */
async function inferFrom({ files, out }: IngestTask, progress: Progress): Promise<IngestResult> {
  const folder = join(out, 'first');
  const position = new Map<string, number>();
  for (const { table, path } of files) {
    const parts = join(folder, 'tables', table);
    mkdirSync(parts, { recursive: true });
    const at = position.get(table) ?? 0;
    position.set(table, at + 1);
    symlinkSync(path, join(parts, `${String(at).padStart(5, '0')}${extname(path)}`));
  }
  const { contract, guesses } = await inferContract(folder, progress);
  return { kind: 'refused', proposal: { document: writeContract(contract), changes: guesses }, deviations: [] };
}
