import type { Context } from '../../../access/context.ts';
import type { Tx } from '../../../access/transactions.ts';
import { countsOf, layNumberBins, layTextBins } from '../../../ml/monitoring/bins.ts';
import type { Signal } from '../../../ml/monitoring/judge.ts';
import type { Field } from '../../../ml/version/schema.ts';
import { dayInput } from '../../../ml/version/schema.ts';
import type { PromisedField } from '../../models/read-observed.ts';
import { type BinRow, type CountedSignal, type DayRow, selectFirstAnswers } from './sql.ts';

type Answer = Awaited<ReturnType<typeof selectFirstAnswers>>[number];

/** Answers by which bins are laid: fewer say little of tenths, and more say little more. */
export const binRowsMin = 300;
const binRowsMax = 2_000;
/** Most columns that are watched, the most important first. */
const inputsMax = 30;
/** Columns that are looked at for such, by their types. */
const candidatesMax = 100;
const countedTypes: readonly Field['type'][] = ['number', 'integer', 'string', 'boolean'];
/** Texts whose frequent values make up less are names, not categories. */
const categoryShareMin = 0.8;

/**
 * Lays what is counted of a version's answers: its deciding field by the tenths of what it said when it was made, the
 * inputs that are numbers or categories by its first answers, and whether whom they name is known. Null where it has
 * too few answers yet. Columns that say something of a person are not counted.
 */
export async function laySignals(
  tx: Tx,
  ctx: Context,
  versionId: string,
  version: { readonly fields: readonly PromisedField[]; readonly inputs: readonly Field[] },
  span: { readonly from: string; readonly until: string },
): Promise<Signal[] | null> {
  const [deciding] = version.fields;
  const candidates = version.inputs
    .filter(({ name, type, pii }) => name !== dayInput && !pii && countedTypes.includes(type))
    .toSorted((a, b) => (b.importance ?? 0) - (a.importance ?? 0))
    .slice(0, candidatesMax);
  const asked = { inputs: candidates.map(({ name }) => name), output: deciding?.name ?? '' };
  const answers = await selectFirstAnswers(tx, ctx, versionId, asked, { ...span, most: binRowsMax });
  if (answers.length < binRowsMin) return null;
  const inputs = candidates.flatMap((field) => inputSignal(field, answers) ?? []).slice(0, inputsMax);
  return [
    ...(deciding ? [scoreSignal(deciding, answers)] : []),
    ...inputs,
    { name: 'unknown_entity', kind: 'unknown', bins: { kind: 'text', values: [] } },
  ];
}

function scoreSignal({ name, kind, classes, tenths }: PromisedField, answers: readonly Answer[]): Signal {
  if (kind === 'multiclass')
    return { name, kind: 'score', bins: { kind: 'text', values: classes.slice(0, inputsMax) } };
  const bins = tenths
    ? ({ kind: 'number', edges: tenths } as const)
    : layNumberBins(answers.map(({ output }) => numberOf(output)));
  return { name, kind: 'score', bins };
}

function inputSignal({ name, type }: Field, answers: readonly Answer[]): Signal | null {
  const values = answers.map(({ inputs }) => inputs[name]);
  if (type === 'number' || type === 'integer')
    return { name, kind: 'input', bins: layNumberBins(values.map(numberOf)) };
  const texts = values.map((value) => (value === null || value === undefined || value === '' ? null : String(value)));
  const bins = layTextBins(texts);
  const given = texts.filter((text) => text !== null);
  const covered = given.filter((text) => bins.kind === 'text' && bins.values.includes(text)).length;
  return given.length > 0 && covered < categoryShareMin * given.length ? null : { name, kind: 'input', bins };
}

function numberOf(value: unknown): number {
  return typeof value === 'number' ? value : Number.NaN;
}

/** How the database counts the signals; features are counted where versions are opened. */
export function countedSignals(signals: readonly Signal[]): CountedSignal[] {
  return signals.flatMap(({ name, kind, bins }, place): CountedSignal[] => {
    if (kind === 'feature') return [];
    return [
      {
        ...{ place, name, side: kind === 'input' ? 'inputs' : 'outputs' },
        kind: kind === 'unknown' ? 'unknown' : bins.kind,
        edges: bins.kind === 'number' ? bins.edges : [],
        texts: bins.kind === 'text' ? bins.values : [],
      },
    ];
  });
}

/** Adds what was counted to the days that there are. */
export function addBins(signals: readonly Signal[], days: readonly DayRow[], added: readonly BinRow[]): DayRow[] {
  const known = new Map(days.map((one) => [one.day, one]));
  return [...Map.groupBy(added, ({ day }) => day)].map(([day, rows]) => {
    const before = known.get(day);
    const counts = signals.map(({ kind, bins }, place) => {
      const had = before?.counts[place] ?? null;
      if (kind === 'feature') return had;
      const own = had ? [...had] : new Array<number>(countsOf(bins)).fill(0);
      for (const row of rows) if (row.place === place) own[row.bin] += row.rows;
      return own;
    });
    return { day, rows: totalOf(counts[0]), counts };
  });
}

function totalOf(counts: readonly number[] | null): number {
  return counts?.reduce((sum, count) => sum + count, 0) ?? 0;
}
