import { type Evaluations, evaluate, summarise } from './evaluate.ts';
import { parametersOf, type Weights } from './forward.ts';
import type { Heads, NetworkShape } from './network.ts';
import type { RfmProgress } from './report.ts';
import type { MomentSample } from './sample.ts';
import { trainSteps } from './train-steps.ts';

/** The number of steps with the smallest loss on later moments, and the network's state then. */
type ChosenSteps = {
  readonly steps: number;
  readonly relative: readonly number[];
  readonly evaluations: Evaluations;
  readonly parameters: Weights;
};

/**
 * Trains a network on the earlier moments and evaluates it on the later ones during training. Null where there are no
 * later moments.
 */
export async function findSteps(
  readEarly: () => MomentSample,
  readLate: () => MomentSample | null,
  shape: NetworkShape,
  heads: Heads,
  { seed, steps }: { readonly seed: number; readonly steps: number },
  progress: RfmProgress,
): Promise<ChosenSteps | null> {
  progress('reading moments', 0, 3);
  const early = readEarly();
  progress('reading moments', 1, 3);
  const late = readLate();
  if (!late) return null;
  let best: ChosenSteps | null = null;
  const network = await trainSteps(early, shape, heads, {
    seed,
    steps,
    looked: late,
    look(step, said, parameters) {
      const evaluations = said.map((each) => evaluate(each, late, early, heads.groups));
      const relative = evaluations.map(summarise);
      if (best && !(relative[0] < best.relative[0])) return;
      best = { steps: step, relative, evaluations: evaluations[0], parameters: parametersOf(parameters) };
    },
    progress: (step) => progress('first network', step, steps),
  });
  await network.close();
  return best;
}
