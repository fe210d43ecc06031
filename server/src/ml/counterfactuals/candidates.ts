import type { Domain } from './domains.ts';

/** What a caller declares of an input: moments are microseconds, `step` of them days. */
export type Declared = {
  readonly direction: 'increase' | 'decrease' | 'any';
  readonly minimum?: number;
  readonly maximum?: number;
  readonly step?: number;
  /** In place of what the data have. */
  readonly values?: readonly (number | string)[];
  /** Of one unit of change of a number, of a day, or of another value. */
  readonly cost?: number;
};

/** A value to try, and what it costs. */
export type Option = {
  readonly value: number | string;
  readonly cost: number;
  /** Where it stands on the way from the present value, in steps; absent of what lies on no way. */
  readonly steps?: number;
};

export type Candidates = {
  /** The cheapest first. */
  readonly options: readonly Option[];
  /** Whether every value that is left out has the same answers as a cheaper one that is not. */
  readonly isExhaustive: boolean;
  /** The option at a number of steps from the present value; null where none may be. */
  optionAt(steps: number): Option | null;
};

/** Names the cell of each value as `openCells` does, where the input alone is changed to it. */
export type CellsOf = (values: readonly (number | string)[]) => Promise<readonly string[]>;

/** So many values of a way are looked at, evenly; of a longer one then those between which cells change. */
const looksAtOnce = 256;
/** Most values that are looked at on one way. */
const looksMax = 4_096;
/** Digits to which values on a way are written: a sum of steps shows no rounding. */
const digits = 12;

/**
 * The values that an input may be changed to from `from` (null: missing). Of values that all heads tell apart by
 * nothing the cheapest is kept. What numbers are read by rises or falls with them, so two values of one cell have
 * nothing else between them, and the edges of cells are found by halving.
 */
export async function candidatesOf(
  domain: Domain,
  from: number | string | null,
  declared: Declared,
  cellsOf: CellsOf,
): Promise<Candidates> {
  if (domain.kind === 'choice' || domain.kind === 'flag') {
    const known = domain.kind === 'flag' ? [0, 1] : domain.values;
    const values = (declared.values ?? known).filter((value) => value !== from);
    return ofList(values, () => declared.cost ?? 1, domain.isAlone, cellsOf);
  }
  const { unit, spread } = unitOf(domain, declared);
  const start = typeof from === 'number' ? from : null;
  const costTo = (value: number) => unit * (start === null ? spread : Math.abs(value - start));
  const { direction } = declared;
  const least = Math.max(
    domain.least,
    declared.minimum ?? domain.least,
    direction === 'increase' && start !== null ? start : domain.least,
  );
  const most = Math.min(
    domain.most,
    declared.maximum ?? domain.most,
    direction === 'decrease' && start !== null ? start : domain.most,
  );
  const isWithin = (value: number) => value >= least && value <= most;
  if (declared.values) {
    const values = declared.values.filter((value) => value !== start && isWithin(value as number));
    return ofList(values, (value) => costTo(value as number), domain.isAlone, cellsOf);
  }
  const step = domain.kind === 'moment' ? (declared.step ?? 1) * domain.step : (declared.step ?? domain.step);
  const origin = start ?? least;
  const valueAt = (steps: number) => {
    const value = origin + steps * step;
    return Number.isInteger(value) ? value : Number(value.toPrecision(digits));
  };
  const optionAt = (steps: number): Option | null => {
    const value = valueAt(steps);
    return isWithin(value) ? { value, cost: costTo(value), ...(start !== null && { steps }) } : null;
  };
  // A step too many at either end is left out by its value, which rounding does not reach.
  let first = Math.ceil((least - origin) / step) - 1;
  let last = Math.floor((most - origin) / step) + 1;
  while (first <= last && !isWithin(valueAt(first))) first++;
  while (last >= first && !isWithin(valueAt(last))) last--;
  const ways: Way[] = [{ near: start === null ? first : Math.max(1, first), far: last, sign: 1 }];
  if (start !== null) ways.push({ near: Math.min(-1, last), far: first, sign: -1 });
  const found = await Promise.all(
    ways.map((way) => onWay(way, (steps) => cellsOf(steps.map(valueAt)), domain.isAlone)),
  );
  return {
    options: cheapestFirst(found.flatMap(({ steps }) => steps.map((at) => optionAt(at)!))),
    isExhaustive: found.every(({ isExhaustive }) => isExhaustive),
    optionAt,
  };
}

function unitOf(domain: Extract<Domain, { step: number }>, { cost }: Declared): { unit: number; spread: number } {
  const size = domain.kind === 'moment' ? domain.step : 1;
  return { unit: cost === undefined ? 1 / domain.spread : cost / size, spread: domain.spread };
}

async function ofList(
  values: readonly (number | string)[],
  costOf: (value: number | string) => number,
  isAlone: boolean,
  cellsOf: CellsOf,
): Promise<Candidates> {
  const all = cheapestFirst(values.map((value) => ({ value, cost: costOf(value) })));
  const options = isAlone ? firstOfCells(all, await cellsOf(all.map(({ value }) => value))) : all;
  return { options, isExhaustive: true, optionAt: () => null };
}

/** The first of each cell; none of the cell of the present value, whose name is empty. */
function firstOfCells<T>(all: readonly T[], cells: readonly string[]): T[] {
  const seen = new Set(['']);
  return all.filter((_, i) => !seen.has(cells[i]) && seen.add(cells[i]));
}

/** Steps from the nearest to the farthest, up (1) or down (-1); none where the farthest lies before the nearest. */
type Way = { readonly near: number; readonly far: number; readonly sign: 1 | -1 };

/** The steps of a way at which another cell begins; all that were looked at where the input is not read alone. */
async function onWay(
  { near, far, sign }: Way,
  cellsOf: (steps: readonly number[]) => Promise<readonly string[]>,
  isAlone: boolean,
): Promise<{ readonly steps: readonly number[]; readonly isExhaustive: boolean }> {
  const count = sign * (far - near) + 1;
  if (count <= 0) return { steps: [], isExhaustive: true };
  const stepAt = (place: number) => near + sign * place;
  const looks = Math.min(count, looksAtOnce);
  let places = [
    ...new Set(Array.from({ length: looks }, (_, i) => Math.round((i * (count - 1)) / Math.max(1, looks - 1)))),
  ];
  if (!isAlone) return { steps: places.map(stepAt), isExhaustive: looks === count };
  const cellAt = new Map<number, string>();
  for (;;) {
    const unknown = places.filter((place) => !cellAt.has(place));
    const cells = await cellsOf(unknown.map(stepAt));
    for (const [i, place] of unknown.entries()) cellAt.set(place, cells[i]);
    const between = places
      .slice(1)
      .flatMap((place, i) =>
        place - places[i] > 1 && cellAt.get(place) !== cellAt.get(places[i]) ? [(place + places[i]) >> 1] : [],
      );
    const isOver = between.length === 0 || places.length + between.length > looksMax;
    if (isOver) {
      const edges = firstOfCells(
        places,
        places.map((place) => cellAt.get(place)!),
      );
      return { steps: edges.map(stepAt), isExhaustive: between.length === 0 };
    }
    places = [...places, ...between].sort((a, b) => a - b);
  }
}

function cheapestFirst(options: readonly Option[]): Option[] {
  return [...options].sort((a, b) => a.cost - b.cost);
}
