import type { Admission } from '../../access/admit.ts';
import type { Context } from '../../access/context.ts';
import { type ErrorCode, refuse } from '../../errors.ts';
import { Failure } from '../../lib/failure.ts';
import type { Column, Rows } from '../../lib/files/column.ts';
import type { Answer } from '../../lib/http/server.ts';
import { type Candidates, type CellsOf, candidatesOf } from '../../ml/counterfactuals/candidates.ts';
import type { Domain, Unchangeable } from '../../ml/counterfactuals/domains.ts';
import { type Change, searchChanges, triesAtOnce } from '../../ml/counterfactuals/search.ts';
import { jsonFormat } from '../../ml/kinds/fields.ts';
import { echoed, type Field } from '../../ml/version/schema.ts';
import { instantText, momentRead, readOutputs } from '../../serving/answer.ts';
import { momentOf } from '../../serving/as-of.ts';
import { optionsOf } from '../../serving/options.ts';
import { readBody } from '../../serving/rows/body.ts';
import { endOfToday, momentAt } from '../../serving/rows/moments.ts';
import type { Served } from '../../serving/serving.ts';
import { auditEntry } from '../../trail/audit-entry.ts';
import { useAnswering } from '../predictions/challenged.ts';
import type { Predicting } from '../predictions/predict.ts';
import { changedRows, type InputValue, valueIn } from './changed-rows.ts';
import { type CounterfactualRequest, reasons, triesMax, triesPerPrediction } from './counterfactual.ts';
import { fieldsAsked, readDeclared } from './declared.ts';
import { isReached, readTarget } from './target.ts';

export type AskedCounterfactuals = {
  /** Its id or name. */
  readonly model: string;
  /** An alias, or the id of a version. */
  readonly name: string;
  readonly request: CounterfactualRequest;
};

const mostChangesDefault = 3;
const alternativesDefault = 3;
/** A cost is told to so many digits. */
const costDigits = 6;

/**
 * Answers for the inputs of a request, and searches the changes of them by which the answer reaches its target. A
 * search asks the version in calls of `triesAtOnce` rows, one after the other, so that other answers come in between;
 * `searching` holds the workspaces that search, of which each does so once at a time. The answer is sent after its
 * audit entry is durable, and only to who may still have it. Throws Failure 'rate_limited' while another search is
 * under way, those of `predict`, and those of what is declared.
 */
export async function findCounterfactuals(
  app: Predicting,
  searching: Set<string>,
  ctx: Context,
  { request, ...asked }: AskedCounterfactuals,
  ensure: Admission['ensure'],
): Promise<Answer> {
  await app.allowances.require(ctx, 'predictions');
  const isSearch = request.changeable.length > 0;
  if (isSearch && searching.has(ctx.workspaceId))
    throw refuse('rate_limited', 'this workspace searches already: send it again when that one is answered', {
      headers: { 'retry-after': '1' },
    });
  if (isSearch) searching.add(ctx.workspaceId);
  try {
    const { served, body } = await useAnswering(app.serving, ctx, asked, request.inputs, async (served) => ({
      served,
      body: await answerBy(served, ctx, request),
    }));
    const answeredAt = Date.now();
    const predictions = Math.max(1, Math.ceil(body.searched.candidates / triesPerPrediction));
    const { modelId, versionId, alias } = served;
    const data = { model_id: modelId, version_id: versionId, alias, found: body.found, predictions };
    const target = { type: 'model_version', id: versionId };
    const epochs = await app.groupCommit.commit({
      entry: auditEntry(ctx, 'counterfactual-request', target, data),
      rows: [],
    });
    app.serving.note(ctx.workspaceId, epochs.serving, answeredAt);
    await ensure({ askedAt: epochs.askedAt, already: epochs.auth === ctx.authEpoch });
    return { status: 200, body };
  } finally {
    if (isSearch) searching.delete(ctx.workspaceId);
  }
}

async function answerBy(served: Served, ctx: Context, request: CounterfactualRequest) {
  const { opened, modelId, versionId, snapshotId } = served;
  const now = Date.now();
  const { rows: base, day } = readInputs(request.inputs, served, ctx, now);
  const moments = momentAt(ctx.timeZone, momentOf(day, ctx.timeZone, now, '/inputs/reference_date'));
  const options = optionsOf({ language: ctx.language, factors: 0 }, moments);
  const answer = await opened.predict(base, options);
  // Reasons are of one answer, and nobody asks for those of thousands.
  const told = opened.outputs.filter(({ format }) => format !== jsonFormat);
  const outputsOf = (rows: Rows, row: number) => withoutEchoes(readOutputs(rows, row, told, ctx.timeZone));
  const isSearch = request.changeable.length > 0;
  const target = request.target ? readTarget(request.target, opened.outputs) : null;
  const about = {
    ...{ model_id: modelId, version_id: versionId, snapshot_id: snapshotId },
    as_of: instantText(momentRead(answer, 0), ctx.timeZone),
    target,
    prediction: outputsOf(answer, 0),
    changeable_inputs: null,
    ...{ searched: { exhaustive: true, candidates: 0 }, reason: null, message: null },
  };
  const fields = isSearch ? fieldsAsked(request.changeable, opened.inputs) : opened.inputs;
  const names = fields.map(({ name }) => name);
  // A new row stands at a moment of its own, and nothing that became known after it is proposed.
  const domains = await opened.domainsOf(names, Math.min(moments.dataUntil, momentRead(answer, 0)));
  if (!isSearch) {
    const changeable_inputs = fields.map((field, i) => presentDomain(field, domains[i], valueIn(base, field.name)));
    return { ...about, changeable_inputs, found: false, counterfactuals: [] };
  }
  if (target === null)
    throw refuse('invalid_input', 'target is needed where something may be changed', {
      problems: [{ at: '/target', message: 'is needed where something may be changed' }],
    });
  const declared = fields.map((field, i) => readDeclared(request.changeable[i], field, domains[i], i));
  if (isReached(target, answer, 0)) {
    const asItIs = { changes: [], cost: 0, outputs: about.prediction };
    return { ...about, found: true, counterfactuals: [asItIs] };
  }
  const changed = { opened, base, moments, names, kinds: declared.map(({ domain }) => kindOf(domain)) };
  const candidates: Candidates[] = [];
  for (const [i, { domain, declared: own }] of declared.entries())
    candidates.push(await candidatesOf(domain, valueIn(base, names[i]), own, openCellsOf(changed, i)));
  const predictChanged = (changes: readonly Change[]) =>
    opened.predict(
      rowsOf(
        changed,
        changes.map(({ inputs, options }) => new Map(inputs.map((input, i) => [names[input], options[i].value]))),
      ),
      options,
    );
  const found = await searchChanges(
    candidates,
    {
      mostChanges: request.most_changes ?? mostChangesDefault,
      alternatives: request.alternatives ?? alternativesDefault,
      triesMax,
    },
    async (changes) => {
      const answers = await predictChanged(changes);
      return changes.map((_, row) => isReached(target, answers, row));
    },
  );
  const { changes, tried, isExhaustive } = found;
  const answers = changes.length === 0 ? null : await predictChanged(changes);
  const reason = reasonOf(candidates, found);
  return {
    ...about,
    found: changes.length > 0,
    counterfactuals: changes.map(({ inputs, options, cost }, row) => ({
      changes: inputs.map((input, i) => ({
        input: names[input],
        from: presented(fields[input], valueIn(base, names[input])),
        to: presented(fields[input], options[i].value),
        cost: rounded(options[i].cost),
      })),
      cost: rounded(cost),
      outputs: outputsOf(answers!, row),
    })),
    searched: { exhaustive: isExhaustive, candidates: tried },
    reason,
    message: reason && reasons[reason],
  };
}

/** The row that is asked about, and the inputs that may be changed, with the kinds of their columns. */
type Changed = {
  readonly opened: Served['opened'];
  readonly base: Rows;
  readonly moments: ReturnType<typeof momentAt>;
  readonly names: readonly string[];
  readonly kinds: readonly Column['kind'][];
};

function rowsOf({ base, names, kinds }: Changed, changes: readonly ReadonlyMap<string, InputValue>[]): Rows {
  return changedRows(base, (name) => kinds[names.indexOf(name)], changes);
}

/** Names the cells of values of one input. */
function openCellsOf(changed: Changed, input: number): CellsOf {
  const { opened, moments, names } = changed;
  return async (values) => {
    const cells: string[] = [];
    for (let from = 0; from < values.length; from += triesAtOnce) {
      const part = values.slice(from, from + triesAtOnce).map((value) => new Map([[names[input], value]]));
      // Cells are named as against the first row, which is the one that is asked about.
      cells.push(...(await opened.cellsOf(rowsOf(changed, [new Map(), ...part]), moments)).slice(1));
    }
    return cells;
  };
}

/** As a prediction reads them; what is wrong is told by its place in this request. */
function readInputs(inputs: CounterfactualRequest['inputs'], { opened }: Served, ctx: Context, now: number) {
  try {
    return readBody(inputs, opened.inputs, opened.missing, endOfToday(ctx.timeZone, now));
  } catch (error) {
    if (!(error instanceof Failure) || error.reason === undefined) throw error;
    const { problems, headers } = error;
    throw refuse(error.reason as ErrorCode, error.message, {
      problems: problems.map((problem) => ({ ...problem, at: `/inputs${problem.at}` })),
      headers,
    });
  }
}

function reasonOf(
  candidates: readonly Candidates[],
  { changes, isExhaustive }: { readonly changes: readonly Change[]; readonly isExhaustive: boolean },
): keyof typeof reasons | null {
  if (changes.length > 0) return null;
  if (candidates.every(({ options }) => options.length === 0)) return 'no_effect';
  return isExhaustive ? 'none' : 'not_found';
}

function kindOf({ kind }: Domain): Column['kind'] {
  if (kind === 'choice') return 'text';
  return kind === 'moment' ? 'time' : 'number';
}

function withoutEchoes(outputs: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(outputs).filter(([name]) => !(echoed as readonly string[]).includes(name)));
}

/** A value as a prediction takes it. */
function presented({ type }: Field, value: InputValue): unknown {
  if (value === null || typeof value === 'string') return value;
  if (type === 'boolean') return value === 1;
  if (type === 'date') return new Date(value / 1000).toISOString().slice(0, 10);
  return type === 'timestamp' ? new Date(value / 1000).toISOString().slice(0, -1) : value;
}

/** What is told of an input that could be changed, or of why it cannot. */
function presentDomain(field: Field, domain: Domain | Unchangeable, value: InputValue) {
  const nothing = { minimum: null, maximum: null, step: null, values: null };
  if ('unchangeable' in domain) return { input: field.name, because: domain.unchangeable, value: null, ...nothing };
  const told = { input: field.name, because: null, value: presented(field, value), ...nothing };
  if (domain.kind === 'flag') return { ...told, values: [true, false] };
  if (domain.kind === 'choice') return { ...told, values: domain.values };
  const [minimum, maximum] = [presented(field, domain.least), presented(field, domain.most)];
  return { ...told, minimum, maximum, step: domain.kind === 'moment' ? 1 : domain.step };
}

function rounded(cost: number): number {
  return Number(cost.toPrecision(costDigits));
}
