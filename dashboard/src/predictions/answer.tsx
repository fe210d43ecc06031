import { Band, ScoreStrip } from '../kit/bands.tsx';
import { sayField } from '../models/field-words.ts';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import {
  boundsOf,
  classesOf,
  horizonsOf,
  isProbability,
  type OutputField,
  type Outputs,
  othersOf,
  sayOutput,
} from './answer-fields.ts';
import { answerWords } from './answer-words.ts';
import { Factors } from './factors.tsx';
import { headlineField, headlineOf } from './headline.ts';
import { Knowledge, Warnings } from './knowledge.tsx';
import { NetworkFlags } from './network-flags.tsx';
import { Part } from './part.tsx';
import { ShareBar } from './share-bar.tsx';

/** An answer of any kind of model, from its one number down to what was known. */
export function Answer({
  outputs,
  declared = [],
  kind,
}: {
  readonly outputs: Outputs;
  /** The outputs of the version, which say what is a probability and in which unit it is. */
  readonly declared?: readonly OutputField[];
  readonly kind?: string;
}) {
  const w = useWords(answerWords);
  const format = useFormat();
  const fieldOf = (name: string) => declared.find((field) => field.name === name);
  const describe = (name: string) => {
    const description = fieldOf(name)?.description;
    return description && sayField(description, format.language);
  };
  const horizons = horizonsOf(outputs);
  const classes = classesOf(outputs);
  const others = othersOf(outputs, headlineField(outputs));
  const isOfShares = horizons.every(
    ({ field, value }) => isProbability(field, fieldOf(field)) || (kind === 'binary' && value <= 1),
  );
  const most = Math.max(...horizons.map(({ value, bounds }) => Math.max(value, bounds?.upper ?? 0)), Number.MIN_VALUE);
  return (
    <div className="flex flex-col gap-5">
      <Headline outputs={outputs} declared={declared} kind={kind} />
      <Warnings outputs={outputs} />
      {horizons.length > 1 && (
        <Part title={w.horizons}>
          <ul className="flex flex-col gap-1.5">
            {horizons.map(({ field, days, value, bounds }) => (
              <ShareBar
                key={field}
                label={w.days(format.integer(days))}
                share={value / (isOfShares ? 1 : most)}
                said={isOfShares ? format.percent(value) : sayOutput(field, value, fieldOf(field), format)}
                from={bounds && bounds.lower / (isOfShares ? 1 : most)}
                until={bounds && bounds.upper / (isOfShares ? 1 : most)}
              />
            ))}
          </ul>
        </Part>
      )}
      {classes.length > 0 && (
        <Part title={w.classes}>
          <ul className="flex flex-col gap-1.5">
            {classes.map(({ name, value }) => (
              <ShareBar key={name} label={name} share={value} said={format.percent(value)} />
            ))}
          </ul>
        </Part>
      )}
      {others.length > 0 && (
        <Part title={w.outputs}>
          <dl className="divide-y divide-line">
            {others.map(([field, value]) => (
              <div key={field} className="flex items-baseline justify-between gap-4 py-1.5">
                <dt className="min-w-0 break-words text-ink2" title={describe(field)}>
                  {field}
                </dt>
                <dd className="min-w-0 break-words text-right font-medium">
                  {sayOutput(field, value, fieldOf(field), format)}
                </dd>
              </div>
            ))}
          </dl>
        </Part>
      )}
      <NetworkFlags of={outputs.network_flags} />
      <Factors outputs={outputs} declared={declared} />
      <Knowledge outputs={outputs} />
    </div>
  );
}

/** The one number or word of an answer, its band, and how sure it is. */
function Headline({
  outputs,
  declared = [],
  kind,
}: {
  readonly outputs: Outputs;
  readonly declared?: readonly OutputField[];
  readonly kind?: string;
}) {
  const w = useWords(answerWords);
  const format = useFormat();
  const field = headlineField(outputs);
  const output = declared.find(({ name }) => name === field);
  const { score, risk_band: band } = outputs;
  const bounds = field === undefined ? null : boundsOf(outputs, field);
  const say = (value: number) => headlineOf({ [field!]: value }, format, { kind, declared: output });
  const isShare =
    field !== undefined && (field === 'score' || isProbability(field, output) || (!output && kind === 'binary'));
  return (
    <div>
      <p className="flex flex-wrap items-baseline gap-x-4">
        <span className="min-w-0 break-words font-semibold text-hero tracking-[-0.045em]">
          {headlineOf(outputs, format, { kind, declared: output })}
        </span>
        {typeof band === 'string' && (
          <span className="text-section">
            <Band name={band} />
          </span>
        )}
      </p>
      <p className="mb-3 text-ink3 text-meta">
        {output && field !== 'score' ? (
          <bdi>{sayField(output.description, format.language)}</bdi>
        ) : field === 'score' ? (
          w.score
        ) : (
          field
        )}
        {bounds && (
          <span className="block">
            {w.interval(say(bounds.lower), say(bounds.upper))}, {isShare ? w.intervalMeans : w.intervalOfNumber}
          </span>
        )}
      </p>
      {typeof score === 'number' && (
        <>
          {bounds && (
            <div className="relative mb-1 h-1.5" aria-hidden="true">
              <span
                className="absolute inset-y-0 border-ink3 border-x border-t"
                style={{ left: `${bounds.lower / 10}%`, right: `${100 - bounds.upper / 10}%` }}
              />
            </div>
          )}
          <ScoreStrip score={score} />
        </>
      )}
    </div>
  );
}
