import { Type } from 'typebox';
import { answerOf, objectOf } from '../../api/named.ts';
import { nullable } from '../../api/nullable.ts';
import type { Level } from '../../ml/monitoring/alarm.ts';
import type { Signal, Watched } from '../../ml/monitoring/judge.ts';
import type { Performance } from '../../ml/monitoring/performance.ts';
import { alarmSchema } from './alarms/alarm.ts';
import { monitorExample, monitoringExample } from './example.ts';
import type { MonitorRow } from './sql.ts';

/** How a model is watched that nobody has said otherwise of. */
export const monitorDefaults = {
  enabled: true,
  auto_rollback: false,
  rollback_days: 30,
  outcomes_min: 200,
  reference_from: null,
} as const;

export type Monitor = {
  readonly enabled: boolean;
  readonly auto_rollback: boolean;
  readonly rollback_days: number;
  readonly outcomes_min: number;
  readonly reference_from: string | null;
};

export const monitorProperties = {
  enabled: Type.Boolean({ description: 'Whether its answers are watched.' }),
  auto_rollback: Type.Boolean({
    description:
      'Whether an alias is moved back to the version before when its version fails for certain, within rollback_days of when it was moved. A version is rolled back once, and nothing is moved back to one that was. Splits by which it answers end.',
  }),
  rollback_days: Type.Integer({ minimum: 1, maximum: 365 }),
  outcomes_min: Type.Integer({
    minimum: 50,
    maximum: 100_000,
    description: 'With fewer outcomes, nothing is said of how good answers are.',
  }),
  reference_from: nullable(
    Type.String({
      pattern: '^\\d{4}-\\d{2}-\\d{2}$',
      description: 'The first day that answers are held against; null: that of the first answer of each version.',
    }),
  ),
};

export const monitorSchema = answerOf('Monitor', monitorExample, { model_id: Type.String(), ...monitorProperties });

export function monitorOf(row: MonitorRow | undefined): Monitor {
  if (!row) return monitorDefaults;
  const { enabled, auto_rollback, rollback_days, outcomes_min, reference_from } = row;
  return { enabled, auto_rollback, rollback_days, outcomes_min, reference_from };
}

/** The share of the first answers of a version in which each of its inputs was given. */
export type Sent = Readonly<Record<string, number>>;

/** How good the answers of a field were, of the newest predictions whose windows have closed. */
export type FieldPerformance = Performance & {
  readonly output: string;
  /** The days that they are as of. */
  readonly from: string;
  readonly until: string;
  /** Share of the predictions of that time that have a decided outcome. */
  readonly coverage: number;
};

/** The newest judgement of a version, as it is stored. */
export type Report = {
  readonly watched: readonly Watched[];
  readonly performance: readonly FieldPerformance[];
  /** Null, or absent in what was judged earlier, before there were enough answers. */
  readonly sent?: Sent | null;
  /** The levels of figures of performance by field and name, on the newest days. */
  readonly levels: Readonly<Record<string, readonly { readonly day: number; readonly level: Level }[]>>;
};

const number = Type.Number();
const text = Type.String();
const integer = Type.Integer();

export const bandSchema = objectOf('MonitoredBand', {
  band: nullable(text),
  from: number,
  to: number,
  rows: integer,
  expected: number,
  observed: number,
  observed_low: Type.Number({ description: 'With observed_high, the 95 % interval of the rate (Wilson).' }),
  observed_high: number,
});

export const monitoringSchema = answerOf('ModelMonitoring', monitoringExample, {
  model_id: text,
  version_id: text,
  status: Type.String({
    enum: ['off', 'waiting', 'watching'],
    description: 'waiting: there are too few answers, or days of them, to hold others against.',
  }),
  rows: Type.Integer({ description: 'Answers that were counted, on the days asked for.' }),
  days: Type.Array(objectOf('MonitoredDay', { day: text, rows: integer })),
  counted_until: nullable(text),
  judged_at: nullable(text),
  contract_number: Type.Integer({ description: 'The contract that the version was learned under.' }),
  active_contract_number: nullable(Type.Integer({ description: 'The one that is active now.' })),
  signals: Type.Array(
    objectOf('MonitoredSignal', {
      name: text,
      kind: Type.String({ enum: ['score', 'input', 'feature', 'unknown'] }),
      of: Type.String({ enum: ['values', 'missing'] }),
      bins: Type.Array(text, { description: 'What each share is of, in words.' }),
      window_days: integer,
      reference: objectOf('MonitoredReference', { from: text, until: text, rows: integer, shares: Type.Array(number) }),
      current: objectOf('MonitoredWindow', { rows: integer, shares: Type.Array(number) }),
      psi: nullable(number),
      upper: nullable(Type.Number({ description: 'Above it an alarm begins to be raised.' })),
      is_raised: Type.Boolean(),
      series: Type.Array(objectOf('MonitoredReading', { day: text, psi: number, upper: number, lower: number })),
    }),
    { description: 'Furthest beyond its threshold first.' },
  ),
  performance: Type.Array(
    objectOf('MonitoredPerformance', {
      output: text,
      from: text,
      until: text,
      rows: integer,
      coverage: Type.Number({ description: 'Share of the predictions of that time that have an outcome.' }),
      expected: number,
      observed: number,
      bands: Type.Array(bandSchema),
      metrics: Type.Record(Type.String(), Type.Number()),
      figures: Type.Array(
        objectOf('MonitoredFigure', {
          name: Type.String({ enum: ['calibration', 'discrimination', 'error'] }),
          value: number,
          promised: number,
          z: Type.Number({ description: 'By how many standard errors it is worse.' }),
        }),
      ),
    }),
  ),
  alarms: Type.Array(alarmSchema, { description: 'Those that are on.' }),
  rollbacks: Type.Array(
    objectOf('ModelRollback', {
      alias: text,
      from_version_id: text,
      to_version_id: text,
      signals: Type.Array(Type.Unknown()),
      created_at: text,
    }),
  ),
});

/** Shares of the counts, and what each is of. */
export function shareOf(counts: readonly number[]): { rows: number; shares: number[] } {
  const rows = counts.reduce((sum, count) => sum + count, 0);
  return { rows, shares: counts.map((count) => (rows === 0 ? 0 : count / rows)) };
}

const digits = 4;

/** What bins are of, in words that need no language: ranges of numbers, and texts. */
export function binNames({ bins, kind }: Signal, of: Watched['of']): string[] {
  if (of === 'missing') return kind === 'unknown' ? ['unknown', 'known'] : ['missing', 'given'];
  if (bins.kind === 'text') return [...bins.values, '…'];
  const edges = bins.edges.map((edge) => String(Number(edge.toPrecision(digits))));
  return [
    `< ${edges[0]}`,
    ...edges.map((edge, at) => (at + 1 < edges.length ? `${edge} – ${edges[at + 1]}` : `≥ ${edge}`)),
  ];
}
