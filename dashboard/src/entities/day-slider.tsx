import { useEffect, useId, useState } from 'react';
import { useSession } from '../api/session.tsx';
import { useDataZone } from '../data/data-zone.tsx';
import { dataZoneWords } from '../data/data-zone-words.ts';
import { Button } from '../kit/button.tsx';
import { dayIn } from '../kit/day.ts';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import { entityWords } from './words.ts';

const dayMs = 24 * 60 * 60_000;
/** Rest after which a moved slider counts as set. */
const restMs = 250;

const dayOf = (number: number): string => new Date(number * dayMs).toISOString().slice(0, 10);
const numberOf = (day: string): number => Math.floor(Date.parse(day) / dayMs);

/**
 * Chooses the day as of which something is shown, from the first day that matters to today, on the clock of the
 * workspace. No day is now.
 */
export function DaySlider({
  first,
  value,
  onValue,
}: {
  readonly first: string | null | undefined;
  readonly value: string | undefined;
  onValue(day: string | undefined): void;
}) {
  const w = useWords(entityWords);
  const format = useFormat();
  const z = useWords(dataZoneWords);
  const zone = useDataZone();
  const id = useId();
  const { workspace } = useSession();
  const [today] = useState(() => numberOf(dayIn(workspace?.time_zone ?? 'UTC', new Date().toISOString())));
  const from = Math.min(first ? numberOf(first) : today - 365, today - 1, value ? numberOf(value) : today);
  const [at, setAt] = useState(value ? numberOf(value) : today);
  useEffect(() => setAt(value ? numberOf(value) : today), [value, today]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: told once the slider rests
  useEffect(() => {
    const chosen = at >= today ? undefined : dayOf(at);
    if (chosen === value) return;
    const timer = setTimeout(() => onValue(chosen), restMs);
    return () => clearTimeout(timer);
  }, [at]);
  const said = at >= today ? w.now : format.day(dayOf(at));
  return (
    <div className="flex min-w-64 flex-1 flex-wrap items-center gap-x-3 gap-y-1">
      <label htmlFor={id} className="text-body text-ink2">
        {w.day}
      </label>
      <input
        id={id}
        type="range"
        min={from}
        max={today}
        step={1}
        value={Math.min(at, today)}
        aria-valuetext={said}
        onChange={(event) => setAt(Number(event.target.value))}
        className="h-6 min-w-32 flex-1 accent-ink"
      />
      <output htmlFor={id} className="w-28 text-body">
        {said}
      </output>
      {zone && <p className="basis-full text-ink2 text-meta">{z.note(zone, workspace?.time_zone ?? '')}</p>}
      {value && (
        <Button kind="quiet" size="small" onClick={() => onValue(undefined)}>
          {w.now}
        </Button>
      )}
    </div>
  );
}
