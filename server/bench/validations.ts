// Whether validation gives challengers of known kinds the verdict they deserve, and keeps broken ones from callers.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openVersion } from '../src/ml/inference/predict.ts';
import { seedRandom } from '../src/ml/statistics/random.ts';
import { pickExamples } from '../src/ml/tasks/examples.ts';
import { fit } from '../src/ml/training/fit.ts';
import { checkRules } from '../src/ml/validation/checks.ts';
import type { ValidationReport } from '../src/ml/validation/report.ts';
import { validateVersion } from '../src/ml/validation/validate.ts';
import type { Verdict } from '../src/ml/validation/verdict.ts';
import { compareFigures, type Row } from './figures.ts';
import { lenderWorld, superlenderWorld, type Variant, type World } from './validations/worlds.ts';

const allKinds = ['better', 'equal', 'leaking', 'drifted', 'misscaled'] as const;
type Kind = (typeof allKinds)[number];
const kinds = allKinds.filter((kind) => (process.env.VALIDATION_KINDS ?? kind).split(',').includes(kind));

const rightVerdict: Readonly<Record<Kind, Verdict>> = {
  ...{ better: 'better', equal: 'equal', leaking: 'broken', drifted: 'drifted', misscaled: 'misscaled' },
};
const rightMin = 0.95;
/** Thresholds were chosen on seeds from 101 on. */
const firstSeed = Number(process.env.VALIDATION_SEED ?? 1);
const seeds = Number(process.env.VALIDATION_SEEDS ?? 20);

type Made = { readonly out: string; readonly warnings: readonly string[] };
type Challenger = { readonly made: Made; readonly at?: Variant; readonly before?: Variant };
/** `isRight`: whether it is the verdict of the kind, or of what was made to be equal and is not, on the true side. */
type Judged = {
  readonly kind: Kind;
  readonly seed: number;
  readonly report: ValidationReport;
  readonly isRight: boolean;
};

/**
 * What is made to be equal has a column more that tells nothing, and may be truly better or worse all the same, as the
 * luck of what is learned from 1,200 customers has it. Such a verdict is right where ten times as many others, whom
 * neither has seen, and who go through the same months, say as well that one is better, or is to be kept; superlender
 * has no others, and there every other verdict is wrong.
 *
 * About two minutes for each seed. `VALIDATION_SEEDS` and `VALIDATION_SEED`: how many, and from which on.
 * `VALIDATION_WORLD`: one of the two alone; `VALIDATION_KINDS`: some of the challengers alone, as `equal,leaking`.
 */
export async function benchValidations(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [name, open] of [
    ['lender', lenderWorld],
    ['superlender', superlenderWorld],
  ] as const) {
    if ((process.env.VALIDATION_WORLD ?? name) !== name) continue;
    const judged: Judged[] = [];
    for (let seed = firstSeed; seed < firstSeed + seeds; seed++) {
      const folder = mkdtempSync(join(tmpdir(), 'lastro-bench-validations-'));
      try {
        const world = await open(folder, seed);
        if (world) judged.push(...(await judgeChallengers(folder, world, seed)));
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    }
    if (judged.length > 0) rows.push(...rowsOf(name, judged));
  }
  return rows;
}

function rowsOf(world: string, judged: readonly Judged[]): Row[] {
  const shareOf = (of: readonly Judged[], is: (one: Judged) => boolean) => of.filter(is).length / of.length;
  const ofKinds = kinds.map((kind) => {
    const own = judged.filter((one) => one.kind === kind);
    const wrong = own.filter(({ isRight }) => !isRight);
    const note = wrong.map(({ seed, report }) => `seed ${seed}: ${report.verdict}`).join(', ');
    return compareFigures(`${world}: ${kind}, right verdicts`, 1 - wrong.length / own.length, 1, {
      ...{ unit: '', better: 'more', target: rightMin, note },
    });
  });
  const isPromoted = ({ report }: Judged) =>
    report.checks.every(({ name, status }) => status !== 'failed' || !checkRules[name].required);
  const isSound = ({ kind, report, isRight }: Judged) =>
    kind === 'better' || (kind === 'equal' && !(isRight && sideOf(report) === 'kept'));
  const rowOf = (label: string, of: readonly Judged[], is: (one: Judged) => boolean, target: number) =>
    of.length === 0
      ? []
      : [compareFigures(`${world}: ${label}`, shareOf(of, is), 1, { unit: '', better: 'more', target })];
  return [
    ...ofKinds,
    ...rowOf(
      'leaking, drifted and mis-scaled kept from aliases',
      judged.filter((one) => !isSound(one)),
      (one) => !isPromoted(one),
      1,
    ),
    ...rowOf('better and equal let through', judged.filter(isSound), isPromoted, rightMin),
  ];
}

async function judgeChallengers(folder: string, world: World, seed: number): Promise<Judged[]> {
  const { task, output, then, now } = world;
  const { examples } = output;
  const random = seedRandom(seed * 7 + 3);
  const places = Array.from(examples.rows.keys());
  const closedBy = (moment: number) => places.filter((i) => examples.closes[i] <= moment);
  const isDrawn = places.map(() => random() < 0.25);
  const learn = async (name: string, variant: Variant, from: readonly number[]): Promise<Made> => {
    const out = join(folder, name);
    const own = { ...output, examples: pickExamples(examples, from) };
    const report = await fit(
      { ...world.data(variant), task, outputs: [own], regime: { kind: 'rolling' } },
      out,
      () => {},
    );
    return { out, warnings: report.warnings.map(({ code }) => code) };
  };
  const champion = await learn('champion', {}, closedBy(then));
  let better: Promise<Made> | undefined;
  const learnBetter = () => (better ??= learn('better', { bureau: 'right' }, closedBy(now)));
  const challengers: Readonly<Record<Kind, () => Promise<Challenger>>> = {
    better: async () => ({ made: await learnBetter(), at: { bureau: 'right' } }),
    equal: async () => ({ made: await learn('equal', { noise: true }, closedBy(then)), at: { noise: true } }),
    leaking: async () => ({
      made: await learn('leaking', { stage: { until: now } }, closedBy(now)),
      at: { stage: { until: now } },
      before: { stage: { until: then } },
    }),
    drifted: async () => ({
      made: await learnBetter(),
      at: { bureau: 'in_another_unit' },
      before: { bureau: 'right' },
    }),
    misscaled: async () => {
      const sampled = closedBy(now).filter((i) => examples.labels[i] === 1 || isDrawn[i]);
      return { made: await learn('misscaled', {}, sampled) };
    },
  };
  const judged: Judged[] = [];
  for (const kind of kinds) {
    const challenger = await challengers[kind]();
    const report = await validate(world, champion, challenger);
    console.error(tell(world.name, seed, kind, report));
    let isRight = report.verdict === rightVerdict[kind];
    if (!isRight && kind === 'equal' && world.others) {
      const truth = await validate(await world.others(), champion, challenger);
      console.error(tell(world.name, seed, `${kind}, over others`, truth));
      isRight = sideOf(report) === sideOf(truth);
    }
    judged.push({ kind, seed, report, isRight });
  }
  return judged;
}

/** What a verdict is about two versions: one is better, neither is, or the one before is to be kept. */
function sideOf({ verdict }: ValidationReport): 'better' | 'equal' | 'kept' {
  return verdict === 'better' || verdict === 'equal' ? verdict : 'kept';
}

/** Judges a challenger by the outcomes of a world since the champion was learned. */
async function validate(
  { data, labelFiles, then, now }: World,
  champion: Made,
  { made, at = {}, before = at }: Challenger,
): Promise<ValidationReport> {
  const [tables, earlier] = [data(at).tables, data(before).tables];
  const opened = { model: await openVersion(made.out, tables), compareWith: await openVersion(champion.out, tables) };
  const were = { model: await openVersion(made.out, earlier), compareWith: await openVersion(champion.out, earlier) };
  const report = await validateVersion({
    shadow: null,
    ...{ ...opened, tables, labelFiles, segments: [], warnings: made.warnings, until: now },
    earlier: { ...were, tables: earlier, until: then },
  });
  for (const version of [...Object.values(opened), ...Object.values(were)]) version.close();
  return report;
}

function tell(world: string, seed: number, kind: string, { verdict, judged, checks }: ValidationReport): string {
  const told = checks.map(({ name, status, value, low, high, before }) => {
    const numbers = [value, low, high].map((one) => (one === null ? '-' : one.toFixed(3))).join('/');
    return `${status === 'failed' ? '!' : status === 'cannot_tell' ? '?' : ''}${name} ${numbers}${before === null ? '' : ` (${before.toFixed(3)})`}`;
  });
  return `${world} ${seed} ${kind}: ${verdict}; ${judged.rows}/${judged.labelled} rows, ${judged.positives} positive; ${told.join(', ')}`;
}
