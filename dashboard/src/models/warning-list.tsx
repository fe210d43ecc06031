import type { Schemas } from '@lastro/sdk';
import type { ReactNode } from 'react';
import { Panel } from '../kit/page.tsx';
import { ServiceText } from '../kit/service-text.tsx';
import { Tag } from '../kit/status.tsx';
import { common } from '../words/common.ts';
import { useFormat } from '../words/format.ts';
import { useLanguage } from '../words/language.ts';
import { useWords } from '../words/words.ts';
import { AskShorter } from './ask-shorter.tsx';
import { useFieldName } from './doubt-words.ts';
import { type Figures, figuresOf, sayMonths } from './figures.ts';
import { fewToCheck, ofChances, shiftOf, unwarnedOf, worstFirst } from './judge.ts';
import { metricWords } from './metric-names.ts';
import { adviseOnChances, sayChances } from './say-chances.ts';
import { shiftWords } from './shift-words.ts';
import { Advice, Chances, isSaidAgainst, ofRule } from './verdict.tsx';
import { verdictWords } from './verdict-words.ts';
import { versionWords } from './version-words.ts';
import { sayWarning } from './warning-words.ts';

type Warning = Schemas['ModelWarning'];

/** What a person should look at, and what to do about it: what figures say and no training warned of comes first. */
export function WarningList({
  warnings,
  metrics,
  taskId,
  isBelowVerdicts = false,
}: {
  readonly warnings: readonly Warning[];
  readonly metrics: unknown;
  /** The task that asks for what is warned of, to ask it otherwise. */
  readonly taskId?: string | null;
  /** Whether the page says above how each outcome compares with a simple rule, which is then not said again. */
  readonly isBelowVerdicts?: boolean;
}) {
  const figures = figuresOf(metrics);
  return (
    <>
      <Unwarned figures={figures} warnings={warnings} />
      {warnings.length > 0 && (
        <Warned
          figures={figures}
          warnings={warnings}
          taskId={taskId ?? undefined}
          saidAbove={isBelowVerdicts ? figures.filter((one) => isSaidAgainst(one, warnings)) : []}
        />
      )}
    </>
  );
}

type Given = { readonly figures: readonly Figures[]; readonly warnings: readonly Warning[] };

/** What the figures of a version speak against that its training did not warn of. */
function Unwarned({ figures, warnings }: Given) {
  const w = useWords(verdictWords);
  const found = unwarnedOf(figures, warnings);
  if (found.length === 0) return null;
  return (
    <div className="mb-2 rounded-[6px] bg-warn-soft px-2.5 py-1.5">
      <p className="text-warn">{w.unwarned}</p>
      <ul className="list-disc pl-5">
        {found.map(({ code, output, of }) => (
          <li key={`${code} ${output}`} className="break-words">
            <code className="font-mono text-meta">{output}</code>
            {code === 'outcome_moved' ? <Moved of={of} /> : <Chances of={of} others={figures} />}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** From this share of one outcome on cases hardly divide, where those of the other are few besides. */
const alikeShare = 0.97;

/** That an outcome comes far more often, or far less, than it did: by how much, what it means and what to do. */
function Moved({ of }: { readonly of: Figures }) {
  const w = useWords(shiftWords);
  const { ofMonths } = useWords(common);
  const format = useFormat();
  const shift = shiftOf(of);
  if (!shift) return null;
  const { newest, before } = shift;
  const [now, then] = [newest, before].map(
    ({ rows, came, from, to }) =>
      [
        format.integer(rows),
        sayMonths(from === null || to === null ? null : { from, to }, format, ofMonths),
        format.percent(came),
      ] as const,
  );
  return (
    <>
      <p>
        {w.moved(...now, ...then)}{' '}
        {Math.max(newest.came, 1 - newest.came) >= alikeShare && fewToCheck(newest) && w.alike}{' '}
        {newest.came > before.came ? w.more : w.less}
      </p>
      <Advice>{w.advice}</Advice>
    </>
  );
}

/** What a training warned of, the gravest first. */
function Warned({
  figures,
  warnings,
  taskId,
  saidAbove,
}: Given & { readonly taskId: string | undefined; readonly saidAbove: readonly Figures[] }) {
  const w = useWords(versionWords);
  const v = useWords(verdictWords);
  const format = useFormat();
  const { names: metricNames } = useWords(metricWords);
  const names: Readonly<Record<string, string>> = w.warningNames;
  const meanings: Readonly<Record<string, string>> = w.warningMeanings;
  const isAbove = (code: string, output: string | undefined) =>
    ofRule.has(code) && saidAbove.some(({ name }) => name === output);
  const ofScore = figures.find(({ isOfScore }) => isOfScore)?.name;
  return (
    <Panel>
      <ul className="divide-y divide-line">
        {worstFirst(warnings).map(({ code, message, because, output, carriers, inputs }, at) => (
          <li key={at} className="px-3 py-2.5">
            <p className="flex flex-wrap items-center gap-2">
              <Tag tone="warn">{isAbove(code, output) ? v.againstRule : (names[code] ?? code)}</Tag>
              {output && <code className="font-mono text-meta">{output}</code>}
            </p>
            {ofChances.has(code) ? (
              <OfChances of={figures.find(({ name }) => name === output)} others={figures}>
                <Told said={sayWarning({ because }, format, metricNames)} meaning={meanings[code]}>
                  {message}
                </Told>
                {because && 'z' in because && <p className="mt-1 text-ink3 text-meta">{w.zMeans}</p>}
              </OfChances>
            ) : code === 'alias_held_back' ? (
              <>
                <p className="mt-1 max-w-4xl">{meanings[code]}</p>
                <details className="mt-1 text-meta">
                  <summary className="text-ink2">{w.forPrograms}</summary>
                  <p lang="en" className="mt-1 break-words text-ink2">
                    {message}
                  </p>
                </details>
              </>
            ) : (
              !isAbove(code, output) && (
                <Told said={sayWarning({ because }, format, metricNames)} meaning={meanings[code]}>
                  {message}
                </Told>
              )
            )}
            <WhatElse code={code} />
            {code === 'worse_than_naive' && <AskShorter taskId={taskId} output={output} figures={figures} />}
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

/** What is wrong with chances and what to do; as the training told it, in the terms of the field, for who asks. */
function OfChances({
  of,
  others,
  children,
}: {
  readonly of: Figures | undefined;
  readonly others: readonly Figures[];
  readonly children: ReactNode;
}) {
  const w = useWords(verdictWords);
  const nameOf = useFieldName();
  const format = useFormat();
  const chances = of && sayChances(of, w, format);
  const advice = of && adviseOnChances(of, others, w, nameOf);
  if (!chances || !advice) return children;
  return (
    <>
      <p className="mt-1 max-w-4xl">
        {chances.said} {chances.shown}
      </p>
      <Advice>{advice}</Advice>
      <details className="mt-1 text-meta">
        <summary className="text-ink2">{w.inTerms}</summary>
        {chances.slope && <p className="mt-1">{chances.slope}</p>}
        {children}
      </details>
    </>
  );
}

/** What to do about what a warning says, where it does not say so itself. */
function WhatElse({ code }: { readonly code: string }) {
  const w = useWords(verdictWords);
  if (ofRule.has(code)) return <Advice>{w.noBetter}</Advice>;
  return code === 'possible_leakage' ? <Advice>{w.leakage}</Advice> : null;
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
