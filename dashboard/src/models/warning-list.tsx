import type { Schemas } from '@lastro/sdk';
import { Panel } from '../kit/page.tsx';
import { ServiceText } from '../kit/service-text.tsx';
import { Tag } from '../kit/status.tsx';
import { useFormat } from '../words/format.ts';
import { useLanguage } from '../words/language.ts';
import { useWords } from '../words/words.ts';
import { figuresOf } from './figures.ts';
import { metricWords } from './metric-names.ts';
import { versionWords } from './version-words.ts';
import { sayWarning } from './warning-words.ts';

/** What a person should look at, by what it is of. `metrics`: those of the version, which say what its score is of. */
export function WarningList({
  warnings,
  metrics,
}: {
  readonly warnings: readonly Schemas['ModelWarning'][];
  readonly metrics: unknown;
}) {
  const w = useWords(versionWords);
  const format = useFormat();
  const { names: metricNames } = useWords(metricWords);
  const names: Readonly<Record<string, string>> = w.warningNames;
  const meanings: Readonly<Record<string, string>> = w.warningMeanings;
  const ofScore = figuresOf(metrics).find(({ isOfScore }) => isOfScore)?.name;
  return (
    <Panel>
      <ul className="divide-y divide-line">
        {warnings.map(({ code, message, because, output, carriers, inputs }, at) => (
          <li key={at} className="px-3 py-2.5">
            <p className="flex flex-wrap items-center gap-2">
              <Tag tone="warn">{names[code] ?? code}</Tag>
              {output && <code className="font-mono text-meta">{output}</code>}
            </p>
            <Told said={sayWarning({ because }, format, metricNames)} meaning={meanings[code]}>
              {message}
            </Told>
            {because && 'z' in because && <p className="mt-1 text-ink3 text-meta">{w.zMeans}</p>}
            {output !== undefined && output === ofScore && <p className="mt-1 font-medium">{w.scoreRests}</p>}
            {carriers && carriers.length > 0 && (
              <p className="mt-1 break-words text-ink2 text-meta">
                {w.carriers}{' '}
                {carriers.map((carrier) => `${carrier.at} (${format.percent(carrier.importance)})`).join(', ')}
              </p>
            )}
            {inputs && inputs.length > 0 && (
              <ul className="mt-1 list-disc pl-5 text-ink2 text-meta">
                {inputs.map(({ name, message }) => (
                  <li key={name} lang="en">
                    {message}
                  </li>
                ))}
              </ul>
            )}
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** What a warning says: in the page's language where that has words for it, behind what its code means otherwise. */
function Told({
  said,
  meaning,
  children: message,
}: {
  readonly said: string | null;
  readonly meaning: string | undefined;
  readonly children: string;
}) {
  const className = 'mt-1 max-w-4xl text-ink2';
  if (useLanguage() !== 'en' && said !== null) return <p className={`break-words ${className}`}>{said}</p>;
  return (
    <ServiceText said={meaning} className={className}>
      {message}
    </ServiceText>
  );
}
