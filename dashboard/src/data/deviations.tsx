import type { Schemas } from '@lastro/sdk';
import { useClient, useSession } from '../api/session.tsx';
import { useData } from '../api/use-data.ts';
import { Panel, Section } from '../kit/page.tsx';
import { Refusal, Skeleton } from '../kit/states.tsx';
import { Tag } from '../kit/status.tsx';
import { useFormat } from '../words/format.ts';
import { useLanguage } from '../words/language.ts';
import { useWords } from '../words/words.ts';
import { deviationNames } from './deviation-names.ts';
import { sayDeviation } from './deviation-words.ts';
import { ingestionWords } from './ingestion-words.ts';
import { MendFiles } from './mend-files.tsx';
import type { Ingestion } from './report.ts';
import { TakeApart } from './take-apart.tsx';

/** How refused files deviate from the contract, with the first rows of each fault. */
export function Deviations({ ingestion }: { readonly ingestion: Ingestion }) {
  const { id } = ingestion;
  const w = useWords(ingestionWords);
  const r = useWords(deviationNames);
  const format = useFormat();
  const client = useClient();
  const { can } = useSession();
  const isReadable = can('upload_files');
  const { data, error } = useData(
    ['ingestions', 'deviations', id],
    (signal) => client.ingestions.getDeviations(id, { signal }),
    { isOn: isReadable },
  );
  const files = data?.files.filter(({ deviations }) => deviations.length > 0) ?? [];
  if (data && files.length === 0) return null;
  return (
    <Section title={w.deviations} description={isReadable ? w.deviationsBody : w.deviationsHidden}>
      {error ? <Refusal error={error} /> : isReadable && !data && <Skeleton />}
      {data?.classification === 'data_error' && (
        <MendFiles ingestion={ingestion} atFault={new Set(files.map(({ file_id: file }) => file))} />
      )}
      {data?.classification === 'new_contract_version' && files.some(hasFaults) && (
        <p className="mb-3 text-ink2">{w.faultsToo}</p>
      )}
      <div className="flex flex-col gap-4">
        {files.map((file) => {
          const { file_id, path, table, rows, deviations } = file;
          return (
            <Panel key={file_id}>
              <div className="flex flex-wrap items-baseline gap-x-3 border-line border-b px-3 py-2">
                <h3 className="min-w-0 break-all font-medium">
                  <bdi>{path}</bdi>
                </h3>
                <span className="font-mono text-ink2 text-meta">{table}</span>
                <span className="ml-auto text-ink3 text-meta">{w.rowsConcerned(format.integer(rows), rows === 1)}</span>
              </div>
              <ul className="divide-y divide-line">
                {deviations.map(({ rule, column, count, message, samples, values }) => (
                  <li key={`${rule} ${column} ${message}`} className="px-3 py-2">
                    <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
                      {column && <code className="break-all font-mono text-meta">{column}</code>}
                      <Tag>{r[rule as keyof typeof r] ?? rule}</Tag>
                      <span className="ml-auto font-medium text-meta">
                        {count > 0 ? w.rowsConcerned(format.integer(count), count === 1) : w.wholeFile}
                      </span>
                    </div>
                    <Told rule={rule} values={values} message={message} />
                    {samples.length > 0 && <Samples samples={samples} />}
                  </li>
                ))}
              </ul>
              {data?.classification === 'data_error' && <TakeApart file={file} />}
            </Panel>
          );
        })}
      </div>
    </Section>
  );
}

/** Whether rows are at fault, whatever the contract says of columns. */
function hasFaults({ deviations }: Schemas['FileDeviations']): boolean {
  return deviations.some(({ kind }) => kind === 'data');
}

function Told({ rule, values, message }: Pick<Schemas['Deviation'], 'rule' | 'message' | 'values'>) {
  const language = useLanguage();
  const said = language === 'en' ? message : sayDeviation(rule, values);
  return (
    <p lang={said === null ? 'en' : undefined} className="mt-0.5 break-words">
      {said ?? message}
    </p>
  );
}

function Samples({
  samples,
}: {
  readonly samples: readonly { readonly row: number; readonly value: string | null }[];
}) {
  const w = useWords(ingestionWords);
  const format = useFormat();
  return (
    <table className="mt-1 text-meta">
      <thead className="sr-only">
        <tr>
          <th scope="col">{w.row}</th>
          <th scope="col">{w.value}</th>
        </tr>
      </thead>
      <tbody>
        {samples.map(({ row, value }) => (
          <tr key={`${row} ${value}`} className="align-top">
            <td className="whitespace-nowrap pr-3 text-ink3">
              {w.row} {format.integer(row)}
            </td>
            <td className="break-all font-mono">
              {value === null || value === '' ? <i className="text-ink3">{w.emptyValue}</i> : <bdi>{value}</bdi>}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
