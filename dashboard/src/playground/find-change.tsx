import type { Schemas } from '@lastro/sdk';
import { useState } from 'react';
import { useClient } from '../api/session.tsx';
import { Button } from '../kit/button.tsx';
import { Checkbox, Field, Input, Select } from '../kit/field.tsx';
import { Refusal } from '../kit/states.tsx';
import { isProbability, sayOutput } from '../predictions/answer-fields.ts';
import { sayValue } from '../predictions/value-words.ts';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import { readNumber } from './locale-number.ts';
import { type OpenInput, sayInput } from './open-input.ts';
import type { Target } from './target.ts';
import { whatIfWords } from './what-if-words.ts';

type Inputs = Readonly<Record<string, unknown>>;
type Side = 'below' | 'above';

const mostOptions = ['1', '2', '3', '4'] as const;
/** Most inputs that a search may change. */
const chosenMost = 20;

/** Has the smallest changes found by which the answer is as it should be. */
export function FindChange({
  model,
  target,
  version,
  inputs,
  open,
  onTry,
}: {
  readonly model: Schemas['Model'];
  readonly target: Target;
  readonly version: Schemas['ModelVersion'];
  readonly inputs: Inputs;
  readonly open: readonly OpenInput[];
  onTry(inputs: Inputs): void;
}) {
  const w = useWords(whatIfWords);
  const format = useFormat();
  const client = useClient();
  const goals = version.outputs.filter(
    ({ name, type, enum: bands }) =>
      !['data_coverage', 'data_coverage_share'].includes(name) &&
      (type === 'number' || type === 'integer' || (type === 'string' && bands !== undefined)),
  );
  const [output, setOutput] = useState(goals[0]?.name ?? '');
  const [side, setSide] = useState<Side>('below');
  const [threshold, setThreshold] = useState('');
  const [band, setBand] = useState('');
  const [most, setMost] = useState<(typeof mostOptions)[number]>('2');
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set(open.slice(chosenMost).map(({ input }) => input)));
  const [mistake, setMistake] = useState<string | null>(null);
  const [refusal, setRefusal] = useState<unknown>(null);
  const [found, setFound] = useState<Schemas['Counterfactuals'] | null>(null);
  const [isBusy, setBusy] = useState(false);
  const goal = goals.find(({ name }) => name === output);
  if (!goal) return null;
  const isShare = isProbability(goal.name, goal);
  const chosen = open.filter(({ input }) => !left.has(input)).slice(0, chosenMost);

  const find = async () => {
    setFound(null);
    setRefusal(null);
    const number = readNumber(threshold, format.language);
    const wanted = goal.enum
      ? { band: band || goal.enum[0] }
      : number === null
        ? null
        : { [side]: number / (isShare ? 100 : 1) };
    if (wanted === null || chosen.length === 0) return setMistake(wanted === null ? w.noGoal : w.noneChosen);
    setMistake(null);
    setBusy(true);
    try {
      const changeable = chosen.map(({ input, direction }) => ({ input, ...(direction !== 'any' && { direction }) }));
      const body = { inputs, target: { output, ...wanted }, changeable, most_changes: Number(most) };
      setFound(await client.counterfactuals.find(model.id, target.value, body));
    } catch (error) {
      setRefusal(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <section className="border-line border-t pt-4" aria-label={w.goal}>
      <h3 className="mb-2 font-medium">{w.goal}</h3>
      <div className="grid gap-3 sm:grid-cols-2">
        <Field label={w.output}>
          <Select
            value={output}
            options={goals.map(({ name }) => ({ value: name, label: name }))}
            onValue={setOutput}
          />
        </Field>
        {goal.enum ? (
          <Field label={w.band}>
            <Select
              value={band || goal.enum[0]}
              options={goal.enum.map((one) => ({ value: one, label: sayValue(goal.name, one, format.language) }))}
              onValue={setBand}
            />
          </Field>
        ) : (
          <>
            <Field label={w.side}>
              <Select
                value={side}
                options={(['below', 'above'] as const).map((one) => ({ value: one, label: w[one] }))}
                onValue={setSide}
              />
            </Field>
            <Field
              label={isShare ? w.thresholdPercent : w.threshold}
              error={mistake === w.noGoal ? mistake : undefined}
            >
              <Input inputMode="decimal" value={threshold} onChange={(event) => setThreshold(event.target.value)} />
            </Field>
          </>
        )}
        <Field label={w.most}>
          <Select value={most} options={mostOptions.map((one) => ({ value: one, label: one }))} onValue={setMost} />
        </Field>
      </div>
      <div className="mt-3 flex flex-wrap gap-x-4">
        {open.map(({ input }) => (
          <Checkbox
            key={input}
            label={w.mayChange(input)}
            checked={!left.has(input)}
            onChange={({ target: { checked } }) =>
              setLeft(checked ? left.difference(new Set([input])) : left.union(new Set([input])))
            }
          />
        ))}
      </div>
      {mistake !== null && mistake !== w.noGoal && (
        <p role="alert" className="text-bad text-meta">
          {mistake}
        </p>
      )}
      {refusal !== null && <Refusal error={refusal} />}
      <Button className="mt-3" kind="primary" isBusy={isBusy} onClick={find}>
        {w.find}
      </Button>
      {found && <Changes of={found} goal={goal} onTry={(changed) => onTry({ ...inputs, ...changed })} />}
    </section>
  );
}

function Changes({
  of: { counterfactuals, reason, searched },
  goal,
  onTry,
}: {
  readonly of: Schemas['Counterfactuals'];
  readonly goal: Schemas['ModelField'];
  onTry(changed: Inputs): void;
}) {
  const w = useWords(whatIfWords);
  const format = useFormat();
  if (reason !== null)
    return (
      <p role="status" className="mt-3">
        {w.reasons[reason as keyof typeof w.reasons]}
      </p>
    );
  if (counterfactuals.every(({ changes }) => changes.length === 0))
    return (
      <p role="status" className="mt-3">
        {w.already}
      </p>
    );
  const count = format.integer(searched.candidates);
  return (
    <div role="status" className="mt-3">
      <h3 className="mb-1 font-medium">{w.found}</h3>
      <ol className="flex flex-col">
        {counterfactuals.map(({ changes, outputs }) => (
          <li
            key={changes.map(({ input }) => input).join()}
            className="flex flex-wrap items-center justify-between gap-2 border-line border-b py-2 last:border-0"
          >
            <span className="min-w-0">
              {changes.map(({ input, from, to }) => (
                <span key={input} className="block">
                  <b className="font-medium">{input}</b> {w.from} {sayInput(from, format, w)} {w.to}{' '}
                  <b className="font-medium">{sayInput(to, format, w)}</b>
                </span>
              ))}
              <span className="block text-ink2">
                {w.becomes(goal.name, sayOutput(goal.name, outputs[goal.name], goal, format))}
              </span>
            </span>
            <Button size="small" onClick={() => onTry(Object.fromEntries(changes.map(({ input, to }) => [input, to])))}>
              {w.tryIt}
            </Button>
          </li>
        ))}
      </ol>
      <p className="mt-1 text-ink3 text-meta">{searched.exhaustive ? w.tried(count) : w.triedSome(count)}</p>
    </div>
  );
}
