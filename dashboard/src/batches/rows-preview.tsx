import { textOf } from '../kit/text-of.ts';

/** A few rows as a plain table, whatever their columns: wide ones scroll, long values are cut off and shown on hover. */
export function RowsPreview({
  label,
  columns,
  rows,
}: {
  readonly label: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
}) {
  return (
    <div
      role="region"
      aria-label={label}
      tabIndex={0}
      className="max-h-96 overflow-auto rounded-[8px] border border-line bg-panel"
    >
      <table className="min-w-full border-collapse text-meta">
        <thead className="sticky top-0 bg-panel">
          <tr className="border-line border-b">
            {columns.map((column, at) => (
              <th key={at} scope="col" className="h-8 whitespace-nowrap px-3 text-left font-normal text-ink3">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {rows.map((row, at) => (
            <tr key={at}>
              {columns.map((_, index) => {
                const text = textOf(row[index]);
                return (
                  <td key={index} className="h-8 max-w-64 truncate px-3 font-mono" title={text}>
                    {text}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
