import { Link } from '@tanstack/react-router';
import { Download, Pencil } from 'lucide-react';
import { useState } from 'react';
import { useClient, useSession } from '../api/session.tsx';
import { useChange } from '../api/use-data.ts';
import { takenNames } from '../data/taken-names.ts';
import { Button, buttonClass } from '../kit/button.tsx';
import { Checkbox } from '../kit/field.tsx';
import { Section } from '../kit/page.tsx';
import { isTakeable, nameOfTaken } from '../uploads/take-rows.ts';
import { useTaking } from '../uploads/use-taking.ts';
import { uploadWords } from '../uploads/words.ts';
import { useFormat } from '../words/format.ts';
import { useWords, wordsNow } from '../words/words.ts';
import { type Batch, fileName } from './batch.ts';
import { isOfModel } from './body-like.ts';
import { CorrectionForm, type ToCorrect } from './correction-form.tsx';
import { correctionWords } from './correction-words.ts';
import { type Choice, mistypedRows, readFaults } from './failed-rows.ts';
import { searchLike } from './new-batch-search.ts';
import { leadingOf } from './original-rows.ts';
import { isEditable, readRows, type SourceRows } from './source-rows.ts';

/** Most rows that are corrected in the page; more of them are corrected in a file. */
const editedMax = 200;

/** Leads from rows with something to correct to a batch of them, corrected: in the page, or in a file. */
export function CorrectRows({ batch }: { readonly batch: Batch }) {
  const w = useWords(correctionWords);
  const u = useWords(uploadWords);
  const format = useFormat();
  const client = useClient();
  const { can } = useSession();
  const taking = useTaking();
  const failed = batch.progress.rows.failed;
  const mistyped = mistypedRows(batch);
  const [chosen, setChosen] = useState<Choice>({ failed: true, mistyped: true });
  const choice = { failed: chosen.failed && failed > 0, mistyped: chosen.mistyped && mistyped > 0 };
  const count = (choice.failed ? failed : 0) + (choice.mistyped ? mistyped : 0);
  const [open, setOpen] = useState<ToCorrect | null>(null);
  const [share, setShare] = useState<number | null>(null);
  const [isAgain, setAgain] = useState(false);
  const take = useChange(async (file: Batch['files'][number]) => {
    const faults = await readFaults(client, batch.id, choice);
    const rows = new Set(faults.get(file.file_id)?.keys());
    const name = nameOfTaken(file.path, wordsNow(takenNames).bad);
    await taking.take({ file, name, rows, leading: leadingOf(batch, file.path) });
  });
  const edit = useChange(async () => {
    try {
      setShare(0);
      const faults = await readFaults(client, batch.id, choice);
      const sources: SourceRows[] = [];
      for (const file of batch.files) {
        const wanted = faults.get(file.file_id);
        if (!wanted || !isEditable(file.path)) continue;
        sources.push(await readRows(client, file, new Set(wanted.keys()), setShare));
      }
      setOpen({ sources, faults });
    } finally {
      setShare(null);
    }
  });
  const isConcerned = ({ file_id, rows }: Batch['files'][number]): boolean =>
    (choice.failed && rows.failed > 0) ||
    (choice.mistyped && batch.warnings.some((one) => one.code === 'wrong_check_digits' && one.file_id === file_id));
  const files = batch.files.filter(isConcerned);
  const isOfferedHere = can('upload_files') && isOfModel(batch) && files.some(({ path }) => isEditable(path));
  const isFew = count > 0 && count <= editedMax;
  const choose = (change: Partial<Choice>) => {
    setChosen((before) => ({ ...before, ...change }));
    setOpen(null);
  };
  const said = taking.said ?? (share === null ? null : u.taking(format.percent(share)));
  const corrected = batch.corrected_by.reduce((sum, { rows }) => sum + rows.succeeded, 0);
  if (corrected >= failed + mistyped && !isAgain)
    return (
      <Section title={w.title} description={w.allCorrected}>
        <Button onClick={() => setAgain(true)}>{w.again}</Button>
      </Section>
    );
  return (
    <Section title={w.title} description={w.body}>
      {failed > 0 && mistyped > 0 && (
        <fieldset className="mb-3 flex flex-wrap gap-x-5 gap-y-1">
          <legend className="sr-only">{w.which}</legend>
          <Checkbox
            label={w.leftOut(format.integer(failed))}
            checked={chosen.failed}
            onChange={({ target }) => choose({ failed: target.checked })}
          />
          <Checkbox
            label={w.withMistyped(format.integer(mistyped))}
            checked={chosen.mistyped}
            onChange={({ target }) => choose({ mistyped: target.checked })}
          />
        </fieldset>
      )}
      <div className="flex flex-wrap items-center gap-2">
        {isOfferedHere && !open && (
          <Button
            kind="primary"
            icon={<Pencil size={14} />}
            isBusy={edit.isPending}
            blocked={!isFew && (count === 0 ? w.chooseRows : w.tooMany(format.integer(editedMax)))}
            onClick={() => edit.mutate(undefined)}
          >
            {w.here}
          </Button>
        )}
        {files.map((file) =>
          isTakeable(file.path) ? (
            <Button
              key={file.file_id}
              icon={<Download size={14} />}
              isBusy={take.isPending && take.variables?.file_id === file.file_id}
              onClick={() => take.mutate(file)}
              className="max-w-full"
            >
              <span className="min-w-0 truncate">{w.takeRows(fileName(file.path))}</span>
            </Button>
          ) : (
            <p key={file.file_id} className="text-ink2">
              {w.noFix(fileName(file.path))}
            </p>
          ),
        )}
        <Link to="/batches/new" search={searchLike(batch)} className={buttonClass()}>
          {w.sendFile}
        </Link>
        {said !== null && (
          <span role="status" className="text-ink2 text-meta">
            {said}
          </span>
        )}
      </div>
      {open && isOfModel(batch) && <CorrectionForm batch={batch} rows={open} onClose={() => setOpen(null)} />}
    </Section>
  );
}
