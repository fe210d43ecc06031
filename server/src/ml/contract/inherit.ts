import type { EventTime } from './contract.ts';
import { because, type Guess } from './guess.ts';
import { tableSubject, wordsOf } from './names.ts';
import { formatOffset } from './offset.ts';
import { type Profile, type TableProfile, valuesOf } from './profile.ts';
import type { Reason } from './reasons.ts';
import { filledLow, filledMin, isCalendar, isDatedProfile, quantiles } from './times.ts';

/** A reference as needed for inheriting: its table, and the referenced row of each row (-1 for none). */
export type EventReference = {
  readonly from: TableProfile;
  readonly column: Profile;
  readonly to: TableProfile;
  readonly rows: Int32Array;
};

export type Inherited = {
  readonly table: string;
  readonly time: EventTime;
  readonly values: Float64Array;
  readonly guess: Guess;
};

/** The rows of an event follow it within this share of the time span of the data. */
const burstShare = 0.05;

/**
 * Gives tables without a date the time of the event they belong to. A referenced table is an event when no rows with
 * their own times point to it long after it happened; otherwise it is an entity with a date of creation. `times` holds
 * the known times by table, and those found are added to it. A table in `weak` has only a date that, by its name, lies
 * after its event (such as a due date), and takes a better time when there is one.
 */
export function inheritTimes(
  tables: readonly TableProfile[],
  links: readonly EventReference[],
  times: Map<string, Float64Array>,
  weak: ReadonlySet<string>,
): Inherited[] {
  const own = new Set([...times.keys()].filter((name) => !weak.has(name)));
  const span = spanOf([...times.values()]);
  const entities = new Set(tables.filter((table) => livesOn(table, links, times, span, own)));
  // A table is removed from these once it has taken a better time.
  const doubtful = new Set(weak);
  const found: Inherited[] = [];
  for (let changed = true; changed; ) {
    changed = false;
    for (const table of tables) {
      if (own.has(table.name) || found.some((other) => other.table === table.name)) continue;
      if (entities.has(table) && !weak.has(table.name)) continue;
      const best = bestParent(table, links, times, entities, doubtful);
      if (best === null) continue;
      times.set(table.name, best.values);
      doubtful.delete(table.name);
      found.push(best);
      changed = true;
    }
  }
  return found;
}

function spanOf(times: readonly Float64Array[]): number {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const values of times) {
    const [first, last] = quantiles(values, [0.01, 0.99]) as [number, number];
    if (first < low) low = first;
    if (last > high) high = last;
  }
  return Math.max(high - low, 1);
}

/**
 * Whether rows with their own time keep pointing to a row long after it was there. For a table without time: whether
 * rows point to one of its rows over a long period.
 */
function livesOn(
  table: TableProfile,
  links: readonly EventReference[],
  times: ReadonlyMap<string, Float64Array>,
  span: number,
  own: ReadonlySet<string>,
): boolean {
  const start = times.get(table.name);
  return links.some((link) => {
    const childTimes =
      link.to === table && link.from !== table && own.has(link.from.name) ? times.get(link.from.name) : undefined;
    if (childTimes === undefined) return false;
    if (start === undefined) return true;
    const gaps = new Float64Array(link.rows.length).fill(Number.NaN);
    for (let row = 0; row < gaps.length; row++) {
      const parent = link.rows[row];
      if (parent >= 0) gaps[row] = childTimes[row] - start[parent];
    }
    return quantiles(gaps, [0.5])[0] > span * burstShare;
  });
}

/**
 * An event happens to something or somebody. A table without references is rather an entity with a date, unless it is a
 * calendar.
 */
function happensToSomething(table: TableProfile, links: readonly EventReference[]): boolean {
  return (
    links.some((link) => link.from === table && link.to !== table) ||
    table.columns.some((column) => isDatedProfile(column) && isCalendar(column))
  );
}

/** Whether its date is the only one that the rows of several tables around it can take. */
function carriesSeveral(
  table: TableProfile,
  links: readonly EventReference[],
  times: ReadonlyMap<string, Float64Array>,
): boolean {
  const around = links.filter((link) => link.to === table && link.from !== table);
  const children = new Set(around.map((link) => link.from));
  return children.size >= 3 && times.size > 0;
}

function bestParent(
  table: TableProfile,
  links: readonly EventReference[],
  times: ReadonlyMap<string, Float64Array>,
  entities: ReadonlySet<TableProfile>,
  doubtful: ReadonlySet<string>,
): Inherited | null {
  const candidates = links.filter(
    (link) =>
      link.from === table &&
      link.to !== table &&
      times.has(link.to.name) &&
      !doubtful.has(link.to.name) &&
      !entities.has(link.to) &&
      link.column.filled >= table.rows * filledMin &&
      (happensToSomething(link.to, links) || carriesSeveral(link.to, links, times)),
  );
  let best: { link: EventReference; values: Float64Array } | null = null;
  for (const link of candidates) {
    const start = times.get(link.to.name)!;
    const values = Float64Array.from(link.rows, (parent) => (parent < 0 ? Number.NaN : start[parent]));
    // A row cannot be earlier than any of its parents, so the latest parent counts.
    if (best === null || quantiles(values, [0.5])[0] > quantiles(best.values, [0.5])[0]) best = { link, values };
  }
  if (best === null) return null;
  const { link } = best;
  const found = findOffset(link, times.get(link.to.name)!);
  const offset = found?.offset ?? 0;
  const values = offset === 0 ? best.values : best.values.map((value) => value + offset);
  const siblings = links.filter((other) => other.to === link.to && other.from !== table).length;
  const reasons: Reason[] = [{ code: 'comes_with', table: link.to.name }];
  if (siblings > 0) reasons.push({ code: 'more_references', count: siblings });
  if (found !== null) reasons.push(found.reason);
  return {
    table: table.name,
    time: { reference: link.column.name, offset },
    values,
    guess: {
      table: table.name,
      column: null,
      kind: 'time',
      value: `${link.column.name} → ${link.to.name}${offset === 0 ? '' : ` ${formatOffset(offset)}`}`,
      confidence: 'medium',
      ...because(...reasons),
    },
  };
}

const offsetRowsMin = 20;
const offsetShareMin = 0.9;
/** Two names that share at least this many letters at the start are forms of one word (`quali`, `qualifying`). */
const sharedLettersMin = 5;

/**
 * The constant offset between the time of the referenced row and that of the row itself. It is read from a date that
 * only some rows have: in the table itself, or in the referenced table under this table's name. Null when no date shows
 * one.
 */
function findOffset(link: EventReference, start: Float64Array): { offset: number; reason: Reason } | null {
  const partly = link.from.columns.filter(
    (column) => isDatedProfile(column) && column.filled < column.rows * filledLow,
  );
  for (const column of partly) {
    const own = valuesOf(column);
    const offset = constantOf(own.map((value, row) => value - (start[link.rows[row]] ?? Number.NaN)));
    if (offset !== null)
      return { offset, reason: { code: 'filled_offset', column: column.name, offset: formatOffset(offset) } };
  }
  const telling = tableSubject(link.from.name).filter((word) => !tableSubject(link.to.name).includes(word));
  for (const column of link.to.columns.filter(isDatedProfile)) {
    if (!wordsOf(column.name).some((word) => telling.some((own) => sharesStart(word, own)))) continue;
    const other = valuesOf(column);
    const offset = constantOf(other.map((value, row) => value - start[row]));
    if (offset !== null)
      return {
        offset,
        reason: { code: 'offset', column: `${link.to.name}.${column.name}`, offset: formatOffset(offset) },
      };
  }
  return null;
}

/**
 * The value of nearly all finite gaps, in whole days when they vary within a day; null when there is none or it is 0.
 */
function constantOf(gaps: Float64Array): number | null {
  const finite = gaps.filter((gap) => !Number.isNaN(gap));
  if (finite.length < offsetRowsMin) return null;
  for (const unit of [1, 86_400_000_000]) {
    const middle = Math.round(quantiles(finite, [0.5])[0] / unit) * unit;
    const same = finite.filter((gap) => Math.round(gap / unit) * unit === middle).length;
    if (same >= finite.length * offsetShareMin) return middle === 0 ? null : middle;
  }
  return null;
}

function sharesStart(a: string, b: string): boolean {
  return (
    a.length >= sharedLettersMin &&
    b.length >= sharedLettersMin &&
    a.slice(0, sharedLettersMin) === b.slice(0, sharedLettersMin)
  );
}
