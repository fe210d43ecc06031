import type { Schemas } from '@lastro/sdk';
import { Button } from '../kit/button.tsx';
import { dayBefore, dayIn } from '../kit/day.ts';
import { useFormat } from '../words/format.ts';
import { useTimeZone } from '../words/time-zone.ts';
import { useWords } from '../words/words.ts';
import type { Outputs } from './answer-fields.ts';
import { answerWords } from './answer-words.ts';
import { isLittleKnown, isOfUnknown, warningsOf } from './known.ts';
import { Part } from './part.tsx';
import { sayValue } from './value-words.ts';

/** What a person must know before they go by the number of an answer. */
export function Warnings({
  outputs,
  onAsOf,
}: {
  readonly outputs: Outputs;
  /** Asks again as of a day; offered where the data are old. */
  onAsOf?: ((day: string) => void) | undefined;
}) {
  const w = useWords(answerWords);
  const format = useFormat();
  const age = useAge(outputs);
  const isUnknown = isOfUnknown(outputs);
  const said = {
    unknown_entity: isUnknown ? w.notThere : w.unknownEntity,
    unknown_value: w.unknownValue,
    wrong_check_digits: w.wrongCheckDigits,
    outside_population: w.outside,
    stale_data: () => w.stale(age?.newest ?? '', age?.said ?? ''),
    before_learned: (day: string) => w.beforeLearned(format.day(day)),
  };
  // The nearest day as of which there is nothing of it to say.
  const betterDay = (code: string, learnedFrom: string | undefined) =>
    code === 'before_learned' ? learnedFrom : code === 'stale_data' ? age?.day : undefined;
  const warnings = warningsOf(outputs);
  if (warnings.length === 0 && !isUnknown) return null;
  return (
    <div className="flex flex-col gap-1.5">
      {isUnknown && (
        <p role="note" className="rounded-[6px] border border-warn/40 bg-warn-soft px-3 py-2">
          <strong className="block font-semibold text-warn">{w.notAssessed}</strong>
          {w.notAssessedBody}
        </p>
      )}
      {warnings.map(({ code, input, condition, said: words, learned_from: learnedFrom }) => {
        const day = betterDay(code, learnedFrom);
        return (
          <p key={`${code} ${input}`} role="note" className="rounded-[6px] bg-warn-soft px-2.5 py-1.5 text-warn">
            {said[code](input ?? words?.[format.language] ?? condition ?? learnedFrom ?? '')}
            {day && onAsOf && (
              <Button size="small" onClick={() => onAsOf(day)} className="ml-2">
                {w.askAsOf(format.day(day))}
              </Button>
            )}
          </p>
        );
      })}
    </div>
  );
}

/** How many days the newest data lie before the moment asked about, and their day on the clocks of the page. */
function useAge({ data_age: days, as_of: asOf }: Outputs) {
  const format = useFormat();
  const timeZone = useTimeZone();
  if (typeof days !== 'number' || typeof asOf !== 'string') return null;
  const day = dayBefore(dayIn(timeZone, asOf), days);
  return { day, days, said: format.integer(days), newest: format.day(day) };
}

/** How much was known of a case: of its inputs, and how much history the model had to read. */
export function Knowledge({ outputs }: { readonly outputs: Outputs }) {
  const w = useWords(answerWords);
  const format = useFormat();
  const { data_coverage: coverage } = outputs;
  const age = useAge(outputs);
  const warnings = warningsOf(outputs);
  const unknown = Array.isArray(outputs.unknown) ? (outputs.unknown as readonly Schemas['Unknown'][]) : [];
  if (coverage !== 'full' && coverage !== 'partial' && coverage !== 'none') return null;
  // Of entities and values the warnings speak already.
  const told = unknown.filter(({ name }) => !warnings.some(({ input }) => input === name));
  if (coverage === 'none' && !age && told.length === 0) return null;
  return (
    <Part title={w.data}>
      {/* That nothing was known stands beside the number already. */}
      {coverage !== 'none' && <KnownFacts outputs={outputs} />}
      {age && !warnings.some(({ code }) => code === 'stale_data') && (
        <p className="text-ink2">{age.days === 0 ? w.ageNone : w.age(age.newest, age.said)}</p>
      )}
      {told.length > 0 && (
        <ul className="mt-1 list-disc pl-4 text-ink2">
          {told.slice(0, 8).map(({ kind, name, importance }) => (
            <li key={`${kind} ${name}`}>
              {(kind === 'history' ? w.unknownHistory : w.unknownInput)(name, format.percent(importance))}
            </li>
          ))}
        </ul>
      )}
    </Part>
  );
}

/**
 * Two things that are told apart by their names: whether the inputs were known, and the share of what the model reads
 * that has a value. All inputs may be known of somebody of whom there is hardly any history.
 */
export function KnownFacts({ outputs }: { readonly outputs: Outputs }) {
  const w = useWords(answerWords);
  const format = useFormat();
  const { data_coverage: coverage, data_coverage_share: share } = outputs;
  if (typeof coverage !== 'string') return null;
  const isLittle = typeof share === 'number' && isLittleKnown(share);
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-0.5">
      <dt className="text-ink2">{w.inputs}</dt>
      <dd className={coverage === 'full' ? '' : 'text-warn'}>{sayValue('data_coverage', coverage, format.language)}</dd>
      {typeof share === 'number' && (
        <>
          <dt className="text-ink2">{w.history}</dt>
          <dd className={isLittle ? 'text-warn' : ''}>{(isLittle ? w.little : w.enough)(format.percent(share))}</dd>
        </>
      )}
    </dl>
  );
}
