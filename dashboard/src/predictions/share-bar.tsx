/** A share of 0 to 1 as a bar with its number, and within which bounds it lies as a whisker. */
export function ShareBar({
  label,
  share,
  said,
  from,
  until,
}: {
  readonly label: string;
  readonly share: number;
  readonly said: string;
  readonly from?: number | null;
  readonly until?: number | null;
}) {
  const percent = (value: number) => `${100 * Math.min(1, Math.max(0, value))}%`;
  const isBounded = typeof from === 'number' && typeof until === 'number';
  return (
    <li className="grid grid-cols-[minmax(72px,auto)_minmax(0,1fr)_72px] items-center gap-3">
      <span className="min-w-0 max-w-48 truncate text-ink2" title={label}>
        {label}
      </span>
      <span className="relative h-2.5 rounded-[2px] bg-sunken" aria-hidden="true">
        <span className="absolute inset-y-0 left-0 rounded-[2px] bg-line2" style={{ width: percent(share) }} />
        {isBounded && (
          <span
            className="absolute top-1/2 h-px bg-ink"
            style={{ left: percent(from), width: percent(until - Math.max(0, from)) }}
          >
            <span className="absolute -top-[3px] left-0 h-[7px] w-px bg-ink" />
            <span className="absolute -top-[3px] right-0 h-[7px] w-px bg-ink" />
          </span>
        )}
      </span>
      <span className="text-right font-medium">{said}</span>
    </li>
  );
}
