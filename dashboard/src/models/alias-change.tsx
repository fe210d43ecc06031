import { Link } from '@tanstack/react-router';
import { Ledger } from '../kit/ledger.tsx';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import { compareWords } from './compare-words.ts';
import { useFieldName } from './doubt-words.ts';
import { figuresOf, sayChange, sayMetric } from './figures.ts';
import { metricWords, nameOfMetric } from './metric-names.ts';
import type { Version } from './use-models.ts';

/** What callers of an alias get in place of what they have: how well either version did on its own later rows. */
export function AliasChange({ before, after }: { readonly before: Version; readonly after: Version }) {
  const w = useWords(compareWords);
  const m = useWords(metricWords);
  const nameOf = useFieldName();
  const format = useFormat();
  const earlier = new Map(figuresOf(before.metrics).map((figures) => [figures.name, figures]));
  const rows = figuresOf(after.metrics).flatMap((figures) => {
    const was = earlier.get(figures.name);
    const isComparable = was && was.metric === figures.metric && was.value !== null && figures.value !== null;
    return isComparable ? [{ ...figures, was: was.value!, now: figures.value! }] : [];
  });
  return (
    <div className="flex flex-col gap-1.5">
      {rows.length > 0 && (
        <>
          <Ledger
            label={w.changes}
            rows={rows}
            keyOf={({ name }) => name}
            columns={[
              {
                key: 'output',
                head: w.ofOutput,
                cell: ({ name, metric }) =>
                  `${nameOf(name)}${metric === null ? '' : ` · ${nameOfMetric(m.names, metric)}`}`,
              },
              { key: 'was', head: `v${before.number}`, isRight: true, cell: ({ was }) => sayMetric(was, format) },
              {
                key: 'now',
                head: `v${after.number}`,
                isRight: true,
                cell: ({ now }) => <b className="font-semibold">{sayMetric(now, format)}</b>,
              },
              {
                key: 'change',
                head: w.changeOf,
                isRight: true,
                isMinor: true,
                cell: ({ was, now }) => sayChange(was, now, format),
              },
            ]}
          />
          <p className="text-ink3 text-meta">{w.ownRows}</p>
        </>
      )}
      <Link
        to="/models/$model_id/compare"
        params={{ model_id: after.model_id }}
        search={{ base: before.id, candidate: after.id }}
        className="self-start text-accent underline underline-offset-2"
      >
        {w.compareAll}
      </Link>
    </div>
  );
}
