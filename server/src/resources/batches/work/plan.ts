import type { Insertable } from 'kysely';
import type { Context } from '../../../access/context.ts';
import { type Tx, tenant } from '../../../access/transactions.ts';
import type { MessageValues } from '../../../api/message-values.ts';
import { Failure } from '../../../lib/failure.ts';
import { sayFileNotice } from '../../../lib/files/notices.ts';
import { sayDayForm } from '../../../ml/contract/date-form-of.ts';
import { describeMissing, lackingInputs, missingInputs } from '../../../ml/version/input-requests.ts';
import {
  alsoNamed,
  type ColumnMapping,
  dayColumnOf,
  describeTwice,
  mapInputs,
  namesOf,
} from '../../../ml/version/other-names.ts';
import { echoed, type Field } from '../../../ml/version/schema.ts';
import type { BatchUnits } from '../../../schema/tables.ts';
import { lackingColumns, mappingProblems } from '../../../serving/rows/column-mapping.ts';
import { endpointColumn } from '../../../serving/rows/targets.ts';
import type { App } from '../../app.ts';
import { isWorthRetrying, refusalOf } from '../../attempt.ts';
import type { FileRow } from '../../files/file.ts';
import { requireUploaded } from '../../files/require.ts';
import { type JobFailure, leaves } from '../../job.ts';
import type { BatchModel, BatchRow, OutputFormat, Warning } from '../batch.ts';
import { outputPaths } from '../output-path.ts';
import {
  failFile,
  lockBatch,
  selectFiles,
  selectSnapshotContract,
  selectVersions,
  updateBatch,
  updateFile,
} from '../sql.ts';
import { pinTargets, type Targets } from '../target.ts';
import type { FilePlan, inspectFiles } from './inspect-files.ts';
import { reserveRows } from './reserve.ts';
import { insertUnits } from './sql.ts';

/** The rows of a unit: some seconds to a minute of work, which is lost when a worker dies. */
const unitRows = 400_000;
const recommendedGroupRows = 100_000;
const recommendedFileBytes = 5e9;

/** Why a file of a batch is not scored, where no code of a refusal says it. */
export type FileFailureCode = 'file_unreadable' | 'no_target' | 'missing_column';

type Found = { readonly file: FileRow; readonly plan: FilePlan } | { readonly failure: JobFailure };

/**
 * Inspects the files of a batch, reserves their rows of the quotas, and cuts them into units. A file that cannot be
 * scored gets a failure; the others go on. Throws Failure 'quota_exceeded'.
 */
export async function planFiles(app: App, ctx: Context, batch: BatchRow, signal: AbortSignal): Promise<void> {
  const found = await lookAt(app, ctx, batch, signal);
  const checked = await tenant(app.db, ctx, (tx) => checkAll(tx, batch, found));
  const rows = checked.reduce((sum, one) => sum + ('plan' in one ? one.plan.rows : 0), 0);
  await reserveRows(app.db, ctx, batch.id, rows);
  await tenant(app.db, ctx, async (tx) => {
    const row = await lockBatch(tx, batch.id);
    if (row?.status !== 'running' || row.planned_at !== null || row.interrupt_requested_at !== null) return;
    await savePlan(tx, row, found, checked);
  });
}

async function lookAt(app: App, ctx: Context, batch: BatchRow, signal: AbortSignal): Promise<Found[]> {
  const { rows, contract } = await tenant(app.db, ctx, async (tx) => ({
    rows: await selectFiles(tx, [batch.id]),
    contract: await selectSnapshotContract(tx, batch.snapshot_id),
  }));
  const files: (FileRow | JobFailure)[] = [];
  for (const { file_id } of rows)
    files.push(await tenant(app.db, ctx, (tx) => requireUploaded(tx, file_id)).catch(failureOf));
  const readable = files.filter((file): file is FileRow => 'id' in file);
  const targets = Object.keys(batch.targets as Targets);
  const plans: (FilePlan | JobFailure)[] = [];
  // One at a time, because a batch has up to a thousand files of gigabytes each.
  for (const { path, storage_key, sha256 } of readable) {
    const input = {
      files: [{ path: await app.storage.localPath(storage_key, sha256), name: path }],
      contract,
      dayColumn: dayColumnOf(batch.column_mapping as ColumnMapping),
      targets,
    };
    const options = {
      ...{ signal, group: ctx.workspaceId, leaves: leaves.scoring },
      about: { workspace: ctx.workspaceId, batch: batch.id },
    };
    const looked = app.compute!.run<typeof inspectFiles>({ name: 'inspectFiles', input }, options);
    plans.push(await looked.then(([plan]) => plan, failureOf));
  }
  return files.map((file) => {
    if (!('id' in file)) return { failure: file };
    const plan = plans[readable.indexOf(file)];
    return 'kind' in plan ? { file, plan } : { failure: plan };
  });
}

function failureOf(error: unknown): JobFailure {
  if (!(error instanceof Failure) || isWorthRetrying(error)) throw error;
  return refusalOf(error);
}

async function checkAll(tx: Tx, batch: BatchRow, found: readonly Found[]): Promise<Verdict[]> {
  const checked: Verdict[] = [];
  for (const one of found) checked.push('failure' in one ? one : await checkPlan(tx, batch, one));
  return checked;
}

async function savePlan(tx: Tx, batch: BatchRow, found: readonly Found[], checked: readonly Verdict[]): Promise<void> {
  const paths = outputPaths(
    found.map((one) => ('file' in one ? { path: one.file.path, ...formatsOf(batch, one) } : null)),
  );
  const units: Insertable<BatchUnits>[] = [];
  const named: string[] = [];
  for (const [position, one] of checked.entries()) {
    if ('failure' in one) {
      await failFile(tx, batch.id, position, JSON.stringify(one.failure));
      continue;
    }
    const { plan, endpoints, warnings } = one;
    await updateFile(tx, batch.id, position, {
      rows: plan.rows,
      output_path: paths[position],
      output_format: batch.output_format ?? plan.format,
      endpoints: endpoints && JSON.stringify(endpoints),
      warnings: JSON.stringify(warnings),
    });
    units.push(...unitsOf(batch, position, plan));
    named.push(...(plan.endpoints ?? []));
  }
  await insertUnits(tx, units);
  const pinned = pinTargets(batch.targets as Targets, named);
  await updateBatch(tx, batch.id, { planned_at: new Date(), targets: JSON.stringify(pinned) });
}

function formatsOf({ output_format }: BatchRow, { plan }: Extract<Found, { file: FileRow }>): { format: OutputFormat } {
  const own = plan.kind === 'readable' ? plan.format : 'csv';
  return { format: (output_format ?? own) as OutputFormat };
}

type ReadablePlan = Extract<FilePlan, { kind: 'readable' }>;
type Checked = {
  readonly plan: ReadablePlan;
  /** As in `batch_files.endpoints`. */
  readonly endpoints: readonly (string | null)[] | null;
  readonly warnings: readonly Warning[];
};

type Verdict = Checked | { readonly failure: JobFailure };

/** Checks a file against the inputs of its target versions. */
async function checkPlan(
  tx: Tx,
  batch: BatchRow,
  { file, plan }: Extract<Found, { file: FileRow }>,
): Promise<Checked | { failure: JobFailure & { readonly code: FileFailureCode } }> {
  if (plan.kind === 'unreadable') return { failure: { code: 'file_unreadable', detail: plan.detail } };
  const model = batch.model as BatchModel | null;
  const { endpoints } = plan;
  const targets = batch.targets as Targets;
  const ids = new Set((endpoints ?? []).map((name) => targets[name]));
  if (plan.namesNone && model) ids.add(model.version_id);
  if (ids.size === 0) return { failure: { code: 'no_target', detail: noTarget(file.path, endpoints) } };
  const versions = await selectVersions(tx, [...ids]);
  const mapping = batch.column_mapping as ColumnMapping;
  const own = versions.map((version) => alsoNamed(version.inputs as Field[], plan.otherNames));
  const inputs = own.map((fields) => mapInputs(fields, mapping));
  // Rows that name other models may have none of the inputs that the model of the batch has.
  const ofThese = Object.entries(mapping).filter(([input]) => own.flat().some(({ name }) => name === input));
  const present = new Set(plan.columns.map((name) => name.toLowerCase()));
  const has = (name: string) => present.has(name.toLowerCase());
  const twice = inputs.flat().map((input) => describeTwice(input, has));
  const reference = batch.reference_column?.toLowerCase();
  if (
    reference !== undefined &&
    inputs
      .flat()
      .flatMap(namesOf)
      .some((name) => name.toLowerCase() === reference)
  )
    twice.push(`${batch.reference_column} is read by a model of the batch, and cannot be its reference_column too`);
  const [first] = [...twice, ...mappingProblems(Object.fromEntries(ofThese), own).map(({ message }) => message)].filter(
    (sentence) => sentence !== null,
  );
  if (first !== undefined) return { failure: { code: 'file_unreadable', detail: `${file.path}: ${first}` } };
  // A key of JSONL may first appear after the lines that were inspected.
  const unmapped = plan.format === 'jsonl' ? [] : lackingColumns(inputs.flat(), has);
  if (unmapped.length > 0) {
    const detail = `${file.path} lacks ${[...new Set(unmapped)].join(', ')}, named in column_mapping`;
    return { failure: { code: 'missing_column', detail } };
  }
  if (endpoints === null) {
    const lacking = lackingInputs(inputs[0], has, batch.reference_date !== null).join(', ');
    if (lacking !== '')
      return {
        failure: {
          code: 'missing_column',
          detail: `${file.path} lacks ${lacking}, which the model needs: name what the file calls it in column_mapping, or add it`,
        },
      };
  }
  if (reference !== undefined && plan.format !== 'jsonl' && !present.has(reference)) {
    const detail = `${file.path} lacks ${batch.reference_column}, the reference_column of the batch`;
    return { failure: { code: 'missing_column', detail } };
  }
  const named = endpoints && [...endpoints, ...(plan.namesNone ? [null] : [])];
  return { plan, endpoints: named, warnings: warningsOf(file, plan, inputs, reference) };
}

function noTarget(path: string, endpoints: readonly string[] | null): string {
  if (endpoints === null)
    return `${path} has no column ${endpointColumn}, and the batch names no model: give one of the two`;
  return `no row of ${path} names an alias or active version of a model in its column ${endpointColumn}`;
}

function warningsOf(
  file: FileRow,
  plan: ReadablePlan,
  inputs: readonly (readonly Field[])[],
  reference: string | undefined,
): Warning[] {
  const { path, bytes } = file;
  const warnings: Warning[] = plan.warnings.map((notice) => {
    const { code: _, file: __, ...values } = notice;
    return { code: 'file', message: sayFileNotice(notice), values };
  });
  const warn = (code: string, message: string, values: MessageValues = {}) =>
    void warnings.push({ code, message: `${path}: ${message}`, values });
  const groupRows = plan.rowGroupRowsMax ?? 0;
  if (groupRows > recommendedGroupRows)
    warn('large_row_groups', `row groups of ${groupRows} rows; at most 100,000 are recommended`, { rows: groupRows });
  if (Number(bytes) > recommendedFileBytes)
    warn('large_file', 'more than 5 GB: several smaller files are scored side by side');
  if (plan.dayForm !== null) {
    const { form, isGuessed: guessed, mixed } = plan.dayForm;
    warn('day_form', sayDayForm(plan.dayForm), { form, guessed, ...mixed });
  }
  if (plan.format === 'jsonl') warn('jsonl_deprecated', 'JSONL is deprecated: send Parquet, or CSV');
  const present = new Set(plan.columns.map((name) => name.toLowerCase()));
  const names = [
    ...inputs.flatMap((fields) => fields.flatMap(namesOf)),
    ...echoed,
    endpointColumn,
    ...(reference ? [reference] : []),
  ];
  const known = new Set(names.map((name) => name.toLowerCase()));
  const unknown = plan.columns.filter((name) => !known.has(name.toLowerCase()));
  if (unknown.length > 0)
    warn('unknown_columns', `columns that no model of the batch reads: ${unknown.join(', ')}`, { columns: unknown });
  const missing = inputs.flatMap((fields) => missingInputs(fields, (name) => present.has(name.toLowerCase())));
  const bySentence = new Map(missing.map((input) => [describeMissing(input), input]));
  for (const [sentence, { name, importance }] of bySentence) warn('missing_inputs', sentence, { name, importance });
  return warnings;
}

/**
 * Cuts a file into units. Parquet is cut at row groups when they have one size. Text is one unit, because it can only
 * be read from its start.
 */
function unitsOf(batch: BatchRow, position: number, plan: ReadablePlan): Insertable<BatchUnits>[] {
  const own = {
    organization_id: batch.organization_id,
    workspace_id: batch.workspace_id,
    batch_id: batch.id,
    position,
  };
  if (plan.format !== 'parquet' || plan.rows <= unitRows || plan.columns.includes('file_row_number'))
    return [{ ...own, unit: 0, first_row: 0, rows: null }];
  const group = plan.rowGroupRowsMax ?? unitRows;
  const size = group <= unitRows ? Math.floor(unitRows / group) * group : unitRows;
  return Array.from({ length: Math.ceil(plan.rows / size) }, (_, unit) => ({
    ...own,
    unit,
    first_row: unit * size,
    rows: Math.min(size, plan.rows - unit * size),
  }));
}
