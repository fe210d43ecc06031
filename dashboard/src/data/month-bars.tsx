import { useFormat } from '../words/format.ts';

const shownMonths = 36;

/** How many rows each of the last months has, as small bars. */
export function MonthBars({
  months,
}: {
  readonly months: readonly { readonly month: string; readonly rows: number }[];
}) {
  const format = useFormat();
  const shown = months.slice(-shownMonths);
  const most = Math.max(...shown.map(({ rows }) => rows), 1);
  const [first, last] = [shown[0], shown.at(-1)!];
  const said = `${format.month(`${first.month}-01`)}: ${format.integer(first.rows)}, ${format.month(`${last.month}-01`)}: ${format.integer(last.rows)}`;
  return (
    <svg
      viewBox={`0 0 ${shown.length * 3} 18`}
      preserveAspectRatio="none"
      className="h-[18px] w-full"
      role="img"
      aria-label={said}
    >
      {shown.map(({ month, rows }, at) => {
        const height = Math.max(0.5, (18 * rows) / most);
        return <rect key={month} x={at * 3} y={18 - height} width={2} height={height} fill="var(--ink3)" />;
      })}
    </svg>
  );
}
