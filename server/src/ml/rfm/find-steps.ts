import { parametersOf, type Weights } from './forward.ts';
import { type Judgements, judge, summarise } from './judge.ts';
import type { Heads, NetworkShape } from './network.ts';
import type { RfmProgress } from './report.ts';
import type { Sample } from './sample.ts';
import { teach } from './teach.ts';

/** After how many steps a network knew most of what came later, and what it knew then. */
type Found = {
  readonly steps: number;
  readonly relative: readonly number[];
  readonly judgements: Judgements;
  readonly parameters: Weights;
};

/** Teaches a network the earlier moments and judges it by the later ones as it learns; null where there are none. */
export async function findSteps(
  readEarly: () => Sample,
  readLate: () => Sample | null,
  shape: NetworkShape,
  heads: Heads,
  { seed, steps }: { readonly seed: number; readonly steps: number },
  progress: RfmProgress,
): Promise<Found | null> {
  progress('reading moments', 0, 3);
  const early = readEarly();
  progress('reading moments', 1, 3);
  const late = readLate();
  if (!late) return null;
  let best: Found | null = null;
  const network = await teach(early, shape, heads, {
    seed,
    steps,
    looked: late,
    look(step, said, parameters) {
      const judgements = said.map((each) => judge(each, late, early, heads.groups));
      const relative = judgements.map(summarise);
      if (best && !(relative[0]! < best.relative[0]!)) return;
      best = { steps: step, relative, judgements: judgements[0]!, parameters: parametersOf(parameters) };
    },
    progress: (step) => progress('first network', step, steps),
  });
  await network.close();
  return best;
}
