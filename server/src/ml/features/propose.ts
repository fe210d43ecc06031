import type { Signal } from '../events/signals.ts';
import type { Table } from '../graph/tables.ts';
import type { Task } from '../tasks/task.ts';
import { type ColumnUse, columnUse } from './columns.ts';
import { evaluate } from './evaluate.ts';
import {
  type Aggregate,
  allTable,
  type Events,
  type Feature,
  type Focus,
  focusKey,
  labelsTable,
  type Read,
  type Span,
} from './feature.ts';
import type { Graph } from './graph.ts';
import { chooseCompany, eventsOf, labelReference, valuePairs } from './paths.ts';
import type { Anchors } from './state.ts';

/** How much is read of a focus: everything, or the few aggregates that carry most. */
type Depth = 'full' | 'brief';

/** A bound on work and memory: what comes later in the order of proposals is left out and counted. */
const proposalsMax = 5_000;
/** Rows that share a parent are ranked among each other from this median group size. */
const rankGroupMin = 3;
const rankGroupMax = 500;

export type Proposal = {
  readonly features: readonly Feature[];
  /** Columns that no feature reads, with the reason. */
  readonly unused: readonly { readonly table: string; readonly column: string; readonly why: string }[];
  readonly notes: readonly string[];
};

/** Chooses words of a text column of the row that a focus stands on, or of its `events`. */
export type ChooseWords = (focus: Focus, column: string, events?: Events) => readonly string[];

/**
 * Proposes every feature the tables offer for the task. `sample`: some training anchors, by which spans that mostly hold
 * nothing are left out. `cut`: vocabularies and uses of columns are taken from rows readable by then. `chooseWords`: those of a text
 * that get inputs of their own.
 */
export function proposeFeatures(
  graph: Graph,
  task: Task,
  sample: Anchors,
  cut: number,
  chooseWords: ChooseWords = () => [],
): Proposal {
  const hidden = new Map<string, Set<string>>();
  for (const path of task.hide) {
    const [table, column] = path.split('.');
    if (table && column) hidden.set(table, (hidden.get(table) ?? new Set()).add(column));
  }
  const uses = new Map<string, Map<string, ColumnUse>>();
  const notes: string[] = [];
  const visible = [...graph.tables.values()].filter((table) => !table.values && !task.ignore.includes(table.name));
  for (const table of visible) {
    uses.set(
      table.name,
      new Map(
        table.contract.columns.map((column) => [
          column.name,
          columnUse(table, column, cut, hidden.get(table.name) ?? new Set()),
        ]),
      ),
    );
    const entity = graph.table(task.entity);
    for (const { column } of sample.fresh ? table.contract.references : [])
      if (arrivalOf(table, column, entity, task, cut) === 'together')
        notes.push(`rows of ${table.name} come with their row of ${task.entity}: read as known when it is`);
    if (!table.time && table.name !== labelsTable)
      notes.push(`table ${table.name} has no time: its rows are read as known at every anchor`);
  }
  if (!graph.tables.has(labelsTable))
    notes.push(
      'nothing says when labels were known: what became of earlier rows is not read (a window, or known, in the task says it)',
    );
  const unused = [...uses].flatMap(([table, columns]) =>
    [...columns].flatMap(([column, use]) =>
      use.kind === 'none' && use.why !== 'reference' && use.why !== 'identifier'
        ? [{ table, column, why: use.why }]
        : [],
    ),
  );
  const features: Feature[] = [];
  const seen = new Set<string>();
  const add = (focus: Focus, read: Read) => {
    const key = `${focusKey(focus)} ${JSON.stringify(read)}`;
    if (seen.has(key)) return;
    seen.add(key);
    features.push({ focus, read });
  };
  const context: Context = { graph, visible, uses, task, sample, cut, chooseWords, add };

  const root: Focus = { kind: 'root' };
  const entity = graph.table(task.entity);
  for (const part of ['month', 'weekday', 'time'] as const) add(root, { kind: 'calendar', part });
  add(root, { kind: 'data_age' });
  proposeAttributes(context, root, entity, sample.fresh ? 'fresh' : 'entity');
  const centres: { focus: Focus; table: Table }[] = [];
  proposeEvents(context, root, entity, 'full');
  centres.push({ focus: root, table: entity });
  proposeBaseRates(context, entity);
  proposeEncodings(context, root, entity, ['entity']);
  proposeWords(context, root, entity, ['entity']);
  for (const [reference, { table: name }] of entity.references) {
    const parent = visible.find((table) => table.name === name);
    if (!parent) continue;
    const focus: Focus = { kind: 'parent', of: root, reference };
    proposeAttributes(context, focus, parent, 'entity');
    proposeEvents(context, focus, parent, sample.fresh ? 'full' : 'brief');
    proposeEncodings(context, focus, parent, ['entity', reference]);
    proposeWords(context, focus, parent, ['entity', reference]);
    if (sample.fresh) proposeComparisons(context, entity, reference);
    if (sample.fresh) centres.push({ focus, table: parent });
    for (const [next, { table: grandName }] of parent.references) {
      const grand = visible.find((table) => table.name === grandName);
      if (!grand || grand.name === entity.name) continue;
      const further: Focus = { kind: 'parent', of: focus, reference: next };
      proposeAttributes(context, further, grand, 'entity');
      proposeEvents(context, further, grand, 'brief');
    }
  }
  for (const { focus, table } of centres) proposeCompany(context, focus, table);
  if (features.length > proposalsMax)
    notes.push(`${features.length - proposalsMax} of ${features.length} proposed features were left out`);
  return { features: features.slice(0, proposalsMax), unused, notes };
}

type Context = {
  readonly graph: Graph;
  readonly visible: readonly Table[];
  readonly uses: ReadonlyMap<string, ReadonlyMap<string, ColumnUse>>;
  readonly task: Task;
  readonly sample: Anchors;
  readonly cut: number;
  readonly chooseWords: ChooseWords;
  readonly add: (focus: Focus, read: Read) => void;
};

function proposeAttributes({ uses, add }: Context, focus: Focus, table: Table, as: 'fresh' | 'entity'): void {
  for (const [column, use] of uses.get(table.name) ?? []) {
    if (use.kind === 'number') add(focus, { kind: 'attribute', column });
    else if (use.kind === 'measure') add(focus, { kind: 'measure', column });
    else if (use.kind === 'date') add(focus, { kind: 'interval', column });
    else if (use.kind === 'text') add(focus, { kind: 'length', column });
    else if (use.kind === 'category')
      for (const value of use.values) add(focus, { kind: 'attribute_is', column, value });
  }
  if (table.time && as === 'entity') add(focus, { kind: 'age' });
}

/** The words of a row's texts: those chosen, and how rows with the same words ended. */
function proposeWords(
  { graph, uses, chooseWords, add }: Context,
  focus: Focus,
  table: Table,
  via: readonly string[],
): void {
  const labels = graph.tables.get(labelsTable);
  for (const [column, use] of uses.get(table.name) ?? []) {
    if (!isWordy(use)) continue;
    for (const word of chooseWords(focus, column)) add(focus, { kind: 'word', column, word });
    const knownFrom = table.contract.columns.find(({ name }) => name === column)?.knownFrom;
    // A text that came later than its row, or changed, is not what its row's label stood beside.
    if (knownFrom !== undefined || table.versions || labels?.columns.get('label')?.kind !== 'number') continue;
    for (const as of ['mean', 'sum', 'highest', 'lowest'] as const) add(focus, { kind: 'words', column, via, as });
  }
}

/** How a new row compares with the earlier rows of its parent: a step no tree takes by itself from the two values. */
function proposeComparisons({ uses, sample, add }: Context, entity: Table, reference: string): void {
  if (!entity.time) return;
  const root: Focus = { kind: 'root' };
  const events: Events = { table: entity.name, via: [reference] };
  for (const [column, use] of uses.get(entity.name) ?? []) {
    if (isConstant(sample, column)) continue;
    const isFlag = entity.contract.columns.find(({ name }) => name === column)?.type === 'boolean';
    for (const span of [{ all: true }, { last: 10 }] satisfies Span[]) {
      if (use.kind === 'number' && !isFlag)
        for (const as of ['difference', 'deviation'] as const) add(root, { kind: 'against', events, column, span, as });
      else if (use.kind === 'category') add(root, { kind: 'same', events, column, span });
    }
  }
}

/** Whether the sampled rows all have one value in a column, or none. */
function isConstant({ table, rows }: Anchors, name: string): boolean {
  const column = table.columns.get(name);
  if (!column) return true;
  const values = column.kind === 'text' ? column.codes : column.values;
  const isFilled = (value: number) => (column.kind === 'text' ? value >= 0 : !Number.isNaN(value));
  const first = rows.find((row) => row >= 0 && isFilled(values[row]));
  return first === undefined || rows.every((row) => row < 0 || !isFilled(values[row]) || values[row] === values[first]);
}

function spanDays(task: Task): number[] {
  return task.windowDays === undefined ? [30, 90, 365] : [task.windowDays, 3 * task.windowDays, 12 * task.windowDays];
}

/** Spans of days in which at least half of the sampled anchors that have any event at all have one. */
function usefulSpans({ graph, task, sample }: Context, focus: Focus, events: Events): number[] {
  const spans = spanDays(task);
  const simple: Focus = focus.kind === 'recent' ? { ...focus, kind: 'last' } : focus;
  const reads: Read[] = [
    { kind: 'count', events, span: { all: true } },
    ...spans.map((days): Read => ({ kind: 'count', events, span: { days } })),
  ];
  const counts = evaluate(
    graph,
    reads.map((read) => ({ focus: simple, read })),
    sample,
  );
  return spans.filter((_, s) => {
    let any = 0;
    let inSpan = 0;
    for (let i = 0; i < counts.rows; i++) {
      if (!(counts.values[i] > 0)) continue;
      any++;
      if (counts.values[(s + 1) * counts.rows + i] > 0) inSpan++;
    }
    return any > 0 && inSpan >= any / 2;
  });
}

/** How the rows of a table that refer to new rows come: with them, some of them with them, or in their own time. */
type Arrival = 'together' | 'some' | 'later';

/** Past this share of rows dated with the row they refer to, they come with it, and the rest after it. */
const togetherShareMin = 0.95;

/**
 * How rows of `table` come whose `reference` leads to new rows of `entity`, told by those readable at `cut`. Where only days are
 * known, one that is dated like its row may be of later that day, unless nearly all are. A strict task reads nothing else
 * of the row's own moment, but what has no date of its own is a part of the row.
 */
function arrivalOf(table: Table, reference: string, entity: Table, task: Task, cut: number): Arrival {
  const { time, contract } = table;
  const to = table.references.get(reference);
  if (!to || to.values || to.table !== entity.name || table.name === entity.name || !time || !entity.time)
    return 'later';
  const declared = contract.time;
  if (declared && 'reference' in declared && declared.reference === reference)
    return declared.offset <= 0 ? 'together' : 'later';
  if (task.strict) return 'later';
  let known = 0;
  let earlier = 0;
  let same = 0;
  for (let row = 0; row < table.rows; row++) {
    const parent = to.rows[row];
    if (parent < 0 || !(time[row] <= cut) || Number.isNaN(entity.time[parent])) continue;
    known++;
    if (time[row] === entity.time[parent]) same++;
    else if (time[row] < entity.time[parent]) earlier++;
  }
  if (same + earlier < known * togetherShareMin || same === 0) return 'later';
  return earlier > known * (1 - togetherShareMin) ? 'some' : 'together';
}

/** Events as a focus sees them: of a new row, those that come with it. */
function asTheyCome({ graph, task, cut }: Context, events: Events): { events: Events; arrival: Arrival } {
  const [reference] = events.via;
  const arrival =
    events.via.length === 1
      ? arrivalOf(graph.table(events.table), reference, graph.table(task.entity), task, cut)
      : 'later';
  return { events: arrival === 'later' ? events : { ...events, arriving: true }, arrival };
}

function proposeEvents(context: Context, focus: Focus, table: Table, depth: Depth): void {
  const { graph, task, sample, add } = context;
  for (const given of eventsOf(context, table)) {
    const { events, arrival } =
      sample.fresh && focus.kind === 'root' ? asTheyCome(context, given) : { events: given, arrival: 'later' };
    // New rows asked about together share distant parents; whether they are in the tables yet depends on when files arrive.
    if (sample.fresh && events.table === task.entity && events.via.length > 1) continue;
    const source = graph.table(events.table);
    const dated = source.time !== undefined && arrival !== 'together';
    const days = dated ? usefulSpans(context, focus, events) : [];
    const all: Span = { all: true };
    add(focus, { kind: 'count', events, span: all });
    if (dated) {
      add(focus, { kind: 'since', events, which: 'last' });
      add(focus, { kind: 'since', events, which: 'first' });
      for (const span of days) {
        add(focus, { kind: 'count', events, span: { days: span } });
        add(focus, { kind: 'rate', events, span: { days: span } });
      }
      if (depth === 'full') for (const as of ['mean', 'sd'] as const) add(focus, { kind: 'gap', events, as });
    }
    for (const { signal, use, raw } of signalsOf(context, events)) {
      if (use.kind === 'category') proposeCategory(add, focus, events, signal, use.values, dated, depth);
      else proposeNumber(add, focus, events, signal, raw, dated, days, depth);
      if (source.name === labelsTable && use.kind === 'number' && raw)
        add(focus, { kind: 'number', events, signal, span: all, aggregate: 'smoothed' });
      if (arrival === 'together' && raw && use.kind === 'number')
        add(focus, { kind: 'number', events, signal, span: all, aggregate: 'sum' });
    }
    if (depth === 'full') {
      proposeEventWords(context, focus, events, dated ? days : null);
      for (const [reference, { values }] of source.references) {
        if (values || reference === events.via[0] || source.name === labelsTable) continue;
        const signal: Signal = { kind: 'reference', column: reference };
        add(focus, { kind: 'variety', events, signal, span: all, as: 'distinct' });
        if (dated) add(focus, { kind: 'variety', events, signal, span: { last: 10 }, as: 'changes' });
      }
    }
  }
}

/** How often the texts of events have the words chosen. `days`: spans that mostly hold some; null where nothing dates them. */
function proposeEventWords(
  { uses, chooseWords, add }: Context,
  focus: Focus,
  events: Events,
  days: readonly number[] | null,
): void {
  for (const [column, use] of uses.get(events.table) ?? []) {
    if (!isWordy(use)) continue;
    for (const word of chooseWords(focus, column, events)) {
      const signal: Signal = { kind: 'column', path: [], column, word };
      const spans: Span[] = days
        ? [{ all: true }, { last: 10 }, ...days.map((span) => ({ days: span }))]
        : [{ all: true }];
      for (const span of spans) add(focus, { kind: 'number', events, signal, span, aggregate: 'mean' });
      if (days) add(focus, { kind: 'number', events, signal, span: { all: true }, aggregate: 'last' });
    }
  }
}

function isWordy(use: ColumnUse): boolean {
  return use.kind === 'text' || (use.kind === 'category' && use.isWordy);
}

function proposeNumber(
  add: Context['add'],
  focus: Focus,
  events: Events,
  signal: Signal,
  raw: boolean,
  dated: boolean,
  days: readonly number[],
  depth: Depth,
): void {
  const number = (span: Span, ...aggregates: Aggregate[]) => {
    for (const aggregate of aggregates) add(focus, { kind: 'number', events, signal, span, aggregate });
  };
  if (!dated) {
    number({ all: true }, 'mean', 'max', 'min');
    return;
  }
  if (depth === 'brief') {
    number({ all: true }, 'mean');
    number({ last: 10 }, 'mean');
    for (const span of days.slice(-2)) number({ days: span }, 'mean');
    return;
  }
  number({ all: true }, 'mean', 'sd', 'min', 'max', 'last', 'trend');
  number({ last: 3 }, 'mean');
  number({ last: 10 }, 'mean', 'sd', 'slope');
  for (const span of days)
    number({ days: span }, ...(raw ? (['mean', 'sum', 'min', 'max'] as const) : (['mean'] as const)));
}

function proposeCategory(
  add: Context['add'],
  focus: Focus,
  events: Events,
  signal: Signal,
  values: readonly string[],
  dated: boolean,
  depth: Depth,
): void {
  const all: Span = { all: true };
  for (const value of depth === 'full' ? values : values.slice(0, 4)) {
    add(focus, { kind: 'share', events, signal, value, span: all });
    if (dated && depth === 'full') {
      add(focus, { kind: 'share', events, signal, value, span: { last: 10 } });
      add(focus, { kind: 'last_is', events, signal, value });
    }
  }
  if (depth === 'full') {
    add(focus, { kind: 'variety', events, signal, span: all, as: 'distinct' });
    if (dated) add(focus, { kind: 'variety', events, signal, span: { last: 10 }, as: 'entropy' });
  }
}

/** What can be read off the rows of an event table: its columns, those of the rows it refers to, and standings. */
function signalsOf({ graph, uses, cut }: Context, events: Events): { signal: Signal; use: ColumnUse; raw: boolean }[] {
  const table = graph.table(events.table);
  const found: { signal: Signal; use: ColumnUse; raw: boolean }[] = [];
  const groups = rankGroups(table, cut);
  for (const [column, use] of uses.get(table.name) ?? []) {
    if (use.kind === 'number') {
      found.push({ signal: { kind: 'column', path: [], column }, use, raw: true });
      const contract = table.contract.columns.find((c) => c.name === column)!;
      if (contract.knownFrom !== undefined || contract.type === 'boolean') continue;
      for (const within of groups) {
        for (const as of ['percentile', 'deviation'] as const)
          found.push({ signal: { kind: 'rank', within, column, as }, use, raw: false });
      }
    } else if (use.kind === 'measure')
      found.push({
        signal: { kind: 'column', path: [], column, measure: true },
        use: { kind: 'number' },
        raw: true,
      });
    else if (use.kind === 'category') found.push({ signal: { kind: 'column', path: [], column }, use, raw: true });
    else if (use.kind === 'date' && table.time)
      found.push({ signal: { kind: 'interval', column }, use: { kind: 'number' }, raw: false });
  }
  for (const [reference, { table: name }] of table.references) {
    // The entity's own columns are the same on all its rows: they are attributes, not events.
    if (events.via.length === 1 && events.via[0] === reference) continue;
    for (const [column, use] of uses.get(name) ?? []) {
      if (use.kind === 'number' || use.kind === 'category')
        found.push({ signal: { kind: 'column', path: [reference], column }, use, raw: false });
      else if (use.kind === 'measure')
        found.push({
          signal: { kind: 'column', path: [reference], column, measure: true },
          use: { kind: 'number' },
          raw: false,
        });
    }
  }
  return found;
}

/** References whose rows happen together (the lines of one invoice, the results of one race), by the rows of `cut`. */
function rankGroups(table: Table, cut: number): string[] {
  if (!table.time || table.versions) return [];
  return [...table.references].flatMap(([column, { rows, values }]) => {
    if (values) return [];
    const groups = new Map<number, { size: number; time: number; together: boolean }>();
    for (let row = 0; row < table.rows; row++) {
      if (rows[row] < 0 || !(table.time![row] <= cut)) continue;
      const group = groups.get(rows[row]);
      if (!group) groups.set(rows[row], { size: 1, time: table.time![row], together: true });
      else {
        group.size++;
        if (group.time !== table.time![row]) group.together = false;
      }
    }
    const sizes = [...groups.values()].map((group) => group.size).sort((a, b) => a - b);
    const median = sizes[sizes.length >> 1] ?? 0;
    const together = [...groups.values()].filter((group) => group.together).length;
    return median >= rankGroupMin && median <= rankGroupMax && together >= groups.size * 0.95 ? [column] : [];
  });
}

/** The level everything else is relative to: label means and event counts of all rows together, by span. */
function proposeBaseRates(context: Context, entity: Table): void {
  const { graph, task, add } = context;
  const focus: Focus = { kind: 'all' };
  const tables = new Set([
    labelsTable,
    ...eventsOf(context, entity)
      .filter((events) => events.via.length === 1)
      .map((events) => events.table),
  ]);
  for (const name of tables) {
    const table = graph.tables.get(name);
    if (!table?.time) continue;
    const events: Events = { table: name, via: [allTable] };
    const spans = spanDays(task).map((days): Span => ({ days }));
    for (const span of spans) add(focus, { kind: 'count', events, span });
    for (const { signal, use, raw } of signalsOf(context, events)) {
      if (use.kind !== 'number' || !raw) continue;
      for (const span of [...spans, { all: true } as const]) {
        add(focus, { kind: 'number', events, signal, span, aggregate: 'mean' });
      }
    }
  }
}

/** How often rows with the same value of a category had the label, among labels known by then: of the row, and of its last events. */
function proposeEncodings(context: Context, focus: Focus, table: Table, via: readonly string[]): void {
  const { graph, task, uses, sample, add } = context;
  const labels = graph.tables.get(labelsTable);
  if (!labels) return;
  const read = (of: Focus, events: Events) => {
    add(of, { kind: 'count', events, span: { all: true } });
    for (const signal of labelSignals(labels)) {
      for (const span of [{ all: true } as const, { days: spanDays(task)[2] }, { last: 10 }]) {
        add(
          of,
          'value' in signal
            ? { kind: 'share', events, span, ...signal }
            : { kind: 'number', events, span, aggregate: 'mean', ...signal },
        );
      }
      if (!('value' in signal))
        add(of, { kind: 'number', events, span: { all: true }, aggregate: 'smoothed', ...signal });
    }
  };
  for (const [column, { values }] of graph.table(table.name).references) {
    // Values that no input may read on their own (a hidden column's) are not read together either.
    if (!values || uses.get(table.name)?.get(column)?.kind !== 'category') continue;
    read({ kind: 'parent', of: focus, reference: column }, { table: labelsTable, via: [...via, column] });
  }
  if (via.length > 1) return;
  for (const { events: given, to } of valuePairs(graph, table)) {
    if (uses.get(given.table)?.get(to)?.kind !== 'category' || !labels.references.has(labelReference(given, to)))
      continue;
    const { events } = sample.fresh ? asTheyCome(context, given) : { events: given };
    for (const kind of ['last', 'recent'] as const) {
      read({ kind, of: focus, events, to }, { table: labelsTable, via: [labelReference(events, to)] });
    }
  }
}

/** What a label says, as a signal: its number, or one of the classes. */
function labelSignals(labels: Table): ({ signal: Signal } | { signal: Signal; value: string })[] {
  const signal: Signal = { kind: 'column', path: [], column: 'label' };
  const column = labels.columns.get('label');
  return column?.kind === 'text'
    ? column.dictionary.slice(0, vocabularyOfLabels).map((value) => ({ signal, value }))
    : [{ signal }];
}

/** Classes with a share of their own; the rest is what remains. */
const vocabularyOfLabels = 10;

function proposeCompany(context: Context, focus: Focus, table: Table): void {
  const { graph, add } = context;
  const isNew = context.sample.fresh && focus.kind === 'root';
  for (const { events: given, to, company } of chooseCompany(graph, context.visible, table, context.cut)) {
    const { events, arrival } = isNew ? asTheyCome(context, given) : { events: given, arrival: 'later' };
    // What a new row meets by rows that come later it does not know, and what it meets by its own columns is its parent.
    if (isNew && events.via.length > 1) continue;
    const dated = graph.table(events.table).time !== undefined && arrival !== 'together';
    for (const kind of dated ? (['last', 'recent'] as const) : (['recent'] as const)) {
      const met: Focus = { kind, of: focus, events, to };
      proposeAttributes(context, met, company, 'entity');
      proposeEvents(context, met, company, 'brief');
    }
    add(focus, {
      kind: 'variety',
      events,
      signal: { kind: 'reference', column: to },
      span: { all: true },
      as: 'distinct',
    });
  }
}
