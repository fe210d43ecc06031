import { useFormat } from '../words/format.ts';
import { sayMetric } from './figures.ts';

/** A metric with its interval on a scale, and the best naive answer as a tick: is the one clear of the other? */
export function Whisker({
  value,
  interval,
  naive,
  scale: [low, high],
}: {
  readonly value: number;
  readonly interval: readonly [number, number] | null;
  readonly naive: number | null;
  readonly scale: readonly [number, number];
}) {
  const format = useFormat();
  const at = (of: number) => `${Math.min(100, Math.max(0, (100 * (of - low)) / (high - low || 1)))}%`;
  const width = (from: number, to: number) =>
    `${Math.max(0, Number.parseFloat(at(to)) - Number.parseFloat(at(from)))}%`;
  return (
    <span
      role="img"
      aria-label={`${sayMetric(value, format)}${interval ? ` (${interval.map((end) => sayMetric(end, format)).join(' – ')})` : ''}${naive === null ? '' : ` · ${sayMetric(naive, format)}`}`}
      className="relative block h-4 w-full min-w-24"
    >
      <span className="absolute inset-x-0 top-1/2 h-px bg-line" />
      {interval && (
        <span
          className="absolute top-[7px] h-[2px] bg-accent"
          style={{ left: at(interval[0]), width: width(...interval) }}
        />
      )}
      {naive !== null && <span className="absolute top-[3px] h-2.5 w-px bg-line2" style={{ left: at(naive) }} />}
      <span
        className="absolute top-[4px] size-2 -translate-x-1/2 rounded-full bg-accent ring-2 ring-panel"
        style={{ left: at(value) }}
      />
    </span>
  );
}

/** A scale that holds all of the values, with a little room. */
export function scaleOf(values: readonly (number | null | undefined)[]): readonly [number, number] {
  const known = values.filter((value) => typeof value === 'number');
  if (known.length === 0) return [0, 1];
  const low = Math.min(...known);
  const high = Math.max(...known);
  const room = (high - low || Math.abs(high) || 1) * 0.06;
  return [low - room, high + room];
}
