import { Failure } from '../lib/failure.ts';
import { helpOf, type Usage } from './arguments.ts';
import { demoEconomyCommand, demoEconomyUsage } from './gfm-demo-economy.ts';
import { gfmEvaluateCommand, gfmEvaluateUsage } from './gfm-evaluate.ts';

type Output = { write(text: string): unknown };

/** Runs `gfm <verb>`. Returns the exit code. Throws Failure 'invalid' for a verb there is not. */
export async function gfmCommand(args: readonly string[], out: Output, say: (line: string) => void): Promise<number> {
  const [verb, ...rest] = args;
  const run = (usage: Usage, start: () => Promise<number>) => {
    if (!rest.includes('--help') && !rest.includes('-h')) return start();
    out.write(helpOf(usage));
    return 0;
  };
  switch (verb) {
    case 'demo-economy':
      return run(demoEconomyUsage, () => demoEconomyCommand(rest, say));
    case 'evaluate':
      return run(gfmEvaluateUsage, () => gfmEvaluateCommand(rest, out, say));
    case undefined:
    case '--help':
    case '-h':
      for (const usage of [demoEconomyUsage, gfmEvaluateUsage]) out.write(`${helpOf(usage)}\n`);
      return 0;
    default:
      throw new Failure('invalid', `there is no command gfm ${verb}: lastro gfm --help lists those there are`);
  }
}
