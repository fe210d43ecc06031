// What a factor of an answer comes from: its features, and the rows that each was computed from.
import type { Contract } from '../contract/contract.ts';
import type { FactorMember, Factors } from '../explain/factors.ts';
import { aggregateOf, spanOf } from '../explain/model-features.ts';
import { describeFeature, type Language } from '../explain/wording.ts';
import { type Feature, labelsTable } from '../features/feature.ts';
import type { Graph } from '../features/graph.ts';
import type { ReadRow, Role, RowPlace } from '../features/rows/read-row.ts';
import { rowsOf } from '../features/rows/rows.ts';
import type { WholeRows } from '../features/rows/whole.ts';
import type { Anchors } from '../features/state.ts';
import { hasPersonalKey, keyTextOf } from '../graph/key-text.ts';
import { keyValue } from '../graph/keys.ts';
import type { Table } from '../graph/tables.ts';
import { type Cell, tellerOf } from '../lake/rows.ts';
import type { Version } from '../version/version.ts';
import type { AskedMoments } from './anchors.ts';

/** Most factors that the lineage of an answer has: more are below the share from which on they are told. */
export const lineageFactorsMax = 20;
/** Most rows of one feature that are listed; all are counted. */
export const listedRowsMax = 10_000;

export type AskedLineage = AskedMoments & {
  readonly language: Language;
  /** The code of the factor whose rows are listed; null to count those of each. */
  readonly factor: string | null;
  /** Which of the listed rows are told, those of all features after each other. */
  readonly skip: number;
  readonly most: number;
};

/** A row as it is told. */
export type ToldPlace = {
  readonly table: string;
  /** Its number in the table as the data hold it; null where it is none of their rows. */
  readonly row: number | null;
  /** null: it has none, or none that may be told. */
  readonly key: string | null;
  /**
   * `data`: a row that a file brought. `request`: the row that was asked about. `labels`: an outcome that a model
   * learned from. `values`: one that stands for all rows with a text, or for a pair.
   */
  readonly kind: 'data' | 'request' | 'labels' | 'values';
  /** Somebody whom it names was erased. */
  readonly isErased: boolean;
  /** On the clocks of the data; a day where no more is known. */
  readonly date: string | null;
};

export type ToldRow = ToldPlace & {
  readonly role: Role;
  readonly of: number;
  readonly knownAt: string | null;
  readonly column: string | null;
  readonly value: Cell;
  readonly holder: ToldPlace | null;
};

export type ToldFeatureRows = {
  readonly code: string;
  readonly path: Feature;
  readonly description: string;
  readonly aggregate: string;
  readonly span: string | null;
  readonly contribution: number;
  /** null: missing; of a vector, which has many numbers, not told. */
  readonly value: number | null;
  readonly subjects: readonly (ToldPlace & { readonly weight: number; readonly value: number | null })[];
  readonly whole: ToldWhole | null;
  readonly count: number;
  readonly rows: readonly ToldRow[];
};

type ToldWhole = {
  readonly table: string;
  readonly rows: number;
  readonly from: string | null;
  readonly until: string | null;
  readonly mean: number | null;
};

/** `features` and `rows`: how many it is computed from. */
type CountedFactor = Pick<Factors['factors'][number], 'code' | 'text' | 'contribution' | 'effect'> & {
  readonly features: number;
  readonly rows: number;
};

export type ToldLineage = {
  /** Of all factors. */
  readonly codes: readonly string[];
  readonly factors: readonly CountedFactor[];
  /** Of the factor that was asked for; several factors may have one code. */
  readonly features: readonly ToldFeatureRows[];
  /** Listed rows of these features together. */
  readonly listed: number;
  /** How many rows each table has. */
  readonly tableRows: Readonly<Record<string, number>>;
};

/** Tells the lineage of the factors of the only anchor. `told`: with their members. */
export function tellLineage(
  { version, graph, anchors }: { readonly version: Version; readonly graph: Graph; readonly anchors: Anchors },
  told: Factors['factors'],
  { factor, skip, most, language }: AskedLineage,
): ToldLineage {
  const { features, contract, task, fresh, history } = version;
  const asked = { entity: task.entity, kind: task.kind, target: task.target, label: task.label, fresh, history };
  const read = (member: FactorMember, from: number, to: number) =>
    rowsOf(graph, features[member.feature], anchors, { from, to });
  const tell = openTeller(graph, contract, anchors);
  const of = told.filter(({ code }) => factor === null || code === factor);
  const factors: CountedFactor[] = [];
  const listing: ToldFeatureRows[] = [];
  let listed = 0;
  for (const { code, text, contribution, effect, members = [] } of of) {
    const own = joinVectors(members, features);
    let rows = 0;
    for (const member of own) {
      const feature = features[member.feature];
      const from = factor === null ? 0 : clamp(skip - listed);
      const to = factor === null ? 0 : clamp(skip + most - listed);
      const found = read(member, from, to);
      rows += found.count;
      listed += Math.min(found.count, listedRowsMax);
      if (factor === null) continue;
      listing.push({
        ...{ code, path: feature, description: describeFeature(feature, contract, language, asked) },
        ...{ aggregate: aggregateOf(feature.read), span: 'span' in feature.read ? spanOf(feature.read.span) : null },
        contribution: member.contribution,
        value: feature.read.kind === 'embedding' ? null : orNull(found.value),
        subjects: found.subjects.map(({ weight, value, ...subject }) => ({
          ...tell.subject(subject),
          weight,
          value: feature.read.kind === 'embedding' ? null : orNull(value),
        })),
        whole: found.whole && tell.whole(found.whole),
        count: found.count,
        rows: found.rows.map((row) => tell.row(feature, row)),
      });
    }
    factors.push({ code, text, contribution, effect, features: own.length, rows });
  }
  const tableRows = Object.fromEntries(Array.from(graph.tables.values(), ({ name, rows }) => [name, rows]));
  const codes = [...new Set(told.map(({ code }) => code))];
  return { codes, factors, features: listing, listed, tableRows };
}

function clamp(place: number): number {
  return Math.min(Math.max(0, place), listedRowsMax);
}

/**
 * Those that moved the answer most lead, as in its sentence. The numbers of a vector are one: they come together, and
 * none of them means anything alone.
 */
function joinVectors(members: readonly FactorMember[], features: readonly Feature[]): FactorMember[] {
  const joined = new Map<string, FactorMember>();
  for (const member of members) {
    const { focus, read } = features[member.feature];
    const key = read.kind === 'embedding' ? JSON.stringify([focus, read.of ?? null]) : `${member.feature}`;
    const first = joined.get(key);
    const contribution = member.contribution + (first?.contribution ?? 0);
    joined.set(key, { feature: first?.feature ?? member.feature, contribution });
  }
  const size = ({ contribution }: FactorMember) => Math.abs(contribution);
  return [...joined.values()].sort((a, b) => size(b) - size(a) || a.feature - b.feature);
}

function orNull(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}

const dayUs = 86_400_000_000;

/** A moment on the clocks of the data: a day where it is the last microsecond of one, as days are known. */
function tellMoment(moment: number): string | null {
  if (!Number.isFinite(moment)) return null;
  return String(tellerOf((moment + 1) % dayUs === 0 ? 'date' : 'timestamp')(moment));
}

function openTeller(graph: Graph, contract: Contract, anchors: Anchors) {
  const isKept = (name: string) => contract.tables.some((table) => table.name === name);
  const kindOf = ({ table }: RowPlace): ToldPlace['kind'] => {
    if (anchors.fresh && table === anchors.table) return 'request';
    if (table.name === labelsTable) return 'labels';
    return table.values || !isKept(table.name) ? 'values' : 'data';
  };
  // Whoever asks knows whom they asked about.
  const isAsked = ({ table, row }: RowPlace) =>
    table.name === anchors.ownTable && !anchors.fresh && row === anchors.rows[0];
  const place = (at: RowPlace): ToldPlace => {
    const { table, row } = at;
    const kind = kindOf(at);
    const isErased = kind === 'data' && namesErased(table, row);
    const date = kind === 'values' ? null : tellMoment(table.time?.[row] ?? Number.NaN);
    const isHidden = isErased || (hasPersonalKey(table) && !isAsked(at));
    const key = kind === 'labels' ? labelKey(at) : isHidden ? null : keysText(table, row);
    return { table: table.name, row: kind === 'data' ? row : null, key, kind, isErased, date };
  };
  /** A label is told by the key of whom it is of. */
  const labelKey = ({ table, row }: RowPlace): string | null => {
    const entity = table.references.get('entity')!;
    const of = { table: graph.table(entity.table), row: entity.rows[row] };
    if (of.row < 0 || namesErased(of.table, of.row) || (hasPersonalKey(of.table) && !isAsked(of))) return null;
    return keysText(of.table, of.row);
  };
  return {
    subject: ({ table, row }: { readonly table: Table | undefined; readonly row: number }): ToldPlace =>
      table && row >= 0
        ? place({ table, row })
        : { table: table?.name ?? '', row: null, key: null, kind: 'values', isErased: false, date: null },
    whole: ({ table, rows, from, until, mean }: WholeRows): ToldWhole => ({
      ...{ table: table.name, rows, mean },
      ...{ from: tellMoment(from), until: tellMoment(until) },
    }),
    row(feature: Feature, row: ReadRow): ToldRow {
      const { role, of, known, column, holder } = row;
      const where = place(row);
      const held = holder && holder.row >= 0 ? place(holder) : null;
      const isHidden = where.isErased || held?.isErased === true;
      return {
        ...{ ...where, role, of, column, knownAt: tellMoment(known) },
        value: isHidden ? null : tellValue(feature, row),
        holder: held,
      };
    },
  };
}

/** A value by the type of the column in which it stands; a number of days, a rank or a part of a text as it is. */
function tellValue({ read }: Feature, { table, column, value, holder }: ReadRow): Cell {
  if (typeof value !== 'number' || column === null) return value;
  const isSignal = 'signal' in read;
  if (isSignal && (read.signal.kind !== 'column' || read.signal.measure || read.signal.word !== undefined))
    return value;
  const [of, named] = isSignal ? [holder?.table ?? table, read.signal.column] : [table, column];
  const type = of.contract.columns.find(({ name }) => name === named)?.type;
  return type === undefined || type === 'string' ? value : tellerOf(type)(value);
}

/** The key of a row; of several columns, their values in the contract's order. */
function keysText(table: Table, row: number): string | null {
  const { key } = table.contract;
  if (key.length <= 1) return key.length === 0 || !table.columns.has(key[0]) ? null : keyTextOf(table, row);
  const texts = key.map((name) => keyTextOf({ ...table, contract: { ...table.contract, key: [name] } }, row));
  return texts.every((text) => text === null) ? null : texts.map((text) => text ?? '').join(', ');
}

/** Whether a row has a number of the dictionary behind which there is no name any more. */
function namesErased({ numbers, columns }: Table, row: number): boolean {
  if (!numbers?.nameOf) return false;
  for (const name of numbers.columns) {
    const column = columns.get(name);
    const number = column ? keyValue(column, row) : null;
    if (number !== null && numbers.nameOf(Number(number)) === null) return true;
  }
  return false;
}
