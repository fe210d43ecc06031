import { Panel } from '../kit/page.tsx';
import { Refusal } from '../kit/states.tsx';
import { Progress } from '../kit/status.tsx';
import { useFormat } from '../words/format.ts';
import { sayWait, waitWords } from '../words/waits.ts';
import { useWords } from '../words/words.ts';
import { type Batch, isOpen } from './batch.ts';
import { useRate } from './use-rate.ts';
import { batchWords } from './words.ts';

/** How far a batch is: all of it, and each file. */
export function BatchProgress({ batch, toldAt }: { readonly batch: Batch; readonly toldAt: number }) {
  const w = useWords(batchWords);
  const format = useFormat();
  const waiting = useWords(waitWords);
  const rate = useRate(batch, toldAt);
  const { rows, fraction, eta } = batch.progress;
  const { started_at: from, finished_at: until, failure } = batch;
  const begins = batch.start_eta && format.relative(batch.start_eta, toldAt);
  const facts = [
    rows.total === null
      ? isOpen(batch) && (sayWait(waiting, 'batches', batch.waits_for, batch.batches_before, begins) ?? w.countingRows)
      : w.ofRows(format.integer(rows.processed), format.integer(rows.total)),
    rate !== null && w.perSecond(format.integer(rate)),
    isOpen(batch) && eta && w.readyAt(format.relative(eta, toldAt)),
    from && until && format.duration(Date.parse(until) - Date.parse(from)),
  ].filter((fact) => typeof fact === 'string' && fact !== '');
  return (
    <Panel className="p-4">
      <div className="flex flex-wrap items-end gap-x-8 gap-y-2">
        <p>
          <span className="mr-1 font-semibold text-hero tracking-[-0.045em]">{format.integer(rows.succeeded)}</span>{' '}
          <span className="text-ink2">{w.scored}</span>
        </p>
        {rows.failed > 0 && (
          <p className="pb-1">
            <span className="font-semibold text-bad text-title">{format.integer(rows.failed)}</span>{' '}
            <span className="text-ink2">{w.leftOut.toLocaleLowerCase()}</span>
          </p>
        )}
        <p className="ml-auto pb-1.5 text-ink2" aria-live="polite">
          {facts.join(' · ')}
        </p>
      </div>
      {isOpen(batch) && (
        <div className="mt-3">
          <Progress label={w.progress} share={batch.status === 'queued' ? null : fraction} />
        </div>
      )}
      {failure && (
        <div className="mt-3">
          {failure.code === 'interrupted' ? (
            <p className="text-ink2">{w.partial}</p>
          ) : (
            <Refusal error={failure.detail} code={failure.code} />
          )}
        </div>
      )}
      {batch.files.length > 1 && (
        <ul aria-label={w.fileList} className="mt-4 divide-y divide-line border-line border-t">
          {batch.files.map((file) => (
            <FileLine key={file.file_id} file={file} isOpen={isOpen(batch)} />
          ))}
        </ul>
      )}
    </Panel>
  );
}

function FileLine({
  file: { path, rows, failure },
  isOpen: isBatchOpen,
}: {
  readonly file: Batch['files'][number];
  readonly isOpen: boolean;
}) {
  const w = useWords(batchWords);
  const format = useFormat();
  return (
    <li className="py-2">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <bdi className="min-w-0 flex-1 truncate" title={path}>
          {path}
        </bdi>
        <span className="text-ink2 text-meta">
          {rows.total !== null && w.ofRows(format.integer(rows.processed), format.integer(rows.total))}
          {rows.failed > 0 && (
            <span className="text-bad">
              {' · '}
              {format.integer(rows.failed)} {w.leftOut.toLocaleLowerCase()}
            </span>
          )}
        </span>
        {isBatchOpen && rows.total !== null && rows.processed < rows.total && (
          <span className="w-32">
            <Progress label={path} share={rows.total === 0 ? 1 : rows.processed / rows.total} />
          </span>
        )}
      </div>
      {failure && <p className="mt-0.5 break-words text-bad text-meta">{failure.detail}</p>}
    </li>
  );
}
