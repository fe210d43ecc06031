import { TriangleAlert } from 'lucide-react';
import { Band, bandOfScore, ScoreStrip } from '../kit/bands.tsx';
import { doubtWords } from '../models/doubt-words.ts';
import { sayField } from '../models/field-words.ts';
import { type Days, sayMonths } from '../models/figures.ts';
import { common } from '../words/common.ts';
import { type Format, useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import {
  boundsOf,
  classesOf,
  type Horizon,
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
import { isOfUnknown } from './known.ts';
import { bracketMark, Legend, tickMark, usualMark, whiskerMark } from './legend.tsx';
import { NetworkFlags } from './network-flags.tsx';
import { Part } from './part.tsx';
import { ShareBar } from './share-bar.tsx';
import type { About, Usual } from './use-about.ts';

/** An answer of any kind of model, from its one number down to what was known. */
export function Answer({
  outputs,
  declared = [],
  kind,
  about,
  onAsOf,
}: {
  readonly outputs: Outputs;
  /** The outputs of the version, which say what is a probability and in which unit it is. */
  readonly declared?: readonly OutputField[];
  readonly kind?: string;
  readonly about: About;
  onAsOf?(day: string): void;
}) {
  const w = useWords(answerWords);
  const format = useFormat();
  const fieldOf = (name: string) => declared.find((field) => field.name === name);
  const describe = (name: string) => {
    const description = fieldOf(name)?.description;
    return about.meanings.get(name) ?? (description && sayField(description, format.language));
  };
  const usualBeside = (name: string) => {
    const usual = about.usual.get(name);
    return usual && { share: usual.share, said: w.usualRate(format.percent(usual.share)) };
  };
  const isUnknown = isOfUnknown(outputs);
  const horizons = horizonsOf(outputs);
  const classes = classesOf(outputs);
  const others = othersOf(outputs, headlineField(outputs));
  const isOfShares = horizons.every(
    ({ field, value }) => isProbability(field, fieldOf(field)) || (kind === 'binary' && value <= 1),
  );
  const most = Math.max(...horizons.map(({ value, bounds }) => Math.max(value, bounds?.upper ?? 0)), Number.MIN_VALUE);
  return (
    <div className="flex flex-col gap-5">
      {/* Who reads the number must have read first that it judges nobody. */}
      {isUnknown && <Warnings outputs={outputs} onAsOf={onAsOf} />}
      <Headline outputs={outputs} declared={declared} kind={kind} about={about} />
      {!isUnknown && <Warnings outputs={outputs} onAsOf={onAsOf} />}
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
                usual={isOfShares ? usualBeside(field) : undefined}
                hint={describe(field)}
              />
            ))}
          </ul>
          <Legend
            of={[
              ...(horizons.some(({ bounds }) => bounds)
                ? [[whiskerMark, isOfShares ? w.intervalMeans : w.intervalOfNumber] as const]
                : []),
              ...(isOfShares && horizons.some(({ field }) => about.usual.has(field))
                ? [[usualMark, w.usual] as const]
                : []),
            ]}
          />
          <Shared of={horizons} />
          <Doubted
            about={about}
            of={horizons.map(({ field, days }) => [field, w.days(format.integer(days))] as const)}
          />
          <Tested
            about={about}
            fields={horizons.map(({ field }) => field)}
            meaning={headlineField(outputs) === 'score' ? about.meanings.get(horizons[0].field) : undefined}
          />
        </Part>
      )}
      {classes.length > 0 && (
        <Part title={w.classes}>
          <ul className="flex flex-col gap-1.5">
            {classes.map(({ name, value }) => (
              <ShareBar
                key={name}
                label={name}
                share={value}
                said={format.percent(value)}
                usual={usualBeside(`probability_${name}`)}
              />
            ))}
          </ul>
          {classes.some(({ name }) => about.usual.has(`probability_${name}`)) && <Legend of={[[usualMark, w.usual]]} />}
          <Tested about={about} fields={classes.map(({ name }) => `probability_${name}`)} />
        </Part>
      )}
      {others.length > 0 && (
        <Part title={w.outputs}>
          <dl className="divide-y divide-line">
            {others.map(([field, value]) => (
              <div key={field} className="flex items-baseline justify-between gap-4 py-1.5">
                <dt className="min-w-0 break-words text-ink2">
                  {field}
                  {describe(field) && <span className="block text-ink3 text-meta">{describe(field)}</span>}
                </dt>
                <dd className="min-w-0 break-words text-right font-medium">
                  {sayOutput(field, value, fieldOf(field), format)}
                  {usualBeside(field) && (
                    <span className="block font-normal text-ink3 text-meta">{usualBeside(field)?.said}</span>
                  )}
                </dd>
              </div>
            ))}
          </dl>
        </Part>
      )}
      <NetworkFlags of={outputs.network_flags} />
      <Factors outputs={outputs} declared={declared} about={about} />
      <Knowledge outputs={outputs} />
    </div>
  );
}

/** The least and the greatest probability that a model says. */
const [probabilityMin, probabilityMax] = [0.0001, 0.9999];

/** Why neighbouring times ahead have one number. */
function Shared({ of: horizons }: { readonly of: readonly Horizon[] }) {
  const w = useWords(answerWords);
  const format = useFormat();
  const probabilities = horizons.filter(({ field }) => isProbability(field, undefined));
  const groups = [...Map.groupBy(probabilities, ({ value }) => value)].filter(([, same]) => same.length > 1);
  return groups.map(([value, same]) => {
    const days = format.list(same.map((one) => format.integer(one.days)));
    const isBound = value === probabilityMin || value === probabilityMax;
    return (
      <p key={value} className="mt-1.5 text-ink2 text-meta">
        {isBound ? w.boundHorizons(days, format.percent(value)) : w.sharedHorizons(days)}
      </p>
    );
  });
}

/** What was found of numbers on later rows, right below them. `of`: the fields and how they are called here. */
function Doubted({
  about,
  of,
}: {
  readonly about: About;
  readonly of: readonly (readonly [field: string, label: string])[];
}) {
  const d = useWords(doubtWords);
  const format = useFormat();
  const byCode = new Map<string, string[]>();
  for (const [field, label] of of)
    for (const code of about.doubts.get(field) ?? []) byCode.set(code, [...(byCode.get(code) ?? []), label]);
  return [...byCode].map(([code, labels]) => (
    <p key={code} role="note" className="mt-1.5 flex gap-1.5 text-meta text-warn">
      <TriangleAlert size={13} className="mt-px shrink-0" aria-hidden="true" />
      <span>
        {labels.some((label) => label !== '') && `${format.list(labels)}: `}
        {d.doubts[code as keyof typeof d.doubts] ?? code}
      </span>
    </p>
  ));
}

/** What usual rates are rates of, and what the horizons are about. */
function Tested({
  about,
  fields,
  meaning,
}: {
  readonly about: About;
  readonly fields: readonly string[];
  readonly meaning?: string | undefined;
}) {
  const w = useWords(answerWords);
  const { ofMonths } = useWords(common);
  const format = useFormat();
  const usual = fields.flatMap((field) => about.usual.get(field) ?? []);
  if (usual.length === 0 && meaning === undefined) return null;
  return (
    <p className="mt-1.5 text-ink3 text-meta">
      {meaning !== undefined && <bdi className="block">{w.firstMeans(meaning)}</bdi>}
      {usual.length > 0 && w.usualMeans(sayRows(usual, format), sayMonths(spanOf(usual), format, ofMonths))}
    </p>
  );
}

/** How many rows were tested: outputs that look further ahead have fewer. */
function sayRows(usual: readonly Usual[], format: Format): string {
  const rows = usual.map((one) => one.rows);
  const [least, most] = [Math.min(...rows), Math.max(...rows)].map(format.integer);
  return least === most ? most : `${least}–${most}`;
}

/** From the first day of any of them to the last: null where one does not say. */
function spanOf(usual: readonly Usual[]): Days | null {
  const days = usual.flatMap((one) => one.days ?? []);
  if (days.length < usual.length || days.length === 0) return null;
  const ends = [...days.map(({ from }) => from), ...days.map(({ to }) => to)].sort();
  return { from: ends[0], to: ends.at(-1)! };
}

/** The one number or word of an answer, its band, and how sure it is. */
function Headline({
  outputs,
  declared = [],
  kind,
  about,
}: {
  readonly outputs: Outputs;
  readonly declared?: readonly OutputField[];
  readonly kind?: string;
  readonly about: About;
}) {
  const w = useWords(answerWords);
  const c = useWords(common);
  const format = useFormat();
  const field = headlineField(outputs);
  const output = declared.find(({ name }) => name === field);
  const { score, risk_band: band } = outputs;
  const isUnknown = isOfUnknown(outputs);
  const meaning = field === undefined ? undefined : about.meanings.get(field);
  const usual = field === undefined ? undefined : about.usual.get(field);
  const bounds = field === undefined ? null : boundsOf(outputs, field);
  const say = (value: number) => headlineOf({ [field!]: value }, format, { kind, declared: output });
  const isShare =
    field !== undefined && (field === 'score' || isProbability(field, output) || (!output && kind === 'binary'));
  return (
    <div>
      <p className="flex flex-wrap items-baseline gap-x-4">
        <span
          className={`min-w-0 break-words font-semibold text-hero tracking-[-0.045em] ${isUnknown ? 'text-ink3' : ''}`}
        >
          {headlineOf(outputs, format, { kind, declared: output })}
        </span>
        {isUnknown && (
          <span className="rounded-[4px] bg-warn-soft px-2 py-0.5 font-medium text-section text-warn">
            {w.nothingKnown}
          </span>
        )}
        {typeof band === 'string' && (
          <span className={`text-section ${isUnknown ? 'text-ink3' : ''}`}>
            <Band name={band} />
          </span>
        )}
        {usual && <span className="text-ink2 text-section">{w.usualRate(format.percent(usual.share))}</span>}
      </p>
      <p className="mb-3 text-ink3 text-meta">
        {field === 'score' ? (
          meaning ? (
            `${w.score}, ${meaning}`
          ) : (
            w.score
          )
        ) : meaning ? (
          <bdi className="block text-body text-ink2 first-letter:uppercase">{meaning}</bdi>
        ) : output ? (
          <bdi>{sayField(output.description, format.language)}</bdi>
        ) : (
          field
        )}
        {bounds && (
          <span className="block">
            {isUnknown
              ? w.intervalOfUnknown(say(bounds.lower), say(bounds.upper))
              : `${w.interval(say(bounds.lower), say(bounds.upper))}, ${field === 'score' ? w.intervalOfScore : isShare ? w.intervalMeans : w.intervalOfNumber}`}
          </span>
        )}
      </p>
      {field !== undefined && (horizonsOf(outputs).length < 2 || field === 'score') && (
        <>
          <Tested about={about} fields={[field]} />
          <Doubted about={about} of={[[field, '']]} />
        </>
      )}
      {typeof score === 'number' && (
        <>
          {bounds && (
            <div className="relative mt-2 mb-1 h-1.5" aria-hidden="true">
              <span
                className="absolute inset-y-0 border-ink3 border-x border-t"
                style={{ left: `${bounds.lower / 10}%`, right: `${100 - bounds.upper / 10}%` }}
              />
            </div>
          )}
          <ScoreStrip score={score} />
          <Legend
            of={[
              [tickMark, w.thisCase],
              ...(bounds ? [[bracketMark, w.rangeAbove] as const] : []),
              [
                <span
                  key="band"
                  className="h-2.5 w-4 rounded-[2px]"
                  style={{ background: bandOfScore(score).color }}
                />,
                w.itsBand(c.bands[bandOfScore(score).key]),
              ],
            ]}
          />
        </>
      )}
    </div>
  );
}
