import { Failure } from '../../lib/failure.ts';
import { microsecondsPerDay } from '../contract/contract.ts';
import { contractOf } from '../explain/lineage.ts';
import { openSteering } from '../explain/steering.ts';
import { type Focus, labelsTable } from '../features/feature.ts';
import type { Graph } from '../features/graph.ts';
import { encoderLinkOf } from '../gfm-link/link.ts';
import type { LinkedGraphModel } from '../gfm-link/reading.ts';
import type { Table, Tables } from '../graph/tables.ts';
import type { Rfm } from '../rfm/folder.ts';
import { withEncoder } from '../rfm/open.ts';
import { makeRfm } from '../rfm/train.ts';
import { closedColumns } from '../tasks/task.ts';
import { isYesOrNo, type LearningData, type Progress, readableUntil } from './learning-data.ts';
import { type Regime, trainingQuestions } from './questions.ts';
import { foldsOf } from './try-recipes.ts';

/**
 * Adds two pre-trained encoders to learning data: one trained on all that the pool's questions may read, and one for
 * the folds, trained on nothing from the period they are evaluated on. They encode the task's entity; for new rows, the
 * referred row with the most events. `graphModel`: a graph model whose vectors both read, and the link from the task's
 * rows to its nodes. Null where no encoder is possible: a multiclass task, or no events before the folds.
 */
export async function pretrain(
  data: LearningData,
  tables: Tables,
  pool: Int32Array,
  regime: Regime,
  progress: Progress,
  graphModel?: LinkedGraphModel,
): Promise<{ data: LearningData; rfm: Rfm } | null> {
  const pretraining = openPretraining(data, tables, regime, progress, graphModel);
  if (!pretraining) return null;
  const first = firstFold(data, pool, regime);
  try {
    const evaluating = first === null ? null : await pretraining.make(first, 'to be evaluated');
    const until = readableUntil(data, pool, regime).cut;
    const { rfm } = await pretraining.make(until, 'to answer', evaluating?.report.steps);
    return { data: pretraining.read(data, rfm, evaluating?.rfm), rfm };
  } catch (error) {
    if (error instanceof Failure && error.code === 'invalid') return null;
    throw error;
  }
}

/** Makes the encoders of a task, and adds them to data. */
export type Pretraining = {
  /** Throws Failure as `makeRfm` does. */
  make(until: number, what: string, knownSteps?: number): ReturnType<typeof makeRfm>;
  /** Adds an encoder to data, and another for the folds. */
  read(data: LearningData, rfm: Rfm, evaluating?: Rfm): LearningData;
};

/** Null where there is nothing to encode: a multiclass task, or new rows that refer to no row with events. */
export function openPretraining(
  data: LearningData,
  tables: Tables,
  regime: Regime,
  progress: Progress,
  graphModel?: LinkedGraphModel,
): Pretraining | null {
  const { task } = data;
  const encoded = encodedRow(data);
  if (!encoded || data.outputs.every(({ objective }) => objective.kind === 'multiclass')) return null;
  const { table, focus } = encoded;
  const model = graphModel?.model;
  const contracts = { tables: Array.from(tables.values(), ({ contract }) => contract) };
  const link = graphModel && encoderLinkOf({ entity: table, ignore: task.ignore }, contracts, graphModel.link);
  return {
    make(until, what, knownSteps) {
      const horizonsDays = horizonsOf(task.windowDays, historyDays(data.graph, table, until));
      return makeRfm(
        tables,
        table,
        {
          until,
          seed: pretrainSeed,
          ...(horizonsDays && { horizonsDays }),
          gapMaxDays: regime.kind === 'stale' ? regime.gapMax / microsecondsPerDay : 0,
          ignore: task.ignore,
          hide: closedColumns(task),
          mayRead: openSteering({ contract: contractOf(data.graph), entity: table }, task.features).mayRead,
          ...(knownSteps === undefined ? {} : { knownSteps }),
          ...(model && link && { graphModel: { model, link } }),
        },
        (phase, done, of) => progress(`encoder ${what}: ${phase}`, done, of),
      );
    },
    read(of, rfm, evaluating) {
      const use = { focus, model };
      const foldGraph = evaluating && { graph: withEncoder(of.graph, evaluating, use), until: evaluating.until };
      return { ...of, graph: withEncoder(of.graph, rfm, use), ...(foldGraph && { foldGraph }) };
    },
  };
}

/** The start of the first fold on which a model of the pool is evaluated; null without folds. */
export function firstFold(data: LearningData, pool: Int32Array, regime: Regime): number | null {
  const questions = trainingQuestions(data.outputs[0].examples, pool, regime, isYesOrNo(data));
  const starts = data.outputs.flatMap(({ examples }) =>
    foldsOf(examples, questions, regime).folds.map(({ start }) => start),
  );
  return starts.length === 0 ? null : starts.reduce((first, start) => Math.min(first, start));
}

/** Longest allowed horizon, as a share of the history: longer windows have too few complete examples. */
const horizonShareMax = 0.25;

/** The task's window and multiples of it, or shorter ones if the history is short; undefined without a window. */
function horizonsOf(windowDays: number | undefined, days: number): number[] | undefined {
  if (windowDays === undefined) return undefined;
  const times = 12 * windowDays <= days * horizonShareMax ? [1, 3, 12] : [1 / 3, 1, 2];
  return times.map((each) => each * windowDays);
}

/** Share of the oldest events that do not count as history: a few may have wrong dates. */
const strayShare = 0.05;

/** Days of a table's events before `until`. */
function historyDays(graph: Graph, to: string, until: number): number {
  const times = leadingTo(graph, to).flatMap(({ time }) => Array.from(time!.filter((moment) => moment <= until)));
  if (times.length === 0) return 0;
  const sorted = Float64Array.from(times).sort();
  return (until - sorted[Math.floor(strayShare * sorted.length)]) / microsecondsPerDay;
}

const pretrainSeed = 1;

/** The row that is encoded: the entity itself, or for new rows the referred row whose table has most dated events. */
function encodedRow({ task, fresh, graph }: LearningData): { table: string; focus: Focus } | null {
  const root: Focus = { kind: 'root' };
  if (!fresh) return { table: task.entity, focus: root };
  const parents = [...graph.table(task.entity).references]
    .filter(([, { values }]) => !values)
    .map(([reference, { table }]) => ({
      ...{ table, focus: { kind: 'parent', of: root, reference } as const },
      events: countEvents(graph, table, task.entity),
    }));
  const most = parents.reduce((best, { events }) => Math.max(best, events), 0);
  return parents.find(({ events }) => events > 0 && events === most) ?? null;
}

/** Number of dated rows, in tables other than `besides`, that refer to rows of the table `to`. */
function countEvents(graph: Graph, to: string, besides: string): number {
  return leadingTo(graph, to).reduce((sum, { name, rows }) => sum + (name === besides ? 0 : rows), 0);
}

/** Dated tables that refer to the table `to`, without labels and value tables. */
function leadingTo({ tables }: Graph, to: string): Table[] {
  return [...tables.values()].filter(
    ({ name, time, values, references }) =>
      time && !values && name !== labelsTable && [...references.values()].some(({ table }) => table === to),
  );
}
