import { useFormat } from '../words/format.ts';

export type Contribution = {
  readonly text: string;
  /** Above zero pushes the answer up, below zero down; what `isGood` means is the caller's. */
  readonly amount: number;
  readonly said?: string;
};

/** What moved an answer, as bars from a middle line: length is how much, side and colour which way. */
export function Contributions({
  of,
  upIs,
}: {
  readonly of: readonly Contribution[];
  readonly upIs: 'good' | 'bad' | 'neutral';
}) {
  const format = useFormat();
  const most = Math.max(...of.map(({ amount }) => Math.abs(amount)), Number.MIN_VALUE);
  const colorOf = (amount: number) =>
    upIs === 'neutral' ? 'var(--accent)' : amount > 0 === (upIs === 'good') ? 'var(--good)' : 'var(--bad)';
  return (
    <ul className="@container flex flex-col divide-y divide-line">
      {of.map(({ text, amount, said }) => (
        <li
          key={text}
          className="grid grid-cols-[minmax(0,1fr)_64px] items-center gap-x-3 gap-y-1 py-1.5 @sm:grid-cols-[minmax(0,1fr)_88px_64px]"
        >
          <span className="col-span-2 min-w-0 break-words text-body @sm:col-span-1">{text}</span>
          <span className="relative h-2 rounded-[2px] bg-sunken" aria-hidden="true">
            <span
              className="absolute top-0 h-2 rounded-[2px]"
              style={{
                background: colorOf(amount),
                width: `${(50 * Math.abs(amount)) / most}%`,
                ...(amount > 0 ? { left: '50%' } : { right: '50%' }),
              }}
            />
            <span className="absolute -top-0.5 left-1/2 h-3 w-px bg-line2" />
          </span>
          <span className="text-right text-ink2 text-meta">{said ?? format.signed(amount)}</span>
        </li>
      ))}
    </ul>
  );
}
