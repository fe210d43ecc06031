import { bandByName } from '../kit/bands.tsx';
import { common } from '../words/common.ts';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import { comparedWords } from './compared-words.ts';

/** A heat map as a table: how many rows went from which group to which, darker where more did. */
export function Migration({
  label,
  groups,
  counts,
}: {
  readonly label: string;
  /** Bands, classes, or spans of values. */
  readonly groups: readonly string[];
  /** By group before, and in it by group after. */
  readonly counts: readonly (readonly number[])[];
}) {
  const w = useWords(comparedWords);
  const format = useFormat();
  const sayGroup = useSayGroup();
  const most = Math.max(1, ...counts.flat());
  return (
    <div
      className="relative overflow-x-auto rounded-[8px] border border-line bg-panel"
      role="region"
      aria-label={label}
      tabIndex={0}
    >
      <table className="w-full border-collapse text-body" aria-label={label}>
        <thead>
          <tr className="h-8 text-ink3 text-meta">
            <th scope="col" className="px-3 text-left font-normal">
              {w.beforeGroup}
            </th>
            {groups.map((group) => (
              <th key={group} scope="col" className="px-3 text-right font-normal">
                {sayGroup(group)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {groups.map((group, from) => (
            <tr key={group} className="h-9 border-line border-t">
              <th scope="row" className="px-3 text-left font-normal text-ink2">
                {sayGroup(group)}
              </th>
              {groups.map((to, at) => (
                <td
                  key={to}
                  className="px-3 text-right"
                  style={{
                    backgroundColor: `color-mix(in srgb, var(--color-accent) ${Math.round((40 * counts[from][at]) / most)}%, transparent)`,
                  }}
                >
                  {format.integer(counts[from][at])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Says a band in the language of the page, and any other group as it is called. */
export function useSayGroup(): (group: string) => string {
  const { bands } = useWords(common);
  return (group) => {
    const band = bandByName(group);
    return band ? bands[band.key] : group;
  };
}
