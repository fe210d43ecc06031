import type { Schemas } from '@lastro/sdk';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import type { Outputs } from './answer-fields.ts';
import { answerWords } from './answer-words.ts';
import { Part } from './part.tsx';

/** How much was known of a case, in sentences. */
export function Knowledge({ outputs }: { readonly outputs: Outputs }) {
  const w = useWords(answerWords);
  const format = useFormat();
  const { data_coverage: coverage, data_coverage_share: share, data_age: age } = outputs;
  const warnings = Array.isArray(outputs.warnings) ? (outputs.warnings as readonly Schemas['PredictionWarning'][]) : [];
  const unknown = Array.isArray(outputs.unknown) ? (outputs.unknown as readonly Schemas['Unknown'][]) : [];
  if (coverage !== 'full' && coverage !== 'partial' && coverage !== 'none') return null;
  const said = {
    unknown_entity: w.unknownEntity,
    unknown_value: w.unknownValue,
    outside_population: w.outside,
    stale_data: () => w.stale(format.integer(typeof age === 'number' ? age : 0)),
  };
  // Of entities and values the warnings speak already.
  const told = unknown.filter(({ name }) => !warnings.some(({ input }) => input === name));
  return (
    <Part title={w.data}>
      {warnings.map(({ code, input, condition }) => (
        <p key={`${code} ${input}`} role="note" className="mb-1.5 rounded-[6px] bg-warn-soft px-2.5 py-1.5 text-warn">
          {said[code](input ?? condition ?? '')}
        </p>
      ))}
      <p className={coverage === 'none' ? 'text-warn' : 'text-ink2'}>
        {coverage === 'none' ? w.none : w[coverage](format.percent(typeof share === 'number' ? share : 0))}
      </p>
      {typeof age === 'number' && !warnings.some(({ code }) => code === 'stale_data') && (
        <p className="text-ink2">{age === 0 ? w.ageNone : age === 1 ? w.ageOne : w.age(format.integer(age))}</p>
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
