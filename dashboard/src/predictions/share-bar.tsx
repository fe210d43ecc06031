/** A share of 0 to 1 as a bar with its number, within which bounds it lies as a whisker, and the usual one as a mark. */
export function ShareBar({
  label,
  share,
  said,
  from,
  until,
  usual,
  hint,
}: {
  readonly label: string;
  readonly share: number;
  readonly said: string;
  readonly from?: number | null;
  readonly until?: number | null;
  readonly usual?: { readonly share: number; readonly said: string } | undefined;
  /** What the share is of. */
  readonly hint?: string | undefined;
}) {
  const percent = (value: number) => `${100 * Math.min(1, Math.max(0, value))}%`;
  const isBounded = typeof from === 'number' && typeof until === 'number';
  return (
    <li
      className={`grid items-center gap-3 ${usual ? 'grid-cols-[minmax(64px,auto)_minmax(0,1fr)_96px]' : 'grid-cols-[minmax(72px,auto)_minmax(0,1fr)_72px]'}`}
    >
      <span className="min-w-0 max-w-48 truncate text-ink2" title={hint ?? label}>
        {label}
      </span>
      <span className="relative h-2.5 rounded-[2px] bg-sunken" aria-hidden="true">
        <span className="absolute inset-y-0 left-0 rounded-[2px] bg-line2" style={{ width: percent(share) }} />
        {usual && (
          <span className="absolute -inset-y-1 w-0.5 rounded-full bg-accent" style={{ left: percent(usual.share) }} />
        )}
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
      <span className="text-right font-medium">
        {said}
        {usual && <span className="block font-normal text-ink3 text-meta">{usual.said}</span>}
      </span>
    </li>
  );
}
