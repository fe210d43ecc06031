import { useFormat } from '../words/format.ts';

/** Quantities beside each other, the largest first: a bar, the number and its share of all. */
export function Shares({ of }: { readonly of: readonly { readonly name: string; readonly quantity: number }[] }) {
  const format = useFormat();
  const sorted = of.toSorted((one, other) => other.quantity - one.quantity);
  const total = sorted.reduce((sum, { quantity }) => sum + quantity, 0);
  const most = sorted[0]?.quantity ?? 0;
  return (
    <ul className="divide-y divide-line rounded-[8px] border border-line bg-panel">
      {sorted.map(({ name, quantity }, at) => (
        <li
          key={`${name} ${at}`}
          className="grid grid-cols-[minmax(0,1fr)_auto_64px] items-center gap-x-4 gap-y-1 px-3 py-2 sm:grid-cols-[minmax(0,1fr)_40%_96px_64px]"
        >
          <bdi className="truncate">{name}</bdi>
          <span className="hidden h-2 rounded-[2px] bg-sunken sm:block" aria-hidden="true">
            <span
              className="block h-2 rounded-[2px] bg-accent"
              style={{ width: `${most === 0 ? 0 : (100 * quantity) / most}%` }}
            />
          </span>
          <span className="text-right font-semibold">{format.integer(quantity)}</span>
          <span className="text-right text-ink2 text-meta">{format.percent(total === 0 ? 0 : quantity / total)}</span>
        </li>
      ))}
    </ul>
  );
}
