import type { Table } from '../../graph/tables.ts';
import type { Task } from '../../tasks/task.ts';
import type { Events, Focus, Read } from '../feature.ts';
import type { Surroundings } from '../paths.ts';
import type { Anchors } from '../state.ts';
import type { ColumnUse } from './column-use.ts';
import type { DatePair } from './date-pairs.ts';

/** What features are proposed from. `add` ignores a feature that was added before. */
export type Context = Surroundings & {
  /** By table and column. */
  readonly uses: ReadonlyMap<string, ReadonlyMap<string, ColumnUse>>;
  readonly task: Task;
  /** Some training anchors; spans in which they mostly have no events are not proposed. */
  readonly sample: Anchors;
  /** Vocabularies and column uses are decided from rows readable at this moment, microseconds. */
  readonly cut: number;
  readonly chooseWords: ChooseWords;
  /** References of a table whose rows happen together, and so can be ranked among each other. */
  readonly rankGroups: (table: Table) => readonly string[];
  /** Dates of one row between which days are counted. */
  readonly datePairs: (table: Table) => readonly DatePair[];
  readonly add: (focus: Focus, read: Read) => void;
};

/** Chooses words of a text column: of the row of a focus or, if given, of its `events`. */
export type ChooseWords = (focus: Focus, column: string, events?: Events) => readonly string[];
