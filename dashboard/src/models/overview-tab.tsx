import type { Schemas } from '@lastro/sdk';
import { Link, useLocation } from '@tanstack/react-router';
import { lazy, Suspense, useEffect } from 'react';
import { useSession } from '../api/session.tsx';
import { useTrailFact } from '../audit/trail-fact.tsx';
import { Id } from '../kit/copy.tsx';
import { Ledger } from '../kit/ledger.tsx';
import { Moment } from '../kit/moment.tsx';
import { Facts, Section } from '../kit/page.tsx';
import { Skeleton } from '../kit/states.tsx';
import { importPart } from '../shell/new-build.ts';
import { common } from '../words/common.ts';
import { useFormat } from '../words/format.ts';
import { useLanguage } from '../words/language.ts';
import { useWords } from '../words/words.ts';
import { bestNaive, figuresOf, intervalOf, sayChange, sayMetric } from './figures.ts';
import { foundOf } from './judge.ts';
import { MetricNotes } from './metric-name.tsx';
import { metricWords, nameOfMetric } from './metric-names.ts';
import { sayNote } from './note-words.ts';
import { sayRecipe } from './recipe-words.ts';
import { sayUnused } from './unused-words.ts';
import { type Model, useVersions, type Version } from './use-models.ts';
import { Verdicts } from './verdict.tsx';
import { versionWords } from './version-words.ts';
import { warningsAnchor } from './warning-count.tsx';
import { Warnings } from './warnings.tsx';
import { scaleOf, Whisker } from './whisker.tsx';

/** Loaded while the rest is read. */
const MoveAlias = lazy(async () => ({ default: (await importPart(() => import('./move-alias.tsx'))).MoveAlias }));

/** The card of a version: how good it is, what speaks against it, who is answered by it, what it was made of. */
export function OverviewTab({ model, version }: { readonly model: Model; readonly version: Version }) {
  const w = useWords(versionWords);
  const { can } = useSession();
  const versions = useVersions(model.id);
  const hash = useLocation({ select: ({ hash }) => hash });
  // The router looks for it before the version is there.
  useEffect(() => document.getElementById(hash)?.scrollIntoView(), [hash]);
  const format = useFormat();
  const found = foundOf(version).length;
  return (
    <>
      <Section title={w.howGood} description={w.howGoodBody} className="!mt-0">
        <Verdicts model={model} version={version} />
        <HowGood version={version} />
      </Section>
      <Section
        title={found > 0 ? `${w.warnings}: ${w.warningCount(found, format.integer(found))}` : w.warnings}
        id={warningsAnchor}
      >
        {found > 0 ? (
          <Warnings warnings={version.warnings} metrics={version.metrics} taskId={model.task_id} isBelowVerdicts />
        ) : (
          <p className="text-ink2">{w.noWarnings}</p>
        )}
      </Section>
      {can('manage_aliases') && versions.data && (
        <Suspense fallback={<Skeleton rows={3} />}>
          <MoveAlias model={model} version={version} versions={versions.data} />
        </Suspense>
      )}
      <Section title={w.madeOf}>
        <MadeOf version={version} />
      </Section>
    </>
  );
}

/** By how much it is ahead of the best of what takes no learning: whether that is sure is said once, by the verdicts. */
function Gain({ of: { value, low, high } }: { readonly of: Schemas['NaiveGain'] }) {
  const m = useWords(metricWords);
  const format = useFormat();
  if (value === null || low === null || high === null) return null;
  const most = Math.max(...[value, low, high].map(Math.abs));
  const say = (gain: number) => sayChange(0, gain, format, most);
  return <span className="block text-meta">{(low > 0 ? m.gain : m.lead)(say(value), say(low), say(high))}</span>;
}

function HowGood({ version }: { readonly version: Version }) {
  const w = useWords(versionWords);
  const m = useWords(metricWords);
  const format = useFormat();
  const rows = figuresOf(version.metrics).map((output) => ({
    ...output,
    interval: intervalOf(output.value, output.standardError),
    best: bestNaive(output.naive, output.metric),
  }));
  const scales = new Map(
    rows.map(({ metric }) => [
      metric,
      scaleOf(
        rows
          .filter((row) => row.metric === metric)
          .flatMap(({ value, interval, best }) => [value, ...(interval ?? []), best?.value]),
      ),
    ]),
  );
  return (
    <>
      <Ledger
        label={w.howGood}
        rows={rows}
        keyOf={({ name }) => name}
        columns={[
          { key: 'output', head: w.output, cell: ({ name }) => <code className="font-mono text-meta">{name}</code> },
          { key: 'metric', head: w.metric, isMinor: true, cell: ({ metric }) => nameOfMetric(m.names, metric) },
          {
            key: 'value',
            head: w.value,
            isRight: true,
            cell: ({ value, best, naive }) => (
              <>
                <span className="font-semibold text-section">{sayMetric(value, format)}</span>
                {/* The columns of it have no room on phones. */}
                {best && (
                  <span className="block text-ink2 text-meta sm:hidden">
                    {w.naive}: {sayMetric(best.value, format)} ({m.naive[best.kind]})
                    {naive?.gain && <Gain of={naive.gain} />}
                  </span>
                )}
              </>
            ),
          },
          {
            key: 'interval',
            head: w.interval,
            isMinor: true,
            cell: ({ interval }) => (
              <span className="whitespace-nowrap text-ink2">
                {interval ? `${sayMetric(interval[0], format)} – ${sayMetric(interval[1], format)}` : '—'}
              </span>
            ),
          },
          {
            key: 'scale',
            head: <span className="sr-only">{w.interval}</span>,
            cell: ({ value, interval, best, metric }) =>
              value !== null && (
                <Whisker
                  value={value}
                  interval={interval}
                  naive={best?.value ?? null}
                  scale={scales.get(metric) ?? [0, 1]}
                />
              ),
          },
          {
            key: 'naive',
            head: w.naive,
            isMinor: true,
            cell: ({ best, naive }) =>
              best ? (
                <span className="text-ink2">
                  {sayMetric(best.value, format)}{' '}
                  <span className="text-ink3 text-meta">
                    {m.naive[best.kind]}
                    {best.kind === 'referred_mean' && naive?.referred_by ? ` (${naive.referred_by})` : ''}
                  </span>
                  {naive?.gain && <Gain of={naive.gain} />}
                </span>
              ) : (
                '—'
              ),
          },
          {
            key: 'rows',
            head: w.rows,
            isRight: true,
            isMinor: true,
            cell: ({ rows }) => (rows === null ? '—' : format.integer(rows)),
          },
          { key: 'recipe', head: w.recipe, isMinor: true, cell: ({ recipe }) => <Recipe name={recipe} /> },
        ]}
      />
      <MetricNotes of={scales.keys()} />
    </>
  );
}

function Recipe({ name }: { readonly name: string | null }) {
  const meaning = sayRecipe(name ?? '', useLanguage());
  if (name === null || meaning === null || meaning === name) return name ?? '—';
  return (
    <>
      {meaning}
      <code className="block font-mono text-ink3 text-meta">{name}</code>
    </>
  );
}

function MadeOf({ version }: { readonly version: Version }) {
  const w = useWords(versionWords);
  const c = useWords(common);
  const format = useFormat();
  const told = looseOf(version.metrics);
  const notes = textsOf(told.notes);
  const unused = unusedOf(told.unused_columns);
  const feedback = looseOf(told.feedback);
  const trail = useTrailFact(version.id);
  return (
    <>
      <Facts
        columns={4}
        of={[
          [c.created, <Moment key="created" at={version.created_at} isExact />],
          [
            w.run,
            <Link
              key="run"
              to="/training-runs/$run_id"
              params={{ run_id: version.training_run_id }}
              className="font-mono text-accent text-meta underline underline-offset-2"
            >
              {version.training_run_id.slice(0, 4)}…{version.training_run_id.slice(-6)}
            </Link>,
          ],
          [
            w.contract,
            <Link
              key="contract"
              to="/data/contracts/$contract_id"
              params={{ contract_id: version.contract_id }}
              className="text-accent underline underline-offset-2"
            >
              {w.contractNumber(version.contract_number)}
            </Link>,
          ],
          [w.snapshot, <Id key="snapshot" id={version.snapshot_id} />],
          version.ingestion_id !== null && [
            w.dataFrom,
            <Link
              key="data"
              to="/data/ingestions/$ingestion_id"
              params={{ ingestion_id: version.ingestion_id }}
              className="text-accent underline underline-offset-2"
            >
              {w.ingestion} …{version.ingestion_id.slice(-6)}
            </Link>,
          ],
          trail,
          typeof told.training_rows === 'number' && [w.trainingRows, format.integer(told.training_rows)],
          typeof told.features === 'number' && [w.readFeatures, format.integer(told.features)],
          [w.gfm, version.gfm_version_id === null ? w.gfmNone : <Id key="gfm" id={version.gfm_version_id} />],
          typeof feedback.rfm_version_id === 'string' && [w.encoder, <Id key="encoder" id={feedback.rfm_version_id} />],
          ['id', <Id key="id" id={version.id} />],
        ]}
      />
      {notes.length > 0 && (
        <div className="mt-4">
          <h3 className="text-ink3 text-meta">{w.notes}</h3>
          <ul className="list-disc pl-5">
            {notes.map((note) => {
              const said = format.language === 'en' ? note : sayNote(note, format);
              return (
                <li key={note} lang={said === null ? 'en' : undefined} className="break-words">
                  {said ?? note}
                </li>
              );
            })}
          </ul>
        </div>
      )}
      {unused.length > 0 && (
        <details className="mt-4">
          <summary className="text-ink2">
            {w.unused} ({format.integer(unused.length)})
          </summary>
          <ul className="mt-1 flex flex-col gap-0.5 text-ink2 text-meta">
            {unused.map(({ column, why }) => (
              <li key={column} className="break-words">
                <code className="font-mono text-ink">{column}</code>
                {why !== null && `: ${sayUnused(why, format.language)}`}
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

function looseOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one: unknown) => typeof one === 'string') : [];
}

/** The columns that are not read, each with why. */
function unusedOf(value: unknown): readonly { readonly column: string; readonly why: string | null }[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((one: unknown) => {
    const { column, table, why } = looseOf(one);
    if (typeof column !== 'string') return [];
    return [
      {
        column: typeof table === 'string' ? `${table}.${column}` : column,
        why: typeof why === 'string' ? why : null,
      },
    ];
  });
}
