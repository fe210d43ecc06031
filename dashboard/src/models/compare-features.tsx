import { Ledger } from '../kit/ledger.tsx';
import { Section } from '../kit/page.tsx';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import { compareWords } from './compare-words.ts';
import { sayShareChange } from './figures.ts';
import { type Feature, keyOfFeature, useFeatures, type Version } from './use-models.ts';

const shownMax = 10;
/** Smaller differences of a share are none to a reader: a twentieth of a percentage point. */
const leastShare = 0.0005;

/** The features whose importance differs most between two versions. */
export function CompareFeatures({
  modelId,
  base,
  candidate,
}: {
  readonly modelId: string;
  readonly base: Version;
  readonly candidate: Version;
}) {
  const w = useWords(compareWords);
  const format = useFormat();
  const before = useFeatures(modelId, base.id);
  const after = useFeatures(modelId, candidate.id);
  if (!before.data || !after.data) return null;
  const moved = movesOf(before.data, after.data).slice(0, shownMax);
  if (moved.length === 0) return null;
  const said = (share: number | null) => (share === null ? w.none : format.percent(share));
  return (
    <Section title={w.features} description={w.featuresBody}>
      <Ledger
        label={w.features}
        rows={moved}
        keyOf={({ key }) => key}
        columns={[
          {
            key: 'feature',
            head: w.feature,
            cell: ({ feature }) => (
              <span lang={feature.language} className="wrap-anywhere">
                {feature.description ?? feature.code}
              </span>
            ),
          },
          { key: 'base', head: `v${base.number}`, isRight: true, cell: (row) => said(row.before) },
          { key: 'candidate', head: `v${candidate.number}`, isRight: true, cell: (row) => said(row.after) },
          {
            key: 'change',
            head: w.change,
            isRight: true,
            cell: ({ before: from, after: to }) => w.points(sayShareChange(from ?? 0, to ?? 0, format)),
          },
        ]}
      />
    </Section>
  );
}

function movesOf(before: readonly Feature[], after: readonly Feature[]) {
  const [one, other] = [before, after].map((list) => new Map(list.map((feature) => [keyOfFeature(feature), feature])));
  return [...new Map([...one, ...other])]
    .map(([key, feature]) => ({
      key,
      feature,
      before: one.get(key)?.importance ?? null,
      after: other.get(key)?.importance ?? null,
    }))
    .filter((row) => Math.abs((row.after ?? 0) - (row.before ?? 0)) >= leastShare)
    .sort((a, b) => Math.abs((b.after ?? 0) - (b.before ?? 0)) - Math.abs((a.after ?? 0) - (a.before ?? 0)));
}
