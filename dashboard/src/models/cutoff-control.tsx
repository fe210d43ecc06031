import type { Schemas } from '@lastro/sdk';
import { type ReactNode, useId } from 'react';
import { ScoreStrip } from '../kit/bands.tsx';
import { Panel } from '../kit/page.tsx';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import { versionWords } from './version-words.ts';

type Cutoff = Schemas['MetricsCutoff'];
type Threshold = Schemas['MetricsThreshold'];

/** A score from which is accepted, moved by hand: how many that approves, and how many of those default. */
export function ScoreCutoff({
  cutoffs,
  at,
  onMove,
}: {
  readonly cutoffs: readonly Cutoff[];
  readonly at: number | undefined;
  onMove(at: number): void;
}) {
  const w = useWords(versionWords);
  const format = useFormat();
  const index = Math.min(cutoffs.length - 1, at ?? Math.round(cutoffs.length * 0.55));
  const chosen = cutoffs[index];
  const said = (value: number | null) => (value === null ? '—' : format.percent(value));
  return (
    <Panel className="p-4">
      <Slider
        label={w.cutScore}
        shown={format.integer(chosen.score)}
        index={index}
        count={cutoffs.length}
        onMove={onMove}
      />
      <div className="mt-2 mb-5">
        <ScoreStrip score={chosen.score} />
      </div>
      <Numbers
        of={[
          [w.approval, format.percent(chosen.approval_rate)],
          [w.bad, said(chosen.observed_default)],
          [w.expectedBad, said(chosen.expected_default)],
        ]}
      />
    </Panel>
  );
}

/** A probability from which is acted, moved by hand. */
export function ThresholdCutoff({
  thresholds,
  rows,
  positives,
  at,
  onMove,
}: {
  readonly thresholds: readonly Threshold[];
  readonly rows: number | null;
  readonly positives: number | null;
  readonly at: number | undefined;
  onMove(at: number): void;
}) {
  const w = useWords(versionWords);
  const format = useFormat();
  const index = Math.min(thresholds.length - 1, at ?? 3);
  const chosen = thresholds[index];
  // The bad among those who are not acted on, as where who is risky is refused.
  const left =
    positives !== null && rows !== null && chosen.recall !== null && chosen.rate < 1
      ? (positives * (1 - chosen.recall)) / (rows * (1 - chosen.rate))
      : null;
  return (
    <Panel className="p-4">
      <Slider
        label={w.threshold}
        shown={format.percent(chosen.threshold)}
        index={index}
        count={thresholds.length}
        onMove={onMove}
      />
      <div className="mt-4">
        <Numbers
          of={[
            [w.actedOn, format.percent(chosen.rate)],
            [w.precision, format.percent(chosen.precision)],
            [w.recall, chosen.recall === null ? '—' : format.percent(chosen.recall)],
            [w.missed, left === null ? '—' : format.percent(left)],
          ]}
        />
      </div>
    </Panel>
  );
}

/** A value of a row of them, moved by hand. */
export function Slider({
  label,
  shown,
  index,
  count,
  onMove,
}: {
  readonly label: string;
  readonly shown: string;
  readonly index: number;
  readonly count: number;
  onMove(at: number): void;
}) {
  const id = useId();
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4">
      <label htmlFor={id} className="text-body text-ink2">
        {label}
      </label>
      <output htmlFor={id} className="font-semibold text-title">
        {shown}
      </output>
      <input
        id={id}
        type="range"
        min={0}
        max={count - 1}
        step={1}
        value={index}
        aria-valuetext={shown}
        onChange={(event) => onMove(event.target.valueAsNumber)}
        className="col-span-2 h-6 w-full accent-ink"
      />
    </div>
  );
}

function Numbers({ of }: { readonly of: readonly (readonly [label: string, value: ReactNode])[] }) {
  return (
    <dl aria-live="polite" className="flex flex-wrap gap-x-10 gap-y-3">
      {of.map(([label, value]) => (
        <div key={label}>
          <dt className="text-ink3 text-meta">{label}</dt>
          <dd className="font-semibold text-title">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
