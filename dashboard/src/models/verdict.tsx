import type { Schemas } from '@lastro/sdk';
import { Link } from '@tanstack/react-router';
import { Panel } from '../kit/page.tsx';
import { Tag, type Tone } from '../kit/status.tsx';
import { useQuestion } from '../tasks/use-question.ts';
import { common } from '../words/common.ts';
import { type Format, useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import { useFieldName } from './doubt-words.ts';
import { bestNaive, type Figures, figuresOf, mainOf, type OfMonths, sayMetric, sayMonths } from './figures.ts';
import { type Doubt, fewToMeasure, foundOf, type Headline, headlineOf, isToldOfChances } from './judge.ts';
import { metricWords, nameOfMetric } from './metric-names.ts';
import { adviseOnChances, isCheckedOnAll, sayChances, sayFew } from './say-chances.ts';
import type { Model, Version } from './use-models.ts';
import { verdictWords } from './verdict-words.ts';
import { versionWords } from './version-words.ts';

type Words = (typeof verdictWords)['en'];

const toneOf: Readonly<Record<Headline, Tone>> = {
  ...{ better: 'good', unsure: 'warn', worse: 'bad' },
  ...{ betterButOff: 'warn', betterUnchecked: 'warn', betterButWarned: 'warn' },
  ...{ few: 'warn', unmeasured: 'quiet', tooGood: 'warn', memory: 'warn', mayBeMemory: 'warn' },
};

/** What the measures of a version say of each of its outcomes, in plain sentences; that of its score first. */
export function Verdicts({ model, version }: { readonly model: Model; readonly version: Version }) {
  const w = useWords(verdictWords);
  const format = useFormat();
  const figures = figuresOf(version.metrics);
  const main = mainOf(figures);
  const others = figures.filter((one) => one !== main);
  const found = foundOf(version);
  const show = (one: Figures) => (
    <OutputVerdict
      key={one.name}
      taskId={model.task_id}
      figures={one}
      others={figures}
      isToldBelow={isToldOfChances(one.name, found)}
      verdict={headlineOf(one, doubtOf(version.warnings, one.name), version.warnings)}
    />
  );
  if (figures.length === 0) return null;
  return (
    <Panel className="mb-4 px-4 py-3">
      {main && show(main)}
      {others.length > 0 && (
        <details className="mt-3" open={!main || others.some((one) => isSaidAgainst(one, version.warnings))}>
          <summary className="text-ink2">{w.others(format.integer(others.length))}</summary>
          <div className="mt-3 flex flex-col gap-4">{others.map(show)}</div>
        </details>
      )}
    </Panel>
  );
}

/** The same of the outcome by which a version is judged, with the way to the rest. */
export function ModelVerdict({
  model,
  version,
  label,
}: {
  readonly model: Model;
  readonly version: Version;
  readonly label: string;
}) {
  const w = useWords(verdictWords);
  const figures = figuresOf(version.metrics);
  const main = mainOf(figures);
  if (!main) return null;
  return (
    <Panel className="mt-4 px-4 py-3">
      <p className="mb-1 text-ink3 text-meta">
        {label} ·{' '}
        <Link
          to="/models/$model_id/versions/$version_id"
          params={{ model_id: model.id, version_id: version.id }}
          className="text-accent underline underline-offset-2"
        >
          {w.more}
        </Link>
      </p>
      <OutputVerdict
        taskId={model.task_id}
        figures={main}
        others={figures}
        verdict={headlineOf(main, doubtOf(version.warnings, main.name), version.warnings)}
      />
    </Panel>
  );
}

/** Whether the verdict on an outcome says what a training warned of: that it is not better than a simple rule. */
export function isSaidAgainst(figures: Figures, warnings: readonly Schemas['ModelWarning'][]): boolean {
  const verdict = headlineOf(figures, doubtOf(warnings, figures.name), warnings);
  const isSaid = verdict === 'unsure' || verdict === 'worse';
  return isSaid && warnings.some(({ code, output }) => ofRule.has(code) && output === figures.name);
}

/** Warnings of how an outcome compares with a simple rule. */
export const ofRule: ReadonlySet<string> = new Set(['no_better_than_naive', 'worse_than_naive']);

/** Whether a training warned that something tells an outcome. */
function doubtOf(warnings: readonly Schemas['ModelWarning'][], name: string): Doubt | null {
  const isTooGood = warnings.some(
    ({ code, output }) => code === 'implausibly_good' && (output === undefined || output === name),
  );
  return isTooGood ? 'tooGood' : null;
}

/** The verdict on one outcome: in a word, how it ranks or how far it is off, and whether its chances are right. */
export function OutputVerdict({
  taskId,
  figures,
  others = [],
  verdict,
  isOfFile = false,
  isToldBelow = false,
}: {
  readonly taskId?: string | undefined;
  readonly figures: Figures;
  /** All outcomes of the version. */
  readonly others?: readonly Figures[];
  readonly verdict: Headline;
  /** Whether the rows are those of a file, which need not be later than what was learned from. */
  readonly isOfFile?: boolean;
  /** Whether what is to be said of its chances stands among the warnings of the page. */
  readonly isToldBelow?: boolean;
}) {
  const w = useWords(verdictWords);
  const { scoreRests } = useWords(versionWords);
  const { names } = useWords(metricWords);
  const { ofMonths } = useWords(common);
  const format = useFormat();
  const few = verdict === 'few' ? fewToMeasure(figures) : null;
  const isMemory = verdict === 'memory' || verdict === 'mayBeMemory';
  const meaning = useQuestion(taskId)?.outputs.find(({ name }) => name === figures.name)?.meaning;
  return (
    <div className="max-w-3xl">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <Tag tone={toneOf[verdict]}>{w.verdict[verdict]}</Tag>
        <span className="min-w-0 break-words text-ink2">
          <code className="font-mono text-meta">{figures.name}</code>
          {meaning !== undefined && `: ${meaning}`}
        </span>
      </p>
      {figures.isOfScore && <p className="mt-1 font-medium">{scoreRests}</p>}
      {(verdict === 'tooGood' || isMemory) && <p className="mt-1">{w.doubts[verdict]}</p>}
      {few && <p className="mt-1">{w.tooFew(sayFew(few, w, format))}</p>}
      {figures.value !== null && !isMemory && <p className="mt-1">{sayRank(figures, w, format, names)}</p>}
      {!isMemory && !isToldBelow && (
        <div className="mt-1">
          <Chances of={figures} others={others} />
        </div>
      )}
      <p className="mt-1 text-ink2 text-meta">{sayRows(figures, w, format, isOfFile, ofMonths)}</p>
    </div>
  );
}

/** How good it is and how good the best simple rule, with what chance leaves of the difference. */
function sayRank(figures: Figures, w: Words, format: Format, names: Readonly<Record<string, string>>): string {
  const { metric, others, naive } = figures;
  const best = bestNaive(naive, metric);
  const what =
    best && (best.kind === 'referred_mean' && naive?.referred_by ? w.ruleBy(naive.referred_by) : w.rule[best.kind]);
  const value = figures.value!;
  const isOfHundred = metric === 'auroc' || metric === 'multiclass_accuracy';
  const digits = isOfHundred && best && Math.round(100 * value) === Math.round(100 * best.value) ? 10 : 1;
  const ofHundred = (share: number) => format.number(Math.round(100 * share * digits) / digits);
  const said = (share: number) => (isOfHundred ? ofHundred(share) : sayMetric(share, format));
  const [own, ofRule] =
    metric === 'auroc'
      ? [w.pairs(said(value)), w.pairsOfRule]
      : metric === 'multiclass_accuracy'
        ? [w.classes(said(value)), w.pairsOfRule]
        : metric === 'mae'
          ? [w.off(said(value)), w.offOfRule]
          : metric === 'rmse'
            ? [w.offMore(said(value)), w.offOfRule]
            : [w.other(nameOfMetric(names, metric), said(value)), w.otherOfRule];
  // Where it was chosen by another metric, how it ranks is said all the same, which everybody understands.
  const ranks = metric !== 'auroc' && others.auroc !== undefined ? `${w.pairs(ofHundred(others.auroc))}. ` : '';
  const gain = naive?.gain;
  const told =
    gain && gain.low !== null && gain.high !== null
      ? ` ${
          gain.low > 0
            ? w.gain(said(gain.low), said(gain.high))
            : gain.high < 0
              ? w.loss(said(-gain.high), said(-gain.low))
              : w.noGain(said(gain.low), said(gain.high))
        }`
      : '';
  return `${ranks}${own}${best && what ? ofRule(what, said(best.value)) : ''}.${told}`;
}

/** Whether the chances of an outcome are to be trusted, the cases that show why not, and what to do about it. */
export function Chances({ of, others }: { readonly of: Figures; readonly others: readonly Figures[] }) {
  const w = useWords(verdictWords);
  const nameOf = useFieldName();
  const chances = sayChances(of, w, useFormat());
  const advice = adviseOnChances(of, others, w, nameOf);
  if (!chances) return null;
  return (
    <>
      <p>
        {chances.said} {chances.shown}
      </p>
      {advice && <Advice>{advice}</Advice>}
      {chances.slope && <p className="mt-1 text-ink3 text-meta">{chances.slope}</p>}
    </>
  );
}

export function Advice({ children }: { readonly children: string }) {
  const w = useWords(verdictWords);
  return (
    <p className="mt-1">
      <span className="font-medium">{w.whatToDo}</span> {children}
    </p>
  );
}

function sayRows(of: Figures, w: Words, format: Format, isOfFile: boolean, ofMonths: OfMonths): string | null {
  const { rows, days, learned, positives, checked } = of;
  if (rows === null) return null;
  const [count, months] = [format.integer(rows), sayMonths(days, format, ofMonths)];
  const anew = learned ? w.learnedAnew(format.integer(learned.rows), sayMonths(learned.days, format, ofMonths)) : '';
  if (positives === null) return isOfFile ? w.fileRows(count) : w.rows(count, months) + anew;
  const share = format.percent(positives / rows);
  const said = (isOfFile ? w.fileRowsOf : w.rowsOf)(count, months, share, format.integer(positives));
  if (checked === null || isCheckedOnAll(of)) return said + anew;
  return said + w.checkedOn(format.integer(checked.rows), sayMonths(checked.days, format, ofMonths)) + anew;
}

/** The verdict on a version in a few words. */
export function ShortVerdict({ version }: { readonly version: Version }) {
  const w = useWords(verdictWords);
  const main = mainOf(figuresOf(version.metrics));
  if (!main) return null;
  const verdict = headlineOf(main, doubtOf(version.warnings, main.name), version.warnings);
  const tone = { good: 'text-good', warn: 'text-warn', bad: 'text-bad', quiet: 'text-ink3', live: '' }[toneOf[verdict]];
  return <span className={`line-clamp-3 whitespace-normal text-meta leading-4 ${tone}`}>{w.short[verdict]}</span>;
}
