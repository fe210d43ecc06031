import type { Schemas } from '@lastro/sdk';
import { useState } from 'react';
import { ScoreStrip } from '../kit/bands.tsx';
import { Ledger } from '../kit/ledger.tsx';
import { Panel, Section } from '../kit/page.tsx';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import { Slider } from './cutoff-control.tsx';
import type { Names } from './validation-figures.tsx';
import { validationWords } from './validation-words.ts';
import { versionWords } from './version-words.ts';

type Decided = Schemas['ValidationDecided'];

/** What both versions would decide from a score on that is moved by hand, and who would be decided otherwise. */
export function Decisions({
  cutoffs,
  rows,
  names,
}: {
  readonly cutoffs: readonly Schemas['ValidationCutoff'][];
  readonly rows: number;
  readonly names: Names;
}) {
  const w = useWords(validationWords);
  const v = useWords(versionWords);
  const format = useFormat();
  const [at, setAt] = useState(Math.floor(cutoffs.length * 0.55));
  const { score, model, compare_with: before, swapped_in, swapped_out } = cutoffs[at];
  const share = (value: number | null) => (value === null ? '—' : format.percent(value));
  const accepted = ({ approval_rate }: Decided) => Math.round(approval_rate * rows);
  const expected = (of: Decided) =>
    of.expected_default === null
      ? '—'
      : `${format.percent(of.expected_default)} (${format.integer(Math.round(accepted(of) * of.expected_default))})`;
  const told: readonly { readonly name: string; say(of: Decided): string }[] = [
    { name: v.approval, say: (of) => `${format.percent(of.approval_rate)} (${format.integer(accepted(of))})` },
    { name: v.expectedBad, say: expected },
    { name: w.badJudged, say: ({ observed_default }) => share(observed_default) },
  ];
  return (
    <Section title={w.decisions} description={w.decisionsBody(format.integer(rows))}>
      <Panel className="grid gap-4 p-4">
        <div>
          <Slider label={v.cutScore} shown={format.integer(score)} index={at} count={cutoffs.length} onMove={setAt} />
          <div className="mt-2">
            <ScoreStrip score={score} />
          </div>
        </div>
        <div aria-live="polite">
          <Ledger
            label={w.decisions}
            rows={told}
            keyOf={({ name }) => name}
            columns={[
              { key: 'name', head: w.decided, cell: ({ name }) => name },
              { key: 'own', head: names.own, isRight: true, cell: ({ say }) => say(model) },
              ...(before
                ? [
                    {
                      key: 'before',
                      head: names.before,
                      isRight: true,
                      cell: ({ say }: (typeof told)[number]) => say(before),
                    },
                  ]
                : []),
            ]}
          />
          {swapped_in !== null && swapped_out !== null && (
            <p className="mt-3 text-ink2">{w.swapped(format.integer(swapped_in), format.integer(swapped_out))}</p>
          )}
        </div>
      </Panel>
    </Section>
  );
}
