import type { Candidates, Option } from './candidates.ts';

/** Some inputs, by their place, each with what it is changed to. */
export type Change = {
  readonly inputs: readonly number[];
  readonly options: readonly Option[];
  readonly cost: number;
};

export type SearchLimits = {
  readonly mostChanges: number;
  /** Answers that are looked for, each of other inputs. */
  readonly alternatives: number;
  /** Most cases that are tried. */
  readonly triesMax: number;
};

export type Found = {
  /** Those of fewer inputs first, then the cheaper. None has all inputs of another. */
  readonly changes: readonly Change[];
  readonly tried: number;
  /** Whether no change of fewer inputs, or of as many and cheaper, was left untried. */
  readonly isExhaustive: boolean;
};

/** Cases in one call of the model: few enough that other answers do not wait for long. */
export const triesAtOnce = 256;

/**
 * Finds the changes of the fewest inputs, and of those the cheapest, by which an answer is as it should be: `reaches`
 * says it of each of several. All changes of one input are tried by their cost, then all of two, up to the limits; the
 * same question has the same answer.
 */
export async function searchChanges(
  candidates: readonly Candidates[],
  { mostChanges, alternatives, triesMax }: SearchLimits,
  reaches: (changes: readonly Change[]) => Promise<readonly boolean[]>,
): Promise<Found> {
  const filled = [...candidates.keys()].filter((input) => candidates[input].options.length > 0);
  const found: Change[] = [];
  let tried = 0;
  let isWhole = true;
  const isAnswered = (inputs: readonly number[]) =>
    found.some((one) => one.inputs.every((input) => inputs.includes(input)));
  for (let size = 1; size <= Math.min(mostChanges, filled.length) && isWhole; size++) {
    const line = openLine(
      candidates,
      subsets(filled, size).filter((inputs) => !isAnswered(inputs)),
    );
    while (found.length < alternatives) {
      const changes = line.take(Math.min(triesAtOnce, triesMax - tried), isAnswered);
      if (changes.length === 0) {
        isWhole = line.isEmpty(isAnswered);
        break;
      }
      tried += changes.length;
      const verdicts = await reaches(changes);
      changes.forEach((change, i) => {
        if (verdicts[i] && found.length < alternatives && !isAnswered(change.inputs)) found.push(change);
      });
    }
    if (found.length >= alternatives) break;
  }
  const refined: Change[] = [];
  for (const change of found) {
    const { nearer, tries } = await bringNearer(candidates, change, reaches);
    tried += tries;
    refined.push(nearer);
  }
  return {
    changes: refined.sort((a, b) => a.inputs.length - b.inputs.length || a.cost - b.cost),
    tried,
    isExhaustive: isWhole && candidates.every(({ isExhaustive }) => isExhaustive),
  };
}

/**
 * Halves the way back of each input whose values were not all tried, as long as the answer stays reached. It is the
 * smallest change where the answer moves one way with the input.
 */
async function bringNearer(
  candidates: readonly Candidates[],
  change: Change,
  reaches: (changes: readonly Change[]) => Promise<readonly boolean[]>,
): Promise<{ readonly nearer: Change; readonly tries: number }> {
  let nearer = change;
  let tries = 0;
  for (const [place, input] of change.inputs.entries()) {
    const { isExhaustive, optionAt } = candidates[input];
    const { steps } = change.options[place];
    if (isExhaustive || steps === undefined) continue;
    let [before, reached] = [0, steps];
    while (Math.abs(reached - before) > 1) {
      const middle = Math.trunc((before + reached) / 2);
      const option = optionAt(middle);
      if (option === null) {
        before = middle;
        continue;
      }
      const options = nearer.options.with(place, option);
      const tried = { inputs: change.inputs, options, cost: costOf(options) };
      tries++;
      if ((await reaches([tried]))[0]) [nearer, reached] = [tried, middle];
      else before = middle;
    }
  }
  return { nearer, tries };
}

function costOf(options: readonly Option[]): number {
  return options.reduce((sum, { cost }) => sum + cost, 0);
}

function subsets(of: readonly number[], size: number): number[][] {
  if (size === 0) return [[]];
  return of.flatMap((first, i) => subsets(of.slice(i + 1), size - 1).map((rest) => [first, ...rest]));
}

type Waiting = {
  readonly inputs: readonly number[];
  readonly places: readonly number[];
  readonly cost: number;
  readonly order: number;
};

/** All changes of the given sets of inputs, by their cost; of equal cost by the order in which they came to be. */
function openLine(candidates: readonly Candidates[], sets: readonly (readonly number[])[]) {
  const heap: Waiting[] = [];
  let order = 0;
  const optionsOf = ({ inputs, places }: Pick<Waiting, 'inputs' | 'places'>) =>
    inputs.map((input, i) => candidates[input].options[places[i]]);
  const add = (inputs: readonly number[], places: readonly number[]) =>
    push(heap, { inputs, places, cost: costOf(optionsOf({ inputs, places })), order: order++ });
  for (const inputs of sets)
    add(
      inputs,
      inputs.map(() => 0),
    );
  const next = (isAnswered: (inputs: readonly number[]) => boolean): Waiting | undefined => {
    for (;;) {
      const first = pop(heap);
      if (!first || !isAnswered(first.inputs)) return first;
    }
  };
  return {
    take(most: number, isAnswered: (inputs: readonly number[]) => boolean): Change[] {
      const taken: Change[] = [];
      while (taken.length < most) {
        const first = next(isAnswered);
        if (!first) break;
        const { inputs, places, cost } = first;
        taken.push({ inputs, options: optionsOf(first), cost });
        // Each combination follows from one alone: that with its last place above the first one less.
        const last = places.findLastIndex((place) => place > 0);
        for (let i = Math.max(0, last); i < inputs.length; i++)
          if (places[i] + 1 < candidates[inputs[i]].options.length) add(inputs, places.with(i, places[i] + 1));
      }
      return taken;
    },
    isEmpty(isAnswered: (inputs: readonly number[]) => boolean): boolean {
      const first = next(isAnswered);
      if (first) push(heap, first);
      return first === undefined;
    },
  };
}

function isBefore(one: Waiting, other: Waiting): boolean {
  return one.cost < other.cost || (one.cost === other.cost && one.order < other.order);
}

/** Adds to a binary heap whose first is the cheapest. */
function push(heap: Waiting[], added: Waiting): void {
  let at = heap.push(added) - 1;
  while (at > 0 && isBefore(heap[at], heap[(at - 1) >> 1])) {
    const parent = (at - 1) >> 1;
    [heap[at], heap[parent]] = [heap[parent], heap[at]];
    at = parent;
  }
}

function pop(heap: Waiting[]): Waiting | undefined {
  const first = heap[0];
  const last = heap.pop();
  if (last === undefined || heap.length === 0) return first;
  heap[0] = last;
  for (let at = 0; ; ) {
    const children = [2 * at + 1, 2 * at + 2].filter((child) => child < heap.length);
    const least = children.reduce((one, child) => (isBefore(heap[child], heap[one]) ? child : one), at);
    if (least === at) return first;
    [heap[at], heap[least]] = [heap[least], heap[at]];
    at = least;
  }
}
