import { Contributions } from '../kit/factors.tsx';
import { sayMonths } from '../models/figures.ts';
import { common } from '../words/common.ts';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import { addUp } from './add-up.ts';
import { directionOf, explainedOf, explanationOf, type OutputField, type Outputs, sayOutput } from './answer-fields.ts';
import { answerWords } from './answer-words.ts';
import { factorsOf } from './headline.ts';
import { isOfUnknown } from './known.ts';
import { Part } from './part.tsx';
import { ReasonsLanguage } from './reasons-language.tsx';
import type { About } from './use-about.ts';

/** What moved an answer: as bars where its numbers were asked for, otherwise as sentences. */
export function Factors({
  outputs,
  declared = [],
  about,
}: {
  readonly outputs: Outputs;
  readonly declared?: readonly OutputField[];
  readonly about: About;
}) {
  const w = useWords(answerWords);
  const { ofMonths } = useWords(common);
  const format = useFormat();
  // Contributions come in the order of the model's margin, and are shown in the unit of the answer.
  const measured = explanationOf(outputs).toSorted((one, other) => Math.abs(other.effect) - Math.abs(one.effect));
  const explained = explainedOf(outputs);
  const told = factorsOf(outputs);
  // That something has no value says nothing for or against somebody of whom nothing has one.
  if (isOfUnknown(outputs))
    return (
      <Part title={w.factors}>
        <p className="text-ink2">{w.noReasons}</p>
      </Part>
    );
  if (measured.length === 0 && told.length === 0)
    return outputs.key_factors || outputs.risk_factors ? (
      <Part title={w.factors}>
        <p className="text-ink2">{w.noFactors}</p>
      </Part>
    ) : null;
  if (measured.length === 0)
    return (
      <Part title={w.factors}>
        <ul className="flex flex-col divide-y divide-line">
          {told.map((factor) => (
            <li key={factor} className="break-words py-1.5">
              {factor}
            </li>
          ))}
        </ul>
        <ReasonsLanguage of={outputs} />
      </Part>
    );
  const learned = explained && about.learned.get(explained.field);
  const cases = learned
    ? w.learnedCases(format.integer(learned.rows), sayMonths(learned.days, format, ofMonths))
    : w.casesLearned;
  const field = declared.find(({ name }) => name === explained?.field);
  // Its numbers are in its unit: those of a probability in percentage points.
  const isShare = explained?.unit === 'percentage_points';
  const say = (value: number) =>
    isShare ? format.percent(value / 100) : sayOutput(explained?.field ?? '', value, field, format);
  const signed = (value: number) => saidEffect(value, explained?.unit ?? null, format.signed);
  const answered = explained && outputs[explained.field];
  const inUnit = typeof answered === 'number' ? (isShare ? 100 : 1) * answered : null;
  const parts = explained && {
    ...{ usual: explained.usual, others: explained.others, answer: inUnit ?? explained.answer },
    reasons: measured.reduce((sum, { effect }) => sum + effect, 0),
  };
  // Percents have two digits below ten; amounts are written with as many as they need.
  const digits = field?.type === 'integer' ? 0 : isShare ? (parts && parts.answer < 10 ? 2 : 1) : null;
  const sum = parts && (digits === null ? parts : addUp(parts, digits));
  return (
    <Part title={w.factors}>
      <Contributions
        upIs={directionOf(explained?.field)}
        of={measured.map(({ text, effect, effect_unit: unit }) => ({
          text,
          amount: effect,
          said: saidEffect(effect, unit, format.signed),
        }))}
      />
      <p className="mt-1 text-ink3 text-meta">{w.sides[directionOf(explained?.field)]}</p>
      {sum && (
        <>
          <Sum
            of={[
              [w.averageCase, say(sum.usual)],
              [w.reasonsAbove, signed(sum.reasons)],
              [w.others, signed(sum.others)],
              [w.thisCase, say(sum.answer)],
            ]}
          />
          <p className="mt-1.5 text-ink3 text-meta">
            {w.averageCaseIs(cases)} {about.usual.size > 0 && w.notUsual}
          </p>
        </>
      )}
      <ReasonsLanguage of={outputs} />
    </Part>
  );
}

/** How an answer adds up: what is no reason of its own stands apart from the reasons. */
function Sum({ of }: { readonly of: readonly (readonly [label: string, said: string])[] }) {
  return (
    <dl className="mt-3 rounded-[6px] bg-sunken px-3 py-1.5 text-meta">
      {of.map(([label, said], at) => (
        <div
          key={label}
          className={`flex items-baseline justify-between gap-4 py-0.5 ${at === of.length - 1 ? 'mt-0.5 border-line border-t pt-1 font-medium text-ink' : 'text-ink2'}`}
        >
          <dt className="min-w-0 break-words">{label}</dt>
          <dd className="whitespace-nowrap">{said}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Effects on probabilities are in percentage points, on scores in points. */
function saidEffect(effect: number, unit: string | null, signed: (value: number) => string): string {
  return unit === 'percentage_points' ? `${signed(Math.round(100 * effect) / 100)} pp` : signed(effect);
}
