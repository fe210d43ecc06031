import type { Context } from '../../access/context.ts';
import { type Tx, tenant } from '../../access/transactions.ts';
import { readMoment } from '../../api/moment.ts';
import { refuse } from '../../errors.ts';
import { newId } from '../../lib/crypto/ids.ts';
import type { Problem } from '../../lib/failure.ts';
import { endOfDay, instantOf, isDay, wallClock } from '../../lib/time-zone.ts';
import type { ObservedField } from '../../ml/monitoring/observed.ts';
import { record } from '../../trail/record.ts';
import type { App } from '../app.ts';
import { readObservedFields } from '../models/read-observed.ts';
import { modelIdOf } from '../models/require.ts';
import { type OutcomeValue, presentOutcome } from './outcome.ts';
import {
  type NewOutcome,
  type Predicted,
  selectModelsOf,
  selectOfPredictions,
  selectPredicted,
  selectPredictedAbout,
  selectStoredVersions,
  upsertOutcomes,
} from './sql.ts';

export type GivenOutcome = {
  readonly prediction_id?: string;
  readonly model?: string;
  readonly task?: string;
  readonly entity?: { readonly table?: string; readonly key: string };
  /** A day, or a moment. */
  readonly as_of?: string;
  readonly output?: string;
  readonly value: number | string | boolean;
  readonly observed_at: string;
};

/** Most outcomes of one request, and most predictions about one entity at one moment that one outcome is of. */
export const outcomesMax = 1_000;
const predictionsMax = 20;
/** Most problems that a refusal names. */
const problemsMax = 20;
/** Clocks of callers may be so much ahead. */
const aheadMaxMs = 5 * 60_000;
const dayMs = 24 * 60 * 60 * 1000;

/**
 * Takes outcomes in, all of them or none. The same request again changes nothing; another value or moment corrects.
 * Throws Failure 'not_found', 'entity_erased', 'invalid', 'schema_mismatch', naming every outcome concerned.
 */
export async function recordOutcomes(app: App, ctx: Context, given: readonly GivenOutcome[]) {
  const { found, versions } = await tenant(app.db, ctx, async (tx) => {
    const found = await findPredictions(tx, ctx, given);
    const ids = new Set(found.flatMap((own) => own.map(({ version_id }) => version_id)));
    return { found, versions: await selectStoredVersions(tx, [...ids]) };
  });
  const fields = new Map<string, readonly ObservedField[]>();
  for (const version of versions) fields.set(version.id, await readObservedFields(app, version));
  const outcomes = readOutcomes(ctx, given, found, fields);
  return tenant(app.db, ctx, async (tx) => {
    const changed = await upsertOutcomes(tx, ctx, 'api', outcomes);
    const created = changed.filter(({ is_new }) => is_new).length;
    const corrected = changed.length - created;
    if (changed.length > 0)
      await record(tx, ctx, 'outcome-receipt', { type: 'workspace', id: ctx.workspaceId }, { created, corrected });
    const wanted = new Set(outcomes.map(placeOf));
    const rows = await selectOfPredictions(tx, [...new Set(outcomes.map(({ prediction_id }) => prediction_id))]);
    const data = rows.filter((row) => wanted.has(placeOf(row))).map(presentOutcome);
    return { created, corrected, unchanged: data.length - changed.length, data };
  });
}

const placeOf = ({ prediction_id, output }: Pick<NewOutcome, 'prediction_id' | 'output'>) =>
  `${prediction_id} ${output}`;

/** The predictions that each outcome is of. */
async function findPredictions(tx: Tx, ctx: Context, given: readonly GivenOutcome[]): Promise<Predicted[][]> {
  const faults: Problem[] = [];
  const asked = [];
  for (const [place, one] of given.entries()) {
    if (one.prediction_id !== undefined) {
      if (one.entity || one.as_of !== undefined || one.model !== undefined || one.task !== undefined)
        faults.push({
          at: `/outcomes/${place}`,
          message: 'has a prediction_id, so that entity, model, task and as_of are too many',
        });
    } else if (!one.entity || one.as_of === undefined || (one.model === undefined) === (one.task === undefined))
      faults.push({
        at: `/outcomes/${place}`,
        message: 'needs a prediction_id, or entity and as_of together with either model or task',
      });
    else {
      const span = spanOf(one.as_of, ctx.timeZone);
      if (span === null)
        faults.push({
          at: `/outcomes/${place}/as_of`,
          message: 'must be a day such as 2026-01-31, or a moment with its zone',
        });
      else {
        const { model, task } = one;
        asked.push({ place, ...span, table: one.entity.table ?? null, key: one.entity.key, model, task });
      }
    }
  }
  refuseFaults('schema_mismatch', faults);
  const models = new Map<string, readonly string[]>();
  const nameOf = ({ model, task }: NamedBy) => JSON.stringify([model, task]);
  for (const one of asked) {
    if (models.has(nameOf(one))) continue;
    const { model, task } = one;
    models.set(nameOf(one), model === undefined ? await selectModelsOf(tx, task!) : [await modelIdOf(tx, model)]);
  }
  const entities = asked.map(({ model, task, ...one }) => ({ ...one, models: models.get(nameOf({ model, task }))! }));
  const about = Map.groupBy(await selectPredictedAbout(tx, ctx, entities, predictionsMax), ({ place }) => place);
  const ids = given.flatMap(({ prediction_id }) => prediction_id ?? []);
  const byId = new Map((await selectPredicted(tx, ids)).map((one) => [one.id, one]));
  const found = given.map(({ prediction_id }, place): Predicted[] => {
    if (prediction_id === undefined) return about.get(place) ?? [];
    const one = byId.get(prediction_id);
    return one ? [one] : [];
  });
  const absent = given.flatMap(({ prediction_id }, place) => {
    if (found[place].length > 0) return [];
    return prediction_id === undefined
      ? [{ at: `/outcomes/${place}/entity`, message: 'there is no prediction about it as of then' }]
      : [{ at: `/outcomes/${place}/prediction_id`, message: `there is no prediction ${prediction_id}` }];
  });
  refuseFaults('not_found', absent);
  const erased = found.flatMap((own, place) =>
    own.some(({ is_erased }) => is_erased)
      ? [{ at: `/outcomes/${place}`, message: 'whom the prediction was about has been erased' }]
      : [],
  );
  refuseFaults('entity_erased', erased);
  return found;
}

/** By what the models are named that were asked: one of the two. */
type NamedBy = { readonly model: string | undefined; readonly task: string | undefined };

/** The moments of a day, or the millisecond of a moment; null for another text. */
function spanOf(asOf: string, timeZone: string): { readonly from: string; readonly until: string } | null {
  if (isDay(asOf)) {
    const end = endOfDay(timeZone, asOf);
    const before = endOfDay(timeZone, new Date(Date.parse(asOf) - dayMs).toISOString().slice(0, 10));
    return { from: new Date(before + 1).toISOString(), until: new Date(end).toISOString() };
  }
  const moment = Date.parse(asOf);
  if (Number.isNaN(moment) || !/(Z|[+-]\d\d:\d\d)$/i.test(asOf)) return null;
  const text = new Date(moment).toISOString();
  return { from: text, until: text };
}

function readOutcomes(
  ctx: Context,
  given: readonly GivenOutcome[],
  found: readonly (readonly Predicted[])[],
  fields: ReadonlyMap<string, readonly ObservedField[]>,
): NewOutcome[] {
  const faults: Problem[] = [];
  const outcomes = new Map<string, NewOutcome>();
  for (const [place, one] of given.entries()) {
    const at = `/outcomes/${place}`;
    const observed = readMoment(`outcomes/${place}/observed_at`, one.observed_at, 'body').getTime();
    if (observed > Date.now() + aheadMaxMs) {
      faults.push({ at: `${at}/observed_at`, message: 'lies in the future' });
      continue;
    }
    for (const prediction of found[place]) {
      const known = fields.get(prediction.version_id);
      const field = known && (one.output === undefined ? known[0] : known.find(({ name }) => name === one.output));
      if (!field) {
        faults.push({ at: `${at}/output`, message: outputFault(known) });
        continue;
      }
      if (observed < prediction.as_of.getTime()) {
        faults.push({ at: `${at}/observed_at`, message: 'lies before the moment that the prediction is as of' });
        continue;
      }
      const value = readValue(field, one.value);
      if (value === null) {
        faults.push({ at: `${at}/value`, message: `must be ${expected(field)} of ${field.name}` });
        continue;
      }
      const closes = closesOf(prediction.as_of.getTime(), field.windowDays, ctx.timeZone);
      const outcome: NewOutcome = {
        id: newId('out'),
        ...{ prediction_id: prediction.id, model_id: prediction.model_id, version_id: prediction.version_id },
        ...{ output: field.name, value, observed_at: new Date(observed).toISOString() },
        closes_at: closes === null ? null : new Date(closes).toISOString(),
        is_decided: closes === null || observed >= closes || (field.settles !== null && value === field.settles),
      };
      const same = outcomes.get(placeOf(outcome));
      if (same && (same.value !== outcome.value || same.observed_at !== outcome.observed_at))
        faults.push({
          at,
          message: 'says otherwise than another outcome of the request of the same prediction and output',
        });
      else if (!same) outcomes.set(placeOf(outcome), outcome);
    }
  }
  refuseFaults('invalid', faults);
  return [...outcomes.values()];
}

function outputFault(known: readonly ObservedField[] | undefined): string {
  if (!known) return 'the version that made the prediction has been deleted, so that nothing is known of its outputs';
  return known.length === 0
    ? 'the version has no output that is observed'
    : `must be one of ${known.map(({ name }) => name).join(', ')}`;
}

/** When the window of a prediction closes, in milliseconds; null where its task says none. */
export function closesOf(asOfMs: number, windowDays: number | null, timeZone: string): number | null {
  return windowDays === null ? null : instantOf(timeZone, wallClock(timeZone, asOfMs) + windowDays * dayMs);
}

function readValue({ kind, classes }: ObservedField, value: GivenOutcome['value']): OutcomeValue | null {
  if (kind === 'multiclass') return typeof value === 'string' && classes.includes(value) ? value : null;
  if (kind === 'regression') return typeof value === 'number' ? value : null;
  return value === 1 || value === true ? 1 : value === 0 || value === false ? 0 : null;
}

function expected({ kind, classes }: ObservedField): string {
  if (kind === 'multiclass') return `one of the classes ${classes.slice(0, problemsMax).join(', ')}`;
  return kind === 'regression' ? 'a number, as the value' : '0 or 1, as the value';
}

function refuseFaults(
  code: 'schema_mismatch' | 'not_found' | 'entity_erased' | 'invalid',
  faults: readonly Problem[],
): void {
  if (faults.length === 0) return;
  const more = faults.length > 1 ? `, and ${faults.length - 1} more` : '';
  throw refuse(code, `${faults[0].at} ${faults[0].message}${more}; nothing was taken in`, {
    problems: faults.slice(0, problemsMax),
  });
}
