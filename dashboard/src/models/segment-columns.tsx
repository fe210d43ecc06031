import type { ReactNode } from 'react';
import { useContractTables } from '../data/use-contracts.ts';
import { Checkbox } from '../kit/field.tsx';
import { common } from '../words/common.ts';
import { useFormat } from '../words/format.ts';
import { useWords, words } from '../words/words.ts';
import type { Version } from './use-models.ts';

const segmentWords = words(
  {
    segments: 'Told apart by',
    segmentsHint: (most: string) =>
      `Each value of these columns is measured by itself, as it was known at the moment of each row. At most ${most}.`,
  },
  {
    segments: 'Separar por',
    segmentsHint: (most: string) =>
      `Cada valor destas colunas é medido por si, como era conhecido no momento de cada linha. No máximo ${most}.`,
  },
);

/** Columns that rows are told apart by, at most, as the service takes them. */
const segmentsMost = 5;

/** The columns of the table whose rows the version is asked about, to be told apart by. */
export function SegmentColumns({
  version,
  chosen,
  onChosen,
  error,
}: {
  readonly version: Version;
  readonly chosen: readonly string[];
  onChosen(columns: readonly string[]): void;
  readonly error: ReactNode;
}) {
  const w = useWords(segmentWords);
  const c = useWords(common);
  const format = useFormat();
  const columns = useSegmentColumns(version);
  if (columns.length === 0) return null;
  const isFull = chosen.length >= segmentsMost;
  return (
    <fieldset className="flex flex-col gap-1">
      <legend className="mb-1 font-medium">
        {w.segments}
        <span className="ml-1 font-normal text-ink3 text-meta">{c.optional}</span>
      </legend>
      <div className="grid max-h-44 grid-cols-1 gap-x-4 overflow-y-auto rounded-[6px] border border-line px-2.5 py-1.5 sm:grid-cols-2">
        {columns.map(({ name, businessName }) => (
          <Checkbox
            key={name}
            label={
              <span className="break-all">
                {name}
                {businessName && businessName !== name && <span className="text-ink3"> {businessName}</span>}
              </span>
            }
            checked={chosen.includes(name)}
            disabled={isFull && !chosen.includes(name)}
            onChange={({ target }) =>
              onChosen(target.checked ? [...chosen, name] : chosen.filter((one) => one !== name))
            }
          />
        ))}
      </div>
      <p className="text-ink3 text-meta">{w.segmentsHint(format.integer(segmentsMost))}</p>
      {error && (
        <p role="alert" className="text-bad text-meta">
          {error}
        </p>
      )}
    </fieldset>
  );
}

/** Those by the active contract, without what tells who or what a row is about. */
function useSegmentColumns(version: Version) {
  const tables = useContractTables() ?? [];
  const entity = version.inputs.find(({ source }) => source !== undefined)?.source?.table;
  const columns = tables.find(({ name }) => name === entity)?.columns ?? [];
  return columns.filter(
    ({ isKey, isPersonal, isPlanned, references }) => !isKey && !isPersonal && !isPlanned && references.length === 0,
  );
}
