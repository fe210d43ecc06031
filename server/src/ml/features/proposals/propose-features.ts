import { isReserved } from '../../contract/reserved.ts';
import type { Table } from '../../graph/tables.ts';
import type { Task } from '../../tasks/task.ts';
import { type Feature, type Focus, focusKey, labelsTable, type Read } from '../feature.ts';
import type { Graph } from '../graph.ts';
import type { Anchors } from '../state.ts';
import { proposeApart } from './apart.ts';
import { arrivalOf } from './arrival.ts';
import { proposeAttributes } from './attributes.ts';
import { proposeBaseRates } from './base-rates.ts';
import { boundFeatures } from './bound.ts';
import { type ColumnUse, columnUse } from './column-use.ts';
import { proposeComparisons } from './comparisons.ts';
import type { ChooseWords, Context } from './context.ts';
import { openDatePairs } from './date-pairs.ts';
import { proposeEncodings, proposeOutcomes } from './encodings.ts';
import { proposeEvents } from './events.ts';
import { proposeNeighbors } from './neighbors.ts';
import { withOpenReferences } from './open.ts';
import { openOutcomes } from './outcome.ts';
import { proposePairs } from './pairs.ts';
import { openRankGroups } from './signals.ts';
import { proposeWords } from './words.ts';

export type FeatureProposal = {
  readonly features: readonly Feature[];
  /** Categories of the row and of what it refers to; none where all values have features of their own. */
  readonly categories: readonly Feature[];
  /** Columns that no feature reads, with the reason. */
  readonly unused: readonly { readonly table: string; readonly column: string; readonly why: string }[];
  readonly notes: readonly string[];
};

/** Limits work and memory. The note says how many features were left out. */
const proposalsMax = 5_000;

/**
 * Proposes every feature the tables offer for the task.
 * - `sample`: some training anchors; spans in which they mostly have no events are not proposed.
 * - `cut`: vocabularies and column uses are decided from rows readable by then.
 * - `chooseWords`: chooses the words of a text that get inputs of their own.
 * - `mayRead`: whether a feature may be proposed.
 */
export function proposeFeatures(
  whole: Graph,
  task: Task,
  sample: Anchors,
  cut: number,
  chooseWords: ChooseWords = () => [],
  mayRead: (feature: Feature) => boolean = () => true,
): FeatureProposal {
  const graph = withOpenReferences(whole, task);
  const visible = [...graph.tables.values()].filter((table) => !table.values && !task.ignore.includes(table.name));
  const uses = usesOf(visible, task, cut);
  const mayUse = openOutcomes(graph, task);
  const { features, add } = openList((feature) => mayUse(feature) && mayRead(feature));
  const rankGroups = openRankGroups(cut);
  const datePairs = openDatePairs(uses, cut);
  const context: Context = { graph, visible, uses, task, sample, cut, chooseWords, rankGroups, datePairs, add };
  proposeAll(context);
  const notes = notesOf(context);
  if (features.length > proposalsMax)
    notes.push(
      `${features.length - proposalsMax} of ${features.length} proposed features were left out, where columns are many`,
    );
  const categories = categoriesOf(context).filter((feature) => mayUse(feature) && mayRead(feature));
  return { features: boundFeatures(features, proposalsMax), categories, unused: unusedOf(uses), notes };
}

/** Proposes features from the nearest tables to the farthest. */
function proposeAll(context: Context): void {
  const { graph, task, sample, add } = context;
  const root: Focus = { kind: 'root' };
  const entity = graph.table(task.entity);
  for (const part of ['month', 'weekday', 'time'] as const) add(root, { kind: 'calendar', part });
  add(root, { kind: 'data_age' });
  proposeAttributes(context, root, entity, sample.fresh ? 'fresh' : 'entity');
  proposeEvents(context, root, entity, 'full');
  proposeBaseRates(context, entity);
  proposeEncodings(context, root, entity, ['entity']);
  proposeWords(context, root, entity, ['entity']);
  const parents = parentsOf(context, root, entity);
  for (const { focus, table, reference } of parents) {
    proposeAttributes(context, focus, table, 'entity');
    proposeEvents(context, focus, table, sample.fresh ? 'full' : 'brief');
    proposeEncodings(context, focus, table, ['entity', reference]);
    proposeWords(context, focus, table, ['entity', reference]);
    if (sample.fresh) proposeComparisons(context, entity, reference);
    for (const further of parentsOf(context, focus, table)) {
      if (further.table.name === entity.name) continue;
      proposeAttributes(context, further.focus, further.table, 'entity');
      proposeEvents(context, further.focus, further.table, 'brief');
      proposeDistant(context, further, ['entity', reference, further.reference]);
    }
  }
  if (sample.fresh) proposeApart(context, entity);
  if (sample.fresh) proposePairs(context, entity);
  proposeNeighbors(context, root, entity);
  if (sample.fresh) for (const { focus, table } of parents) proposeNeighbors(context, focus, table);
}

function categoriesOf(context: Context): Feature[] {
  const { graph, task, uses } = context;
  const root: Focus = { kind: 'root' };
  const entity = graph.table(task.entity);
  const found = [{ focus: root, table: entity }, ...parentsOf(context, root, entity)].flatMap(({ focus, table }) =>
    [...(uses.get(table.name) ?? [])].flatMap(([column, use]) =>
      use.kind === 'category' && use.told.length > 1
        ? [{ feature: { focus, read: { kind: 'category' as const, column, values: use.told } }, use }]
        : [],
    ),
  );
  return found.some(({ use }) => use.told.length > use.values.length) ? found.map(({ feature }) => feature) : [];
}

/** Proposes what became of others that lead to a row two or more references away: loans of the same region. */
function proposeDistant(context: Context, { focus, table }: Parent, via: readonly string[]): void {
  proposeOutcomes(context, focus, { table: labelsTable, via });
  if (via.length > labelStepsMax) return;
  for (const parent of parentsOf(context, focus, table))
    if (parent.table.name !== context.task.entity) proposeDistant(context, parent, [...via, parent.reference]);
}

/** Most references between the rows asked about and the row whose others' outcomes are read. */
const labelStepsMax = 3;

type Parent = { readonly focus: Focus; readonly table: Table; readonly reference: string };

/** The rows that `table` refers to, in tables the task may read. */
function parentsOf({ visible }: Context, of: Focus, table: Table): Parent[] {
  return [...table.references].flatMap(([reference, { table: name }]) => {
    const parent = visible.find((candidate) => candidate.name === name);
    return parent ? [{ focus: { kind: 'parent', of, reference }, table: parent, reference }] : [];
  });
}

function usesOf(visible: readonly Table[], task: Task, cut: number): Map<string, ReadonlyMap<string, ColumnUse>> {
  // Compared as whole names, since names of tables and columns may contain dots.
  const hidden = new Set(task.hide);
  const hiddenOf = ({ name, contract }: Table) =>
    new Set(contract.columns.map((column) => column.name).filter((column) => hidden.has(`${name}.${column}`)));
  return new Map(
    visible.map((table) => {
      const own = hiddenOf(table);
      return [
        table.name,
        new Map(table.contract.columns.map((column) => [column.name, columnUse(table, column, cut, own)])),
      ];
    }),
  );
}

/** A list of the features that may be used, in the order they are added, without repetition. */
function openList(mayUse: (feature: Feature) => boolean) {
  const features: Feature[] = [];
  const seen = new Set<string>();
  const add = (focus: Focus, read: Read) => {
    const key = `${focusKey(focus)} ${JSON.stringify(read)}`;
    if (seen.has(key) || !mayUse({ focus, read })) return;
    seen.add(key);
    features.push({ focus, read });
  };
  return { features, add };
}

/** Notes on the tables: whose rows count as known although nothing dates them, and what is not read. */
function notesOf({ graph, visible, task, sample, cut }: Context): string[] {
  const notes: string[] = [];
  const entity = graph.table(task.entity);
  for (const table of visible) {
    for (const { column } of sample.fresh ? table.contract.references : [])
      if (arrivalOf(table, column, entity, task, cut) === 'together')
        notes.push(`rows of ${table.name} come with their row of ${task.entity}: read as known when it is`);
    if (!table.time && table.name !== labelsTable)
      notes.push(`table ${table.name} has no time: its rows are read as known at every anchor`);
  }
  for (const column of task.outcome ?? [])
    notes.push(`${entity.name}.${column} is an outcome: that of other rows is read, never that of the row asked about`);
  if (!graph.tables.has(labelsTable))
    notes.push(
      'nothing says when labels were known: what became of earlier rows is not read (a window, or known, in the task says it)',
    );
  return notes;
}

function unusedOf(uses: ReadonlyMap<string, ReadonlyMap<string, ColumnUse>>): FeatureProposal['unused'] {
  return [...uses].flatMap(([table, columns]) =>
    [...columns].flatMap(([column, use]) =>
      use.kind === 'none' && use.why !== 'reference' && use.why !== 'identifier' && !isReserved(column)
        ? [{ table, column, why: use.why }]
        : [],
    ),
  );
}
