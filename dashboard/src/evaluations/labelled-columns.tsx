import type { Schemas } from '@lastro/sdk';
import { labelFormat } from '../batches/check-rows.ts';
import type { Input } from '../batches/column-mapping.ts';
import { type CsvDialect, csvText } from '../kit/csv.ts';
import { CsvButton } from '../kit/csv-button.tsx';
import { saveAs } from '../kit/save-file.ts';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import { evaluationWords } from './words.ts';

type LabelledFile = Schemas['LabelledFile'];
type Column = Schemas['LabelledColumn'];

/** The columns of a labelled file of a version, what each is for, and an example to fill in. */
export function LabelledColumns({ file: { columns, newest_label: newest } }: { readonly file: LabelledFile }) {
  const w = useWords(evaluationWords);
  const format = useFormat();
  // Those of one kind of which there are many, as of horizons, are told together.
  const told = [...Map.groupBy(columns, ({ role, type, required }) => `${role} ${type} ${required}`).values()];
  return (
    <div className="mb-3 rounded-[8px] border border-line bg-panel px-3 py-2.5">
      <h3 className="mb-1.5 text-ink3 text-meta">{w.needs}</h3>
      <dl className="flex flex-col gap-1.5">
        {told.map((alike) => (
          <div key={alike[0].name} className="grid gap-x-3 sm:grid-cols-[minmax(0,13rem)_1fr]">
            <dt className="min-w-0 break-words">
              <code className="font-mono text-meta">{alike.map(({ name }) => name).join(', ')}</code>{' '}
              <span className="text-ink3 text-meta">{alike[0].required ? w.needed : w.optional}</span>
            </dt>
            <dd className="text-ink2">{meaningOf(alike, w)}</dd>
          </div>
        ))}
      </dl>
      {columns.some(({ role }) => role === 'input') && <p className="mt-1.5 text-ink2">{w.newRows}</p>}
      {newest !== null && <p className="mt-1.5 text-ink2">{w.countsAfter(format.day(newest))}</p>}
      <div className="mt-2">
        <CsvButton
          size="small"
          label={w.sample}
          onSave={(dialect) => saveAs(w.sampleFile, exampleOf(columns, dialect))}
        />
      </div>
    </div>
  );
}

function meaningOf([first, ...others]: readonly Column[], w: (typeof evaluationWords)['en']): string {
  if (first.role !== 'label') return w.roles[first.role];
  const types: Readonly<Record<string, string>> = w.labelTypes;
  const said = others.length > 0 ? w.labels : w.label(first.output ?? first.name);
  return [said, types[first.type], first.required ? '' : w.made].join(' ');
}

/** A head and a row of a file. */
function exampleOf(columns: readonly Column[], dialect: CsvDialect): string {
  const names = columns.map(({ name }) => name);
  return csvText(names, [columns.map(({ sample }) => sample)], dialect);
}

/** The columns as inputs, by whose rules the first rows of a file are checked. */
export const inputsOf = ({ columns }: LabelledFile): readonly Input[] =>
  columns.map(({ name, role, type, required, format, aliases }) => ({
    ...{ name, required, description: '', pii: false },
    type,
    ...(role === 'label' ? { format: labelFormat } : format === undefined ? {} : { format }),
    ...(aliases === undefined ? {} : { aliases }),
  }));
