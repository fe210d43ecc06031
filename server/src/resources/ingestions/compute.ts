import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { TaskContext } from '../../lib/processes/serve.ts';
import type { Contract } from '../../ml/contract/contract.ts';
import type { Notice } from '../../ml/contract/notices.ts';
import { parseStoredContract } from '../../ml/contract/parse.ts';
import { writeContract } from '../../ml/contract/write.ts';
import { freezeTables } from '../../ml/graph/frozen.ts';
import { noIdentifiers, openIdentifiers, writeIdentifiers } from '../../ml/lake/identifiers.ts';
import { type IngestInput, ingestFiles } from '../../ml/lake/ingest.ts';
import { plainKeys } from '../../ml/lake/layout.ts';
import { loadSnapshot } from '../../ml/lake/load.ts';
import { readManifest, writeManifest } from '../../ml/lake/manifest.ts';
import { describeTables } from '../../ml/lake/report.ts';
import { type EventDays, eventDaysOf } from '../../serving/event-days.ts';
import {
  type FileDeviation,
  type IngestResult,
  type IngestTask,
  joinDeviations,
  type NamedFiles,
  nameFiles,
  type ProposedContract,
} from './delivery.ts';
import { tellNotes, tellWarnings } from './notices.ts';
import { proposeFirst, proposeTables } from './propose-from-files.ts';

/** Checks files against the contract and builds the next state of the tables. Reads and writes local files only. */
export async function ingest(task: IngestTask, context: TaskContext<string>): Promise<IngestResult> {
  const { progress } = context;
  const named = nameFiles([...task.files, ...task.originals]);
  const { labels, identify } = named;
  if (task.contract === null) return proposeFirst(task, named, progress);
  const contract = parseStoredContract(task.contract, 'the active contract');
  if (task.files.some((file) => contract.tables.every(({ name }) => name !== file.table))) {
    const refused = await proposeTables(task, contract, named, progress);
    const { proposal, deviations } = refused;
    if (proposal === null) return refused;
    const proposed = parseStoredContract(proposal.document, 'the proposed contract');
    return refuseTried(task, proposed, proposal, deviations, named, context);
  }
  const { previous } = task;
  const input = await inputOf(task, contract, labels, context);
  const found = await ingestFiles(input);
  if (found.kind === 'unchanged') {
    const { files, changes } = found.report;
    const report = { files: files.map(identify).map(tellNotes), changes: changes.map(tellNotes), reread: [] };
    return { kind: 'unchanged', report };
  }
  if (found.kind === 'contract_version') {
    const { contract: proposed, changes } = found.proposed;
    const told = { changes, warnings: [] };
    return refuseTried(task, proposed, told, found.deviations.map(identify), named, context);
  }
  if (found.kind === 'data_error') return { kind: 'refused', proposal: null, deviations: found.files.map(identify) };
  const isNew = new Set(found.newParts.map(({ path }) => path));
  const { tables, report } = await loadSnapshot(
    found.manifest,
    ({ path }) => (isNew.has(path) ? join(task.out, path) : previous!.paths[path]),
    progress,
    { sourceName: (sha256) => labels[task.files.findIndex((file) => file.sha256 === sha256)] },
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
      event_days: describeDays(eventDaysOf(tables.values())),
      ...tellWarnings([...plainKeys(contract).map(keptAsText), ...report.warnings]),
      files: found.report.files.map(identify).map(tellNotes),
      reread: found.report.reread.map(identify).map(tellNotes),
      changes: found.report.changes.map(tellNotes),
    },
  };
}

function describeDays({ days, silenceMax }: EventDays): object {
  const newest = days.at(-1);
  return {
    newest: newest === undefined ? null : new Date(newest * 86_400_000).toISOString().slice(0, 10),
    silence_max: silenceMax,
  };
}

async function inputOf(
  task: IngestTask,
  contract: Contract,
  labels: readonly string[],
  { progress, signal }: TaskContext<string>,
): Promise<IngestInput> {
  const { previous } = task;
  return {
    contract,
    previous: previous ? readManifest(previous.manifest) : null,
    pathOf: (part) => previous!.paths[part.path],
    files: task.files.map(({ path, table, mode, sha256 }, at) => ({ path, table, mode, sha256, name: labels[at] })),
    originalOf: ({ path, source }) => {
      const at = task.originals.findIndex(({ part, sha256 }) => part === path && sha256 === source);
      if (at < 0) return null;
      return { path: task.originals[at].path, name: labels[task.files.length + at], taken: task.originals[at].taken };
    },
    out: task.out,
    now: task.now,
    identifiers: task.identifiers === null ? noIdentifiers : await openIdentifiers(task.identifiers),
    progress,
    signal,
  };
}

/**
 * The refusal of files that ask for another version of the contract. Where rows would be refused under that as well,
 * they are told too, and nothing is proposed: whoever accepted it would have the contract and not the files.
 */
async function refuseTried(
  task: IngestTask,
  proposed: Contract,
  told: Omit<ProposedContract, 'document'>,
  deviations: readonly FileDeviation[],
  { labels, identify }: NamedFiles,
  context: TaskContext<string>,
): Promise<IngestResult> {
  const refused = { kind: 'refused', proposal: { document: writeContract(proposed), ...told }, deviations } as const;
  if (!task.triesProposal) return refused;
  const out = join(task.out, 'trial');
  await mkdir(out);
  try {
    const tried = await ingestFiles({ ...(await inputOf(task, proposed, labels, context)), out, isTrial: true });
    if (tried.kind !== 'data_error') return refused;
    return { kind: 'refused', proposal: null, deviations: joinDeviations(deviations, tried.files.map(identify)) };
  } finally {
    await rm(out, { recursive: true, force: true });
  }
}

function keptAsText(key: string): Notice {
  return { code: 'kept_as_text', key };
}
