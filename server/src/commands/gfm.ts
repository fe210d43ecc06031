import { Failure } from '../lib/failure.ts';
import { isGfmFolder } from '../ml/gfm/version.ts';
import { helpOf, type Usage } from './arguments.ts';
import { demoEconomyCommand, demoEconomyUsage } from './gfm-demo-economy.ts';
import { demoVersionCommand, demoVersionUsage } from './gfm-demo-version.ts';
import { gfmEmbedCommand, gfmEmbedUsage } from './gfm-embed.ts';
import { gfmEvaluateCommand, gfmEvaluateUsage } from './gfm-evaluate.ts';
import { gfmEvaluateVersionCommand, gfmEvaluateVersionUsage } from './gfm-evaluate-version.ts';
import { gfmImportCommand, gfmImportUsage } from './gfm-import.ts';
import { gfmPublishUsage } from './gfm-publish-usage.ts';
import { gfmTrainCommand, gfmTrainUsage } from './gfm-train.ts';

type Output = { write(text: string): unknown };
type Say = (line: string) => void;
type Verb = { readonly usage: Usage; run(args: readonly string[], out: Output, say: Say): Promise<number> };

const verbs: Readonly<Record<string, Verb>> = {
  'demo-economy': { usage: demoEconomyUsage, run: (args, _, say) => demoEconomyCommand(args, say) },
  import: { usage: gfmImportUsage, run: (args, _, say) => gfmImportCommand(args, say) },
  train: { usage: gfmTrainUsage, run: (args, _, say) => gfmTrainCommand(args, say) },
  'demo-version': { usage: demoVersionUsage, run: (args, _, say) => demoVersionCommand(args, say) },
  publish: {
    usage: gfmPublishUsage,
    // Loaded on demand: the modules of the service load slowly, and the other verbs do not need them.
    run: async (args, out) => (await import('./gfm-publish.ts')).gfmPublishCommand(args, out),
  },
  embed: { usage: gfmEmbedUsage, run: gfmEmbedCommand },
  evaluate: { usage: gfmEvaluateUsage, run: gfmEvaluateCommand },
};

/** `gfm evaluate` of a version folder instead of a graph. */
const evaluateVersion: Verb = { usage: gfmEvaluateVersionUsage, run: gfmEvaluateVersionCommand };

/** Runs `gfm <verb>`. Returns the exit code. Throws Failure 'invalid' for an unknown verb. */
export async function gfmCommand(args: readonly string[], out: Output, say: Say): Promise<number> {
  const [verb, ...rest] = args;
  if (verb === undefined || verb === '--help' || verb === '-h') {
    for (const { usage } of [...Object.values(verbs), evaluateVersion]) out.write(`${helpOf(usage)}\n`);
    return 0;
  }
  if (!Object.hasOwn(verbs, verb))
    throw new Failure('invalid', `there is no command gfm ${verb}: lastro gfm --help lists those there are`);
  const isOfVersion = verb === 'evaluate' && rest.some((word) => isGfmFolder(word));
  const { usage, run } = isOfVersion ? evaluateVersion : verbs[verb];
  if (!rest.includes('--help') && !rest.includes('-h')) return await run(rest, out, say);
  out.write(helpOf(usage));
  if (verb === 'evaluate' && !isOfVersion) out.write(`\n${helpOf(evaluateVersion.usage)}`);
  return 0;
}
