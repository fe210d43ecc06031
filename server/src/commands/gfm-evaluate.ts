import { writeFileSync } from 'node:fs';
import { Failure } from '../lib/failure.ts';
import { evaluateLinks, type LinkReport, type PartReport, type Policy } from '../ml/links/evaluate.ts';
import { readGraph } from '../ml/links/facts.ts';
import type { RankMeasures } from '../ml/links/metrics.ts';
import { readArguments, requireWritableFile, type Usage } from './arguments.ts';
import { openProgress } from './progress.ts';

type Output = { write(text: string): unknown };

export const gfmEvaluateUsage = {
  usage: 'gfm evaluate <folder> [--out report.json] [--fixed-only | --follow-only] [--valid-only]',
  about: `Learns to predict the links of a dated graph, and says how well, one step ahead.

  <folder>       holds train.csv, valid.csv and test.csv, one after the other in time: subject, relation, object,
                 timestamp (a number); entities.csv (entity_id) and relations.csv (relation_id) where there are more
                 than the facts name
  --out          all measures (JSON)
  --follow-only  only with statistics that follow the past: updated after each period has been scored
  --fixed-only   only with everything fixed after training; earlier facts are read all the same
  --valid-only   does not ask about the test facts, for those who still choose`,
  positionals: 1,
  options: { out: 'value', 'fixed-only': 'flag', 'follow-only': 'flag', 'valid-only': 'flag' },
} as const satisfies Usage;

/** The seed of the ranker's training. The same seed gives the same bytes. */
const seed = 1;

/** Trains on a graph, evaluates link prediction, and writes the metrics as a table to `out`. Returns the exit code. */
export async function gfmEvaluateCommand(
  args: readonly string[],
  out: Output,
  say: (line: string) => void,
): Promise<number> {
  const { words, values } = readArguments(args, gfmEvaluateUsage);
  if (values['fixed-only'] && values['follow-only'])
    throw new Failure('invalid', '--fixed-only and --follow-only exclude each other; without either both are measured');
  if (values.out !== undefined) requireWritableFile('--out', values.out);
  const progress = openProgress(say);
  const graph = await readGraph(words[0]);
  for (const warning of graph.warnings) progress.say(`warning: ${warning}`);
  const policies: Policy[] = ['follow', 'fixed'];
  const report = evaluateLinks(
    graph,
    {
      policies: policies.filter((policy) => !values[policy === 'follow' ? 'fixed-only' : 'follow-only']),
      validOnly: values['valid-only'] !== undefined,
      seed,
    },
    progress.phase,
  );
  if (values.out !== undefined) {
    writeFileSync(values.out, `${JSON.stringify(report, null, 2)}\n`);
    progress.say(`wrote ${values.out}`);
  }
  out.write(sheetOf(report));
  return 0;
}

/** Formats the metrics as a table for people. */
function sheetOf({ chosen, policies, warnings: _, ...report }: LinkReport): string {
  const lines = [report.protocol, ''];
  lines.push(`half-lives ${chosen.half_lives.join(', ')} steps of ${chosen.step}, chosen on valid`, '');
  for (const [policy, { means, valid, test }] of Object.entries(policies)) {
    lines.push(`${policy}: ${means}`);
    for (const [part, measured] of [['valid', valid] as const, ['test', test] as const])
      if (measured !== undefined) lines.push('', ...linesOf(part, measured));
    lines.push('');
  }
  return `${lines.join('\n')}\n`;
}

function linesOf(part: string, { ranker, by_direction, by_novelty, by_view, candidate_recall }: PartReport): string[] {
  const rows: [string, RankMeasures][] = [
    ['ranker', ranker],
    ['  asked for the object', by_direction.object],
    ['  asked for the subject', by_direction.subject],
    ['  repeated links', by_novelty.repeated],
    ['  new links', by_novelty.new],
    ...Object.entries(by_view),
  ];
  const percent = (share: number) => (100 * share).toFixed(2).padStart(7);
  return [
    `${part.padEnd(30)}    MRR     SE    H@1    H@3   H@10  questions`,
    ...rows.map(
      ([name, { mrr, standard_error, hits_at_1, hits_at_3, hits_at_10, questions }]) =>
        `${name.padEnd(30)}${[mrr, standard_error, hits_at_1, hits_at_3, hits_at_10].map(percent).join('')}${String(questions).padStart(11)}`,
    ),
    `${(100 * candidate_recall).toFixed(1)} % of the truths are candidates`,
  ];
}
