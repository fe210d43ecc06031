import { Link } from '@tanstack/react-router';
import { type ReactNode, useMemo } from 'react';
import { Hint } from '../kit/button.tsx';
import { Panel } from '../kit/page.tsx';
import { Tag } from '../kit/status.tsx';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import type { Contract, ContractTable } from './contract.ts';
import { correctionWords } from './correction-words.ts';
import { saidInstead } from './corrections.ts';
import { Doubt, UnnamedDoubt } from './doubt.tsx';
import { doubtWords } from './doubt-words.ts';
import { doubtsOf } from './doubts.ts';
import { useGuessName } from './guess-name.ts';
import { sayReason } from './reason-words.ts';
import { breakingOf, type Change, changesOf, type Guess, guessesOf, isLoss } from './report.ts';
import { meaningOf } from './say-change.ts';
import { ScrollPanel } from './scroll-panel.tsx';
import { unnamedKinds } from './unnamed-kinds.ts';
import { useIsOvertaken } from './use-contracts.ts';
import type { Correcting } from './use-corrections.ts';
import { useSaid } from './use-said.ts';
import { dataWords } from './words.ts';

/** What a contract says otherwise than the one before it; of the first one, what was found in the files and why. */
export function ContractChanges({
  contract,
  tables,
  correcting,
}: {
  readonly contract: Contract;
  /** None until they are read. */
  readonly tables: readonly ContractTable[];
  /** Null for those who cannot correct it. */
  readonly correcting: Correcting | null;
}) {
  const w = useWords(dataWords);
  const isOvertaken = useIsOvertaken(contract);
  const changes = useMemo(() => changesOf(contract.changes), [contract.changes]);
  const guesses = useMemo(() => guessesOf(contract.changes), [contract.changes]);
  const breaking = breakingOf(contract);
  if (changes.length === 0 && guesses.length === 0)
    return <p className="text-ink2">{contract.base_id === null ? w.firstContract : w.noChanges}</p>;
  return (
    <div className="flex flex-col gap-5">
      {contract.status === 'proposed' && (
        <p className="text-ink2">
          {isOvertaken
            ? w.overtakenContract
            : contract.ingestion_id && contract.base_id === null
              ? w.acceptFirst
              : breaking.length === 0
                ? w.acceptHint
                : breaking.some(isLoss)
                  ? w.lossWaits
                  : w.breakingWaits}{' '}
          {correcting && (
            <Link
              to="/data/contracts/$contract_id"
              params={{ contract_id: contract.id }}
              search={{ part: 'tables' }}
              className="text-accent underline underline-offset-2"
            >
              {w.correctWrong}
            </Link>
          )}
        </p>
      )}
      {correcting && contract.status === 'proposed' && (
        <Doubts tables={tables} guesses={guesses} correcting={correcting} />
      )}
      {changes.length > 0 && <Changes changes={changes} isWaiting={contract.status === 'proposed'} />}
      {guesses.length > 0 && <Guesses guesses={guesses} tables={tables} correcting={correcting} />}
    </div>
  );
}

/** What to look at before the contract is accepted: first what is a mere guess, then what is likely and costs most. */
function Doubts({
  tables,
  guesses,
  correcting,
}: {
  readonly tables: readonly ContractTable[];
  readonly guesses: readonly Guess[];
  readonly correcting: Correcting;
}) {
  const w = useWords(doubtWords);
  const format = useFormat();
  const unnamed = unnamedKinds(tables);
  const doubts = tables.map((table, at) => {
    const own = guesses.filter((guess) => guess.table === table.name);
    const of = (confidence: 'low' | 'medium') =>
      doubtsOf(table, correcting.before[at] ?? table, own, confidence).filter(
        (guess) => !correcting.confirmed.has(guess),
      );
    return { table, isUnnamed: unnamed.has(table.name), low: of('low'), likely: of('medium') };
  });
  const list = (of: (one: (typeof doubts)[number]) => readonly ReactNode[]) =>
    doubts.map((one) => {
      const shown = of(one);
      return (
        shown.length > 0 && (
          <div key={one.table.name} className="border-line border-b px-3 py-2.5 last:border-b-0">
            <h3 className="mb-1 font-medium font-mono text-meta">{one.table.name}</h3>
            <ul className="flex flex-col gap-3">{shown}</ul>
          </div>
        )
      );
    });
  const said = (of: readonly Guess[], table: ContractTable) =>
    of.map((guess) => (
      <li key={`${guess.column} ${guess.kind} ${guess.value}`}>
        <Doubt guess={guess} table={table} onNote={correcting.correct} onConfirm={correcting.confirm} />
      </li>
    ));
  const likely = doubts.reduce((sum, one) => sum + one.likely.length, 0);
  return (
    <>
      {doubts.some(({ isUnnamed, low }) => isUnnamed || low.length > 0) && (
        <section>
          <h2 className="font-semibold text-section">{w.title}</h2>
          <p className="mb-2 text-ink2">{w.body}</p>
          <Panel>
            {list(({ table, isUnnamed, low }) => [
              ...(isUnnamed
                ? [
                    <li key="unnamed">
                      <UnnamedDoubt table={table} tables={tables} onNote={correcting.correct} />
                    </li>,
                  ]
                : []),
              ...said(low, table),
            ])}
          </Panel>
        </section>
      )}
      {likely > 0 && (
        <details className="rounded-[8px] border border-line bg-panel">
          <summary className="px-3 py-2 font-medium">{w.likely(format.integer(likely))}</summary>
          {list(({ table, likely: own }) => said(own, table))}
        </details>
      )}
    </>
  );
}

function Changes({ changes, isWaiting }: { readonly changes: readonly Change[]; readonly isWaiting: boolean }) {
  const w = useWords(dataWords);
  const tones = { added: 'good', removed: 'bad', changed: 'quiet' } as const;
  return (
    <ScrollPanel label={w.changes}>
      <table className="w-full min-w-[640px] border-collapse">
        <thead>
          <tr className="border-line border-b text-left text-ink3 text-meta">
            <th scope="col" className="h-8 w-[34%] px-3 font-normal">
              {w.path}
            </th>
            <th scope="col" className="h-8 w-[20%] px-3 font-normal">
              {w.changes}
            </th>
            <th scope="col" className="h-8 px-3 font-normal">
              {w.before}
            </th>
            <th scope="col" className="h-8 px-3 font-normal">
              {w.after}
            </th>
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {changes.map(({ path, kind, before, after, breaking }) => (
            <tr key={path} className="align-top">
              <th scope="row" className="break-all px-3 py-2 text-left font-mono font-normal text-meta">
                {path}
                {meaningOf(path, w) && <span className="block font-sans text-ink3">{meaningOf(path, w)}</span>}
              </th>
              <td className="px-3 py-2">
                <span className="flex flex-wrap gap-1.5">
                  <Tag tone={tones[kind]}>{w[kind]}</Tag>
                  {breaking && (
                    <Hint text={w.breakingHint}>
                      <span tabIndex={0} className="rounded-[4px]">
                        <Tag tone={isWaiting ? 'warn' : 'quiet'}>{w.breaking}</Tag>
                      </span>
                    </Hint>
                  )}
                </span>
              </td>
              <td className="break-words px-3 py-2 text-ink2 text-meta">{saidOf(before)}</td>
              <td className="break-words px-3 py-2 text-meta">{saidOf(after)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollPanel>
  );
}

/** What was found in the files and why, with what is said otherwise by now in its place. */
function Guesses({
  guesses,
  tables,
  correcting,
}: {
  readonly guesses: readonly Guess[];
  readonly tables: readonly ContractTable[];
  readonly correcting: Correcting | null;
}) {
  const w = useWords(dataWords);
  const correction = useWords(correctionWords);
  const byTable = useMemo(() => Map.groupBy(guesses, ({ table }) => table), [guesses]);
  const tones: Readonly<Record<string, 'good' | 'quiet'>> = { high: 'good' };
  const format = useFormat();
  const guessName = useGuessName();
  const said = w.confidence as Readonly<Record<string, string>>;
  const nowOf = useNow(tables, correcting);
  return (
    <section>
      <h2 className="mb-2 font-semibold text-section">{w.guesses}</h2>
      <Panel>
        {[...byTable].map(([table, found]) => (
          <div key={table} className="border-line border-b px-3 py-2 last:border-b-0">
            <h3 className="font-medium font-mono text-meta">{table}</h3>
            <ul>
              {found.map((guess) => {
                const { column, kind, value, confidence, applied } = guess;
                const now = nowOf(guess);
                return (
                  <li
                    key={`${column} ${kind} ${value}`}
                    className="grid grid-cols-1 items-baseline gap-x-4 py-1 sm:grid-cols-[minmax(0,1fr)_minmax(0,2fr)_96px]"
                  >
                    <span className="min-w-0 break-words text-meta">
                      {column && <code className="mr-2 font-mono">{column}</code>}
                      {now === null ? (
                        <span className="text-ink2">{guessName(guess)}</span>
                      ) : (
                        <s className="text-ink3">{guessName(guess)}</s>
                      )}
                    </span>
                    <span className="min-w-0 break-words text-ink2">
                      {now ?? `${applied === false ? `${w.remark}: ` : ''}${sayReason(guess, format)}`}
                    </span>
                    <span>
                      {now !== null ? (
                        <Tag tone="live">{correction.corrected}</Tag>
                      ) : correcting?.confirmed.has(guess) ? (
                        <Tag tone="good">{correction.confirmed}</Tag>
                      ) : (
                        <Tag tone={tones[confidence] ?? 'quiet'}>{said[confidence] ?? confidence}</Tag>
                      )}
                    </span>
                  </li>
                );
              })}
            </ul>
          </div>
        ))}
      </Panel>
    </section>
  );
}

/** Says what stands in place of a guess that is corrected; null where it is not. */
function useNow(tables: readonly ContractTable[], correcting: Correcting | null): (guess: Guess) => string | null {
  const { fields, now } = useWords(correctionWords);
  const saidOf = useSaid();
  return (guess) => {
    const [table, before] = [tables, correcting?.before ?? []].map((all) =>
      all.find(({ name }) => name === guess.table),
    );
    const instead = table && before ? saidInstead(guess, table, before) : [];
    return instead.length === 0
      ? null
      : instead.map(([field, value]) => now(fields[field], saidOf(field, value))).join(' · ');
  };
}

function saidOf(value: unknown): string {
  if (value === null || value === undefined) return '—';
  if (Array.isArray(value)) return value.map(String).join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
