import type { ReactNode } from 'react';
import { Section } from '../kit/page.tsx';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import type { Batch } from './batch.ts';
import { isOriginalColumn } from './original-rows.ts';
import { batchWarningWords } from './warning-list-words.ts';
import { type BatchWarning, sayBatchWarning } from './warning-words.ts';

/** What a batch is warned of, and apart from that what is merely to be known of its files. */
export function BatchWarnings({ batch }: { readonly batch: Batch }) {
  const w = useWords(batchWarningWords);
  const isKept = batch.include.includes('input_columns');
  const notes = batch.warnings.filter((one) => isNote(one, isKept));
  const warnings = batch.warnings.filter((one) => !isNote(one, isKept));
  return (
    <>
      {warnings.length > 0 && (
        <Section title={w.warnings}>
          <Told of={warnings} className="border-warn/30 bg-warn-soft">
            {(warning) => <SaidByService warning={warning} />}
          </Told>
        </Section>
      )}
      {notes.some((note) => !isOwnAlone(note)) && (
        <Section title={w.notes}>
          <Told of={notes.filter((note) => !isOwnAlone(note))} className="border-line bg-panel">
            {(note) =>
              note.code === 'unknown_columns' ? (
                w.kept(note.path, ownColumns(note).join(', '))
              ) : (
                <SaidByService warning={note} />
              )
            }
          </Told>
        </Section>
      )}
    </>
  );
}

/** What was asked for, or is read as it is meant, is no fault: columns that the result keeps, and a form of days. */
const isNote = ({ code, values }: BatchWarning, isKept: boolean): boolean =>
  (code === 'unknown_columns' && isKept) || (code === 'day_form' && values?.guessed !== true);

/** The columns that nobody reads, but for those that the page itself has put into a file of corrected rows. */
const ownColumns = ({ values }: BatchWarning): readonly string[] =>
  Array.isArray(values?.columns) ? values.columns.filter((column: string) => !isOriginalColumn(column)) : [];

const isOwnAlone = (note: BatchWarning): boolean => note.code === 'unknown_columns' && ownColumns(note).length === 0;

function Told({
  of,
  className,
  children,
}: {
  readonly of: readonly BatchWarning[];
  readonly className: string;
  children(warning: BatchWarning): ReactNode;
}) {
  return (
    <ul className={`divide-y divide-line rounded-[6px] border px-3 ${className}`}>
      {of.map((warning) => (
        <li
          key={`${warning.file_id} ${warning.code} ${warning.message}`}
          className="break-words py-1.5 text-body text-ink"
        >
          {children(warning)}
        </li>
      ))}
    </ul>
  );
}

/** In the language of the page, or as the service says it where it alone can. */
function SaidByService({ warning }: { readonly warning: BatchWarning }) {
  const w = useWords(batchWarningWords);
  const format = useFormat();
  const { message, first_rows: rows = [], values } = warning;
  const said = format.language === 'en' ? message : sayBatchWarning(warning, format);
  return (
    <>
      <span lang={said === null ? 'en' : undefined}>{said ?? message}</span>
      {rows.length > 0 && (
        <span className="block text-ink2 text-meta">
          {w.firstRows(format.list(rows.map((row) => format.integer(row))), rows.length === values?.rows, rows.length)}
        </span>
      )}
    </>
  );
}
