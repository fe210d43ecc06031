import { join } from 'node:path';
import type { TaskContext } from '../../lib/processes/serve.ts';
import { parseStoredContract } from '../../ml/contract/parse.ts';
import { writeContract } from '../../ml/contract/write.ts';
import { freezeTables } from '../../ml/graph/frozen.ts';
import { noIdentifiers, openIdentifiers, writeIdentifiers } from '../../ml/lake/identifiers.ts';
import { ingestFiles } from '../../ml/lake/ingest.ts';
import { plainKeys } from '../../ml/lake/layout.ts';
import { loadSnapshot } from '../../ml/lake/load.ts';
import { readManifest, writeManifest } from '../../ml/lake/manifest.ts';
import { describeTables } from '../../ml/lake/report.ts';
import { type IngestResult, type IngestTask, nameFiles } from './delivery.ts';
import { proposeFirst, proposeTables } from './propose-from-files.ts';

/** Checks files against the contract and builds the next state of the tables. Reads and writes local files only. */
export async function ingest(task: IngestTask, { progress, signal }: TaskContext<string>): Promise<IngestResult> {
  const named = nameFiles(task.files);
  const { labels, identify } = named;
  if (task.contract === null) return proposeFirst(task, named, progress);
  const contract = parseStoredContract(task.contract, 'the active contract');
  if (task.files.some((file) => contract.tables.every(({ name }) => name !== file.table)))
    return proposeTables(task, contract, named, progress);
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
  const tablesWritten = await freezeTables(tables, frozen);
  const identifiers = join(task.out, 'identifiers');
  const namesWritten = await writeIdentifiers(found.identifiers!, identifiers);
  return {
    kind: 'accepted',
    manifest: writeManifest(found.manifest),
    newParts: found.newParts,
    frozen: { path: frozen, sha256: tablesWritten.sha256 },
    identifiers: { path: identifiers, sha256: namesWritten.sha256 },
    report: {
      tables: describeTables(tables, contract),
      warnings: [...plainKeys(contract).map(keptAsText), ...report.warnings],
      files: found.report.files.map(identify),
    },
  };
}

function keptAsText(key: string): string {
  return `${key} is kept as it comes, so that none of its names can be erased: give the table an entityKind (company, individual, asset; event where nobody is meant) in the contract`;
}
