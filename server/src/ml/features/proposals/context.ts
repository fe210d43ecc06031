import type { Table } from '../../graph/tables.ts';
import type { Task } from '../../tasks/task.ts';
import type { Events, Focus, Read } from '../feature.ts';
import type { Surroundings } from '../paths.ts';
import type { Anchors } from '../state.ts';
import type { ColumnUse } from './column-use.ts';

/** What features are proposed from, and `add`, which takes each of them once. */
export type Context = Surroundings & {
  /** By table and column. */
  readonly uses: ReadonlyMap<string, ReadonlyMap<string, ColumnUse>>;
  readonly task: Task;
  /** Some training anchors, by which spans that mostly hold nothing are left out. */
  readonly sample: Anchors;
  /** Vocabularies and uses of columns are taken from rows readable by then, microseconds. */
  readonly cut: number;
  readonly chooseWords: ChooseWords;
  /** References of a table whose rows happen together, and can be ranked among each other. */
  readonly rankGroups: (table: Table) => readonly string[];
  readonly add: (focus: Focus, read: Read) => void;
};

/** Chooses words of a text column of the row that a focus stands on, or of its `events`. */
export type ChooseWords = (focus: Focus, column: string, events?: Events) => readonly string[];
