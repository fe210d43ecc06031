import type { Contract } from '../contract/contract.ts';
import type { Feature, Read, Span } from '../features/feature.ts';
import { reasonCode } from './factors.ts';
import { columnsRead, type KnownTask, referencesRead, type Telling, tableRead } from './lineage.ts';
import { isProtected } from './protected.ts';
import { describeFeature, type Language } from './wording.ts';

/** One feature of a model: what it reads, in words and by its lineage, and how much it matters. */
export type ModelFeature = {
  /** The code of its reasons, which features that differ in span or aggregate alone share; null where `protected`. */
  readonly code: string | null;
  /** Share of the model's gain, 0 to 1; the features of a model sum to 1. */
  readonly importance: number;
  /** Share of the training rows on which it has a value, 0 to 1. */
  readonly coverage: number;
  /** In words of English; null where `protected`. */
  readonly description: string | null;
  /** The same in the other languages. */
  readonly said: Readonly<Record<Exclude<Language, 'en'>, string>> | null;
  /** Whether it reads a protected or personal column: which one is told, and no value of it. */
  readonly protected: boolean;
  /** The references from the row that is predicted for to the rows that are read, as `table.column`. */
  readonly path: readonly string[];
  /** The table whose rows are read; null of the calendar, of all rows together and of encoded vectors. */
  readonly table: string | null;
  /** The columns whose values are read, as `table.column`. */
  readonly columns: readonly string[];
  /**
   * `90d`: the last 90 days; `90d, 364d before`: as many days, a year before; `last 5`: the newest five; `all`; null
   * where no rows are aggregated over a span.
   */
  readonly span: string | null;
  /** How the values become one: `value` of a row's own, `count`, `mean`, `share`, … */
  readonly aggregate: string;
};

/** Tells the features of a model, most important first. `importance` and `coverage` are parallel to `features`. */
export function tellFeatures(
  features: readonly Feature[],
  importance: ArrayLike<number>,
  coverage: ArrayLike<number>,
  contract: Contract,
  asked: KnownTask & Pick<Telling, 'history'>,
): ModelFeature[] {
  const source = { ...asked, contract };
  return features
    .map((feature, f): ModelFeature => {
      const hidden = isProtected(source, feature);
      const describe = (language: Language) => describeFeature(feature, contract, language, asked);
      const columns = columnsRead(source, feature).map(({ table, column }) => `${table?.name}.${column.name}`);
      return {
        code: hidden ? null : reasonCode(feature),
        importance: round(importance[f]),
        coverage: round(coverage[f]),
        description: hidden ? null : describe('en'),
        said: hidden ? null : { 'pt-BR': describe('pt-BR') },
        protected: hidden,
        path: referencesRead(source, feature),
        table: tableRead(source, feature) ?? null,
        columns: [...new Set(columns)],
        span: 'span' in feature.read ? spanOf(feature.read.span) : null,
        aggregate: aggregateOf(feature.read),
      };
    })
    .sort((a, b) => b.importance - a.importance);
}

const decimals = 6;

function round(value: number): number {
  return Number(value.toFixed(decimals));
}

/** `ModelFeature.span` of a span. */
export function spanOf(span: Span): string {
  if ('days' in span) return `${span.days}d`;
  if ('season' in span) return `${span.season}d, ${span.ago}d before`;
  return 'last' in span ? `last ${span.last}` : 'all';
}

/** `ModelFeature.aggregate` of a read. */
export function aggregateOf(read: Read): string {
  if ('aggregate' in read) return read.aggregate;
  switch (read.kind) {
    case 'attribute':
    case 'attribute_is':
    case 'category':
    case 'measure':
    case 'length':
    case 'word':
    case 'interval':
    case 'age':
    case 'calendar':
    case 'data_age':
    case 'embedding':
    case 'last_is':
      return 'value';
    case 'words':
    case 'gap':
    case 'variety':
    case 'against':
    case 'rating':
      return read.as;
    case 'since':
      return read.which;
    default:
      return read.kind;
  }
}
