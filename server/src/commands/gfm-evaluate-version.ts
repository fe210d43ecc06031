import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Failure } from '../lib/failure.ts';
import { microsecondsPerDay } from '../ml/contract/contract.ts';
import { type DefaultMeasures, measureDefaults } from '../ml/gfm/economy/evaluate.ts';
import { type LinkMeasures, measureLinks } from '../ml/gfm/evaluate/links.ts';
import { neighbourRecall, type PrefixRecall, prefixLengths } from '../ml/gfm/evaluate/prefixes.ts';
import { openPlaceView } from '../ml/gfm/evaluate/views.ts';
import { type Gfm, openGfm } from '../ml/gfm/version.ts';
import { sampleIndices, seedRandom } from '../ml/statistics/random.ts';
import { readArguments, requireWritableFile, type Usage } from './arguments.ts';
import { openProgress, type ProgressLine } from './progress.ts';

export const gfmEvaluateVersionUsage = {
  usage: 'gfm evaluate <version> [--economy <folder>] [--days 365] [--out report.json]',
  about: `Says how good a version of the graph model is, and what is left of that in each prefix of its vectors: whether they keep
neighbours, whether they predict links that became known after it was trained (train with --until), and with --economy what
they add to predicting defaults.

  --economy   the folder of gfm demo-economy that it was trained on
  --days      how far after the version's last day links are looked for, and neighbours
  --out       all measures (JSON)`,
  positionals: 1,
  options: { economy: 'value', days: 'value', out: 'value' },
} as const satisfies Usage;

const daysDefault = 365;
const candidatesMax = 2_000;
const askedMax = 600;
const askedMin = 50;
const seed = 1;

/** Evaluates a GFM version. */
export async function gfmEvaluateVersionCommand(
  args: readonly string[],
  out: { write(text: string): unknown },
  log: (line: string) => void,
): Promise<number> {
  const { words, values } = readArguments(args, gfmEvaluateVersionUsage);
  if (values.out !== undefined) requireWritableFile('--out', values.out);
  const days = Number(values.days ?? daysDefault);
  if (!(days > 0)) throw new Failure('invalid', `--days ${values.days} is not a number of days above 0`);
  const progress = openProgress(log);
  progress.phase('reading the version', 0, 1);
  const gfm = await openGfm(resolve(words[0]));
  const until = gfm.until + days * microsecondsPerDay;
  const prefixes = recallOf(gfm, until, progress);
  const links = measureLinks(gfm.graph, gfm, openPlaceView(gfm), { t: gfm.until, until, seed }, progress.phase);
  const defaults =
    values.economy === undefined
      ? null
      : await measureDefaults(gfm, resolve(values.economy), { seed, prefixes: prefixLengths }, progress.phase);
  if (values.out !== undefined) {
    const report = { model_snapshot: gfm.modelSnapshot, synthetic: gfm.isSynthetic, prefixes, links, defaults };
    writeFileSync(values.out, `${JSON.stringify(report, null, 2)}\n`);
    progress.say(`wrote ${values.out}`);
  }
  const day = new Date(gfm.until / 1000).toISOString().slice(0, 10);
  out.write(
    `${gfm.modelSnapshot}, trained on what was known by ${day}${gfm.isSynthetic ? '; all of it made up' : ''}\n\n`,
  );
  out.write(prefixSheet(prefixes, links, defaults));
  out.write(linkSheet(links));
  if (defaults !== null) out.write(defaultSheet(defaults));
  return 0;
}

type Recall = { readonly kind: string; readonly recall: readonly PrefixRecall[] };

/** Measures the recall of prefixes as of t, for each kind with at least `askedMin` entities. */
function recallOf({ graph, ...gfm }: Gfm, t: number, progress: ProgressLine): Recall[] {
  const random = seedRandom(seed);
  return (['company', 'individual', 'asset'] as const).flatMap((kind, code) => {
    const known = Array.from(graph.store.kinds.keys()).filter(
      (e) => graph.store.kinds[e] === code && graph.bornAt[e] <= t,
    );
    const drawn = Array.from(
      sampleIndices(known.length, Math.min(known.length, candidatesMax), random),
      (i) => known[i],
    );
    const asked = Array.from(sampleIndices(drawn.length, Math.min(drawn.length, askedMax), random));
    if (asked.length < askedMin) return [];
    const tell = (done: number, of: number) => progress.phase(`looking for neighbours, ${kind}`, done, of);
    return [{ kind, recall: neighbourRecall(gfm, drawn, asked, t, tell) }];
  });
}

const nameWidth = 42;

function prefixSheet(
  recalls: readonly Recall[],
  links: readonly LinkMeasures[],
  defaults: DefaultMeasures | null,
): string {
  const line = (name: string, values: readonly string[]) =>
    `${name.padEnd(nameWidth)}${values.map((value) => value.padStart(7)).join('')}\n`;
  const lines = [line('first numbers of the vector', prefixLengths.map(String))];
  for (const { kind, recall } of recalls) {
    const kept = recall.map((each) => each.recall.toFixed(3));
    lines.push(line(`${kind}: neighbours kept of 10`, kept));
    lines.push(
      line(
        '  by the best axes there are',
        recall.map((each) => each.optimum.toFixed(3)),
      ),
    );
    lines.push(
      line(
        '  share of the best',
        recall.map((each) => (each.recall / each.optimum).toFixed(3)),
      ),
    );
  }
  if (links.length > 0) {
    const mean = (of: (link: LinkMeasures) => number) =>
      ((100 * links.reduce((sum, link) => sum + of(link), 0)) / links.length).toFixed(2);
    lines.push(
      line(
        `links: MRR in %, mean (chance ${mean(({ random }) => random)})`,
        prefixLengths.map((_, i) => mean(({ embedding }) => embedding[i].mrr)),
      ),
    );
  }
  for (const split of ['val', 'test'] as const)
    if (defaults !== null)
      lines.push(
        line(
          `defaults: AUROC, ${split} (of itself ${defaults.own[split].toFixed(3)})`,
          defaults.byPrefix.map((each) => each[split].toFixed(3)),
        ),
      );
  return `${lines.join('')}\n`;
}

function linkSheet(links: readonly LinkMeasures[]): string {
  if (links.length === 0)
    return 'No relation has 20 new links after the version was trained: train with --until to keep some back.\n\n';
  const names = [
    'links, MRR in %'.padEnd(28),
    ...['asked', 'random', 'popular', 'common'].map((name) => name.padStart(8)),
  ];
  const header = [...names, ...links[0].embedding.map(({ dimension }) => String(dimension).padStart(7))].join('');
  const percent = (share: number) => (100 * share).toFixed(1);
  const lines = links.map(({ relation, inverse, questions, random, popularity, commonNeighbours, embedding }) => {
    const guesses = [String(questions), ...[random, popularity, commonNeighbours].map(percent)].map((text) =>
      text.padStart(8),
    );
    const name = inverse ? `? ${relation} it` : `it ${relation} ?`;
    return [name.padEnd(28), ...guesses, ...embedding.map(({ mrr }) => percent(mrr).padStart(7))].join('');
  });
  return `${header}\n${lines.join('\n')}\n\n`;
}

function defaultSheet({ rows, own, withVectors, withShuffled }: DefaultMeasures): string {
  const told = (split: 'train' | 'val' | 'test') =>
    `${split} ${rows[split].rows} rows, ${rows[split].defaults} defaults`;
  const lines = (['val', 'test'] as const).flatMap((split) => {
    const gain = (name: string, { auroc, gain: by, low, high }: DefaultMeasures['withVectors']['val']) =>
      `${name.padEnd(28)}${auroc.toFixed(4)}   ${by >= 0 ? '+' : ''}${by.toFixed(4)}  (95 %: ${low.toFixed(4)} to ${high.toFixed(4)})`;
    return [
      `${`${split}: of itself`.padEnd(28)}${own[split].toFixed(4)}`,
      gain('  with 64 of the vector', withVectors[split]),
      gain('  the same, graph shuffled', withShuffled[split]),
    ];
  });
  return `Defaults of companies with hardly a history, AUROC (${told('train')}; ${told('val')}; ${told('test')})\n${lines.join('\n')}\n`;
}
