import { Ledger } from '../kit/ledger.tsx';
import { Section } from '../kit/page.tsx';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import { compareWords } from './compare-words.ts';
import { directionOf, type Figures, figuresOf, intervalOf, sayChange, sayMetric } from './figures.ts';
import { MetricName } from './metric-name.tsx';
import type { Version } from './use-models.ts';
import { scaleOf, Whisker } from './whisker.tsx';

type Pair = { readonly name: string; readonly base: Figures | undefined; readonly candidate: Figures | undefined };
type Verdict = 'better' | 'worse' | 'withinChance' | null;

/** The outputs of two versions side by side, and in a sentence which is better. */
export function CompareMetrics({ base, candidate }: { readonly base: Version; readonly candidate: Version }) {
  const w = useWords(compareWords);
  const format = useFormat();
  const pairs = pairsOf(figuresOf(base.metrics), figuresOf(candidate.metrics));
  const scale = new Map(
    pairs.map(({ name, base: one, candidate: other }) => [
      name,
      scaleOf([one, other].flatMap((of) => [of?.value, ...(of ? (intervalOf(of.value, of.standardError) ?? []) : [])])),
    ]),
  );
  const cell = (of: Figures | undefined, name: string) => {
    if (!of || of.value === null) return <span className="text-ink3">—</span>;
    const interval = intervalOf(of.value, of.standardError);
    return (
      <span className="grid items-center gap-3 sm:min-w-40 sm:grid-cols-[56px_minmax(80px,1fr)]">
        <span className="font-semibold text-section">{sayMetric(of.value, format)}</span>
        <span className="hidden sm:block" title={interval?.map((end) => sayMetric(end, format)).join(' – ')}>
          <Whisker value={of.value} interval={interval} naive={null} scale={scale.get(name) ?? [0, 1]} />
        </span>
      </span>
    );
  };
  return (
    <Section
      title={w.metrics}
      description={
        answerSame(base, candidate)
          ? w.saySame(candidate.number, base.number)
          : sentenceOf(pairs.map(verdictOf), base, candidate, w)
      }
    >
      <Ledger
        label={w.metrics}
        rows={pairs}
        keyOf={({ name }) => name}
        columns={[
          {
            key: 'output',
            head: w.output,
            cell: ({ name }) => <code className="wrap-anywhere font-mono text-meta">{name}</code>,
          },
          {
            key: 'metric',
            head: w.metric,
            isMinor: true,
            cell: ({ base: one, candidate: other }) => <MetricName of={other?.metric ?? one?.metric ?? null} />,
          },
          { key: 'base', head: `v${base.number}`, cell: ({ base: of, name }) => cell(of, name) },
          { key: 'candidate', head: `v${candidate.number}`, cell: ({ candidate: of, name }) => cell(of, name) },
          {
            key: 'change',
            head: w.change,
            isRight: true,
            cell: (pair) => {
              const verdict = verdictOf(pair);
              if (verdict === null)
                return (
                  <span className="text-ink3">
                    {pair.base ? (pair.candidate ? '—' : w.onlyIn(base.number)) : w.onlyIn(candidate.number)}
                  </span>
                );
              if (changeOf(pair) === 0) return <span className="text-ink2">{w.equal}</span>;
              const tone = { better: 'text-good', worse: 'text-bad', withinChance: 'text-ink2' }[verdict];
              return (
                <span className={`sm:whitespace-nowrap ${tone}`}>
                  <span className="whitespace-nowrap font-medium">
                    {sayChange(pair.base!.value!, pair.candidate!.value!, format)}
                  </span>{' '}
                  <span className="text-meta">{w[verdict]}</span>
                </span>
              );
            },
          },
        ]}
      />
    </Section>
  );
}

/**
 * Whether two versions answer the same: what was measured of them, curves and all, is equal to the last digit. It comes
 * out of the same data, from which the same version is learned.
 */
export function answerSame(base: Version, candidate: Version): boolean {
  const [one, other] = [base, candidate].map(
    ({ metrics }) => (metrics as { readonly outputs?: unknown } | null)?.outputs,
  );
  return one !== undefined && JSON.stringify(one) === JSON.stringify(other);
}

function pairsOf(base: readonly Figures[], candidate: readonly Figures[]): readonly Pair[] {
  const names = [...new Set([...candidate, ...base].map(({ name }) => name))];
  return names.map((name) => ({
    name,
    base: base.find((one) => one.name === name),
    candidate: candidate.find((one) => one.name === name),
  }));
}

function changeOf({ base, candidate }: Pair): number | null {
  if (typeof base?.value !== 'number' || typeof candidate?.value !== 'number' || base.metric !== candidate.metric)
    return null;
  return candidate.value - base.value;
}

/**
 * Which is better, as if the two were measured apart: the rows may be the same, which would tell smaller differences.
 */
function verdictOf(pair: Pair): Verdict {
  const change = changeOf(pair);
  if (change === null) return null;
  const [one, other] = [pair.base!.standardError, pair.candidate!.standardError];
  const chance = one === null || other === null ? 0 : 1.96 * Math.hypot(one, other);
  if (Math.abs(change) <= chance) return 'withinChance';
  return change * directionOf(pair.candidate!.metric) > 0 ? 'better' : 'worse';
}

function sentenceOf(
  verdicts: readonly Verdict[],
  { number: base }: Version,
  { number: candidate }: Version,
  w: (typeof compareWords)['en'],
): string {
  const better = verdicts.filter((verdict) => verdict === 'better').length;
  const worse = verdicts.filter((verdict) => verdict === 'worse').length;
  if (better > 0 && worse > 0) return w.sayMixed(better, worse);
  if (better > 0) return w.sayBetter(candidate, base);
  if (worse > 0) return w.sayWorse(candidate, base);
  return w.sayEqual(candidate, base);
}
