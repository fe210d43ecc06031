import { Button } from '../kit/button.tsx';
import { Refusal } from '../kit/states.tsx';
import { LeaveGuard } from '../uploads/leave-guard.tsx';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import { AskedAcceptance } from './confirm-acceptance.tsx';
import type { ContractTable } from './contract.ts';
import { correctionWords } from './correction-words.ts';
import { correctionsId } from './corrections.ts';
import type { useCorrections } from './use-corrections.ts';
import type { Mistake } from './use-proposal.ts';
import { dataWords } from './words.ts';

/** How many corrections there are, what is wrong with them, and what becomes of them; always in sight. */
export function CorrectionBar({
  corrections,
  tables,
}: {
  readonly corrections: ReturnType<typeof useCorrections>;
  readonly tables: readonly ContractTable[];
}) {
  const w = useWords(dataWords);
  const correction = useWords(correctionWords);
  const format = useFormat();
  const { count, text, mistakes, propose, discard } = corrections;
  const isReady = typeof text === 'string' && !propose.isPending;
  const send = (accept: boolean) => typeof text === 'string' && propose.mutate({ document: text, accept });
  return (
    <section
      id={correctionsId}
      tabIndex={-1}
      aria-label={correction.corrections}
      className="focus:outline-2 focus:outline-accent sticky bottom-0 z-10 mt-4 flex flex-col gap-2 rounded-t-[8px] border border-line bg-panel px-4 py-3 shadow-float"
    >
      {text === null && <Refusal error={correction.notByClicks} />}
      {mistakes.length > 0 ? (
        <div role="alert">
          <p className="font-medium text-bad">{w.mistakes(format.integer(mistakes.length))}</p>
          <ul className="max-h-32 overflow-y-auto text-meta">
            {mistakes.map((mistake) => (
              <li key={`${mistake.path} ${mistake.text}`} className="break-words py-0.5">
                <MistakePlace of={mistake} tables={tables} /> {mistake.text}
              </li>
            ))}
          </ul>
        </div>
      ) : (
        propose.error && <Refusal error={propose.error} />
      )}
      <div className="flex flex-wrap items-center gap-2">
        <p className="mr-auto font-medium" aria-live="polite">
          {correction.correctionCount(count)}
        </p>
        <Button disabled={propose.isPending} onClick={discard}>
          {correction.discard}
        </Button>
        <Button
          isBusy={propose.isPending && propose.variables?.accept === false}
          disabled={!isReady}
          onClick={() => send(false)}
        >
          {correction.proposeCorrection}
        </Button>
        <Button
          kind="primary"
          isBusy={propose.isPending && propose.variables?.accept === true}
          disabled={!isReady}
          onClick={() => send(true)}
        >
          {w.proposeAndAccept}
        </Button>
      </div>
      <AskedAcceptance of={propose} />
      <LeaveGuard
        isOn={!propose.isPending && !propose.isSuccess}
        title={correction.leaveCorrections}
        body={correction.leaveCorrectionsBody}
      />
    </section>
  );
}

/** Leads to the column, or the table, that a mistake is about. */
function MistakePlace({ of, tables }: { readonly of: Mistake; readonly tables: readonly ContractTable[] }) {
  const table = of.table === null ? undefined : tables[of.table];
  const column = of.column === null ? undefined : table?.columns[of.column];
  if (!table) return null;
  const name = column ? `${table.name}.${column.name}` : table.name;
  const show = () => {
    const button = window.document.querySelector<HTMLElement>(`[data-corrects=${JSON.stringify(name)}]`);
    button?.scrollIntoView({ block: 'center' });
    button?.focus({ preventScroll: true });
  };
  return (
    <button type="button" onClick={show} className="min-h-6 font-mono text-accent underline underline-offset-2">
      {name}
    </button>
  );
}
