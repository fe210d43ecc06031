import type { Schemas } from '@lastro/sdk';
import { Link } from '@tanstack/react-router';
import { useClient } from '../api/session.tsx';
import { useData } from '../api/use-data.ts';
import { Band } from '../kit/bands.tsx';
import { CodeBlock } from '../kit/code.tsx';
import { Id } from '../kit/copy.tsx';
import { KeyText } from '../kit/document.tsx';
import { withoutCpf } from '../kit/documents.ts';
import { Moment } from '../kit/moment.tsx';
import { Facts, Panel } from '../kit/page.tsx';
import { Empty } from '../kit/states.tsx';
import { isDoubted, VersionDoubts } from '../models/version-doubts.tsx';
import { Answer } from '../predictions/answer.tsx';
import { isProbability, sayOutput } from '../predictions/answer-fields.ts';
import { answerWords } from '../predictions/answer-words.ts';
import { useAbout } from '../predictions/use-about.ts';
import { predictionWords } from '../predictions/words.ts';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import type { Answered } from './target.ts';
import { playgroundWords } from './words.ts';

/** The answer, or two of them side by side with what is between them. */
export function Results({
  answers,
  isOld,
  model,
  onAsOf,
}: {
  readonly answers: readonly Answered[] | null;
  /** The inputs have been changed since. */
  readonly isOld: boolean;
  readonly model: Schemas['Model'];
  /** Asks the same as of a day. */
  onAsOf(day: string): void;
}) {
  const w = useWords(playgroundWords);
  if (!answers)
    return (
      <Panel className="min-w-0 border-dashed">
        <Empty title={w.waits}>{w.waitsBody}</Empty>
      </Panel>
    );
  return (
    <div className="flex min-w-0 flex-col gap-4" aria-live="polite">
      {isOld && <p className="rounded-[6px] bg-warn-soft px-3 py-1.5 font-medium text-warn">{w.changed}</p>}
      <div className={`flex min-w-0 flex-col gap-4 ${isOld ? 'opacity-45 grayscale' : ''}`}>
        {answers.length === 2 && <Difference of={[answers[0], answers[1]]} />}
        <div className={`grid gap-4 ${answers.length === 2 ? 'xl:grid-cols-2' : ''}`}>
          {answers.map((answer) => (
            <One key={answer.target.value} answer={answer} model={model} {...(isOld ? {} : { onAsOf })} />
          ))}
        </div>
      </div>
    </div>
  );
}

function One({
  answer,
  model,
  onAsOf,
}: {
  readonly answer: Answered;
  readonly model: Schemas['Model'];
  onAsOf?(day: string): void;
}) {
  const w = useWords(playgroundWords);
  const a = useWords(answerWords);
  const format = useFormat();
  const { target, version, outputs, tookMs } = answer;
  const { prediction_id: id, version_id: versionId, as_of: asOf } = outputs;
  const about = useAbout(model, String(versionId));
  return (
    <Panel className="enter min-w-0 p-5">
      <h2 className="mb-1 flex flex-wrap items-baseline justify-between gap-2 text-body text-ink2">
        <span className="font-medium">{target.label}</span>
        <span className="text-ink3 text-meta">{w.took(format.duration(tookMs))}</span>
      </h2>
      <Answer
        outputs={outputs}
        declared={version?.outputs}
        kind={model.kind}
        about={about}
        {...(onAsOf ? { onAsOf } : {})}
      />
      {version && <VersionDoubts version={version} isOfOutputs={false} />}
      <div className="mt-5 border-line border-t pt-4">
        <Facts
          // The column of the answer is narrow beside the form, and a day and its time stay on one line.
          columns={2}
          of={[
            [a.asOf, <Moment key="as-of" at={String(asOf)} isExact />],
            [a.version, <Id key="version" id={String(versionId)} />],
            ['id', <Id key="id" id={String(id)} />],
          ]}
        />
        <details className="mt-3">
          <summary className="rounded py-1 text-ink2 hover:text-ink">{w.raw}</summary>
          <CodeBlock label={w.raw} code={JSON.stringify(withoutCpf(outputs), null, 2)} />
        </details>
        <div className="mt-1 flex flex-wrap gap-x-4">
          <Link
            to="/predictions"
            search={{ open: String(id) }}
            className="rounded py-1 text-accent underline underline-offset-2"
          >
            {w.see}
          </Link>
          <ToEntity of={String(id)} />
          {/* What is found of it leads there, too. */}
          {version && !isDoubted(version) && (
            <Link
              to="/models/$model_id/versions/$version_id"
              params={{ model_id: model.id, version_id: String(versionId) }}
              className="rounded py-1 text-accent underline underline-offset-2"
            >
              {w.trust}
            </Link>
          )}
        </div>
      </div>
    </Panel>
  );
}

/** To whom a prediction is about: of a new row, the first entity that it refers to. */
function ToEntity({ of: id }: { readonly of: string }) {
  const w = useWords(predictionWords);
  const client = useClient();
  const { data } = useData(['predictions', 'one', id], (signal) => client.predictions.get(id, { signal }));
  if (!data?.entity) return null;
  const { table, key } = data.entity;
  return (
    <Link
      to="/entities/$table/$key"
      params={{ table, key }}
      className="rounded py-1 text-accent underline underline-offset-2"
    >
      {w.seeEntity} <KeyText text={key} />
    </Link>
  );
}

/** The numbers of two answers beside each other, and what the second has more. */
function Difference({ of: [first, second] }: { readonly of: readonly [Answered, Answered] }) {
  const w = useWords(playgroundWords);
  const format = useFormat();
  const declared = first.version?.outputs ?? [];
  const fields = declared.filter(
    ({ name, type }) =>
      (type === 'number' || type === 'integer') &&
      name !== 'data_coverage_share' &&
      typeof first.outputs[name] === 'number' &&
      typeof second.outputs[name] === 'number',
  );
  const bands = [first, second].map(({ outputs }) => outputs.risk_band).filter((band) => typeof band === 'string');
  return (
    <Panel className="min-w-0 overflow-x-auto p-5">
      <h2 className="mb-2 font-semibold text-section">{w.difference}</h2>
      {bands.length === 2 && (
        <p className="mb-2 flex flex-wrap items-center gap-2">
          {bands[0] === bands[1] ? w.bandStays : w.bandMoves}: <Band name={bands[0]} />
          {bands[0] !== bands[1] && (
            <>
              → <Band name={bands[1]} />
            </>
          )}
        </p>
      )}
      <table className="w-full">
        <thead>
          <tr className="border-line border-b text-ink3 text-meta">
            <th className="py-1 text-left font-normal">{w.output}</th>
            <th className="px-3 py-1 text-right font-normal">{first.target.label}</th>
            <th className="px-3 py-1 text-right font-normal">{second.target.label}</th>
            <th className="py-1 text-right font-normal">{w.difference}</th>
          </tr>
        </thead>
        <tbody>
          {fields.map((field) => {
            const [one, other] = [first, second].map(({ outputs }) => outputs[field.name] as number);
            const isShare = isProbability(field.name, field);
            const difference = isShare ? Math.round(10_000 * (other - one)) / 100 : other - one;
            return (
              <tr key={field.name} className="border-line border-b last:border-0">
                <td className="py-1.5">{field.name}</td>
                <td className="px-3 py-1.5 text-right">{sayOutput(field.name, one, field, format)}</td>
                <td className="px-3 py-1.5 text-right">{sayOutput(field.name, other, field, format)}</td>
                <td className="whitespace-nowrap py-1.5 text-right font-medium">
                  {difference === 0 ? w.same : `${format.signed(difference)}${isShare ? ' pp' : ''}`}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </Panel>
  );
}
