import type { Schemas } from '@lastro/sdk';
import { Download } from 'lucide-react';
import { useSession } from '../api/session.tsx';
import { useChange } from '../api/use-data.ts';
import { Button } from '../kit/button.tsx';
import { isTakeable, nameOfTaken } from '../uploads/take-rows.ts';
import { useTaking } from '../uploads/use-taking.ts';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import { ingestionWords } from './ingestion-words.ts';
import { takenNames } from './taken-names.ts';

type FileDeviations = Schemas['FileDeviations'];

/** Takes a refused file apart: into the rows at fault, to be corrected, and the others, which can be sent at once. */
export function TakeApart({ file }: { readonly file: FileDeviations }) {
  const w = useWords(ingestionWords);
  const format = useFormat();
  const { can } = useSession();
  const taking = useTaking();
  const rows = rowsAtFault(file);
  const take = useChange((areLeft: boolean) => {
    const name = nameOfTaken(file.path, takenNames[format.language][areLeft ? 'good' : 'bad']);
    return taking.take({ file, name, rows: rows!, areLeft });
  });
  if (rows === null || rows.size === file.rows || !isTakeable(file.path) || !can('download_files')) return null;
  const isBusy = (areLeft: boolean) => take.isPending && take.variables === areLeft;
  return (
    <div className="border-line border-t px-3 py-2.5">
      <p className="mb-2 max-w-3xl text-ink2">{w.takeApart}</p>
      <div className="flex flex-wrap items-center gap-2">
        <Button size="small" icon={<Download size={14} />} isBusy={isBusy(true)} onClick={() => take.mutate(true)}>
          {w.goodRows(format.integer(file.rows - rows.size))}
        </Button>
        <Button size="small" icon={<Download size={14} />} isBusy={isBusy(false)} onClick={() => take.mutate(false)}>
          {w.badRows(format.integer(rows.size), rows.size === 1)}
        </Button>
        {taking.said !== null && (
          <span role="status" className="text-ink2 text-meta">
            {taking.said}
          </span>
        )}
      </div>
    </div>
  );
}

/** The rows by which a file is refused; null where they are not all known, or more than rows is at fault. */
function rowsAtFault({ deviations }: FileDeviations): ReadonlySet<number> | null {
  const isTold = deviations.every(({ rows, count }) => rows !== undefined && rows.length === count);
  return isTold ? new Set(deviations.flatMap(({ rows }) => rows ?? [])) : null;
}
