import { type Days, DaysBetween } from './days-between.tsx';

/** The first and the last day of something, each optional, with what is wrong with them or a hint. */
export function DaysField({
  label,
  days,
  onDays,
  hint,
  mistake,
}: {
  readonly label: string;
  readonly days: Days;
  onDays(days: Days): void;
  readonly hint: string;
  readonly mistake: string | undefined;
}) {
  return (
    <fieldset className="flex flex-col gap-1">
      <legend className="mb-1 font-medium">{label}</legend>
      <div className="flex flex-wrap gap-2">
        <DaysBetween {...days} onChange={(change) => onDays({ ...days, ...change })} />
      </div>
      <p role={mistake && 'alert'} className={`text-meta ${mistake ? 'text-bad' : 'text-ink3'}`}>
        {mistake ?? hint}
      </p>
    </fieldset>
  );
}
