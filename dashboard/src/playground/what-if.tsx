import type { Schemas } from '@lastro/sdk';
import { useEffect, useState } from 'react';
import { useClient } from '../api/session.tsx';
import { useData } from '../api/use-data.ts';
import { Button } from '../kit/button.tsx';
import { Select } from '../kit/field.tsx';
import { Panel } from '../kit/page.tsx';
import { Failed, Skeleton } from '../kit/states.tsx';
import { textOf } from '../kit/text-of.ts';
import { sayOutput } from '../predictions/answer-fields.ts';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import { FindChange } from './find-change.tsx';
import { type Direction, type OpenInput, sayInput } from './open-input.ts';
import type { Target } from './target.ts';
import { whatIfWords } from './what-if-words.ts';

type Inputs = Readonly<Record<string, unknown>>;

/** Values that are moved are asked about when they have rested for so long. */
const restsMs = 400;

/** What could be otherwise in a case that has been answered, and what the answer would be then. */
export function WhatIf({
  model,
  target,
  version,
  inputs,
  onTry,
}: {
  readonly model: Schemas['Model'];
  readonly target: Target;
  readonly version: Schemas['ModelVersion'];
  /** Those that were answered. */
  readonly inputs: Inputs;
  /** Asks about other inputs as a prediction. */
  onTry(inputs: Inputs): void;
}) {
  const w = useWords(whatIfWords);
  const [isOpen, setOpen] = useState(false);
  return (
    <Panel className="mt-4 min-w-0 p-5">
      <h2 className="mb-1 font-semibold text-section">{w.title}</h2>
      {isOpen ? (
        <Moving {...{ model, target, version, inputs, onTry }} />
      ) : (
        <>
          <p className="mb-3 text-ink2">{w.body}</p>
          <Button onClick={() => setOpen(true)}>{w.open}</Button>
        </>
      )}
    </Panel>
  );
}

function Moving({ model, target, version, inputs, onTry }: Parameters<typeof WhatIf>[0]) {
  const w = useWords(whatIfWords);
  const format = useFormat();
  const client = useClient();
  const [moved, setMoved] = useState<Inputs>({});
  const [directions, setDirections] = useState<Readonly<Record<string, Direction>>>({});
  const asked = { ...inputs, ...useRested(moved, restsMs) };
  const ask = (given: Inputs) => (signal: AbortSignal) =>
    client.counterfactuals.find(model.id, target.value, { inputs: given, changeable: [] }, { signal });
  const now = useData(['counterfactuals', target.value, JSON.stringify(inputs)], ask(inputs));
  const would = useData(['counterfactuals', target.value, JSON.stringify(asked)], ask(asked));
  if (now.error) return <Failed error={now.error} onRetry={() => now.refetch()} />;
  if (!now.data) return <Skeleton rows={4} />;
  const all = now.data.changeable_inputs ?? [];
  const open = all
    .filter(({ because }) => because === null)
    .map((one): OpenInput => ({ ...one, direction: directions[one.input] ?? 'any' }));
  if (all.some(({ because }) => because === 'known_entity')) return <p className="text-ink2">{w.knownEntity}</p>;
  if (open.length === 0) return <p className="text-ink2">{w.nothing}</p>;
  const move = (input: string, value: unknown) => setMoved({ ...moved, [input]: value });
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <p className="text-ink3 text-meta">{w.counts}</p>
      <ul className="flex flex-col gap-3">
        {open.map((one) => (
          <MovingInput
            key={one.input}
            of={one}
            value={one.input in moved ? moved[one.input] : one.value}
            onValue={(value) => move(one.input, value)}
            onDirection={(direction) => setDirections({ ...directions, [one.input]: direction })}
          />
        ))}
      </ul>
      <p className="text-ink3 text-meta">
        {w.left}:{' '}
        {format.list(
          all.flatMap(({ input, because }) =>
            because === null ? [] : [`${input} (${w.why[because as keyof typeof w.why] ?? because})`],
          ),
        )}
      </p>
      {would.error ? (
        <Failed error={would.error} onRetry={() => would.refetch()} />
      ) : (
        <Answers now={now.data.prediction} would={would.data?.prediction} version={version} />
      )}
      <div className="flex flex-wrap gap-2">
        <Button disabled={Object.keys(moved).length === 0} onClick={() => onTry({ ...inputs, ...moved })}>
          {w.take}
        </Button>
        <Button kind="quiet" disabled={Object.keys(moved).length === 0} onClick={() => setMoved({})}>
          {w.reset}
        </Button>
      </div>
      <FindChange {...{ model, target, version, inputs, open }} onTry={onTry} />
    </div>
  );
}

/** The value as it was when it last rested for `ms`. */
function useRested<T>(value: T, ms: number): T {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    const waiting = setTimeout(() => setRested(value), ms);
    return () => clearTimeout(waiting);
  }, [value, ms]);
  return rested;
}

function MovingInput({
  of: { input, value: own, minimum, maximum, step, values, direction },
  value,
  onValue,
  onDirection,
}: {
  readonly of: OpenInput;
  readonly value: unknown;
  onValue(value: unknown): void;
  onDirection(direction: Direction): void;
}) {
  const w = useWords(whatIfWords);
  const format = useFormat();
  const said = sayInput(value, format, w);
  return (
    <li className="grid items-center gap-x-3 gap-y-1 sm:grid-cols-[minmax(8rem,1fr)_minmax(10rem,2fr)_9rem]">
      <span className="min-w-0 break-words">
        {input}
        <span className="block text-ink3 text-meta">
          {said}
          {value === own ? '' : ` (${w.now.toLowerCase()}: ${sayInput(own, format, w)})`}
        </span>
      </span>
      {values ? (
        <Select
          aria-label={w.value(input)}
          value={textOf(value)}
          options={[...new Set([textOf(own), ...values.map(textOf)])].map((one) => ({
            value: one,
            label: one === '' ? w.notGiven : sayInput(values.find((known) => textOf(known) === one) ?? one, format, w),
          }))}
          onValue={(one) => onValue(values.find((known) => textOf(known) === one) ?? own)}
        />
      ) : typeof minimum === 'number' && typeof maximum === 'number' ? (
        <input
          type="range"
          aria-label={w.value(input)}
          aria-valuetext={said}
          className="w-full accent-ink"
          min={Math.min(minimum, typeof own === 'number' ? own : minimum)}
          max={Math.max(maximum, typeof own === 'number' ? own : maximum)}
          step={step ?? 'any'}
          value={typeof value === 'number' ? value : minimum}
          onChange={(event) => onValue(Number(event.target.value))}
        />
      ) : (
        <input
          type="date"
          aria-label={w.value(input)}
          className="h-8 rounded-[6px] border border-line2/50 bg-panel px-2.5"
          min={textOf(minimum).slice(0, 10)}
          max={textOf(maximum).slice(0, 10)}
          value={textOf(value).slice(0, 10)}
          onChange={(event) => event.target.value !== '' && onValue(event.target.value)}
        />
      )}
      {values ? (
        <span />
      ) : (
        <Select
          aria-label={w.direction(input)}
          value={direction}
          options={(['any', 'increase', 'decrease'] as const).map((one) => ({ value: one, label: w[one] }))}
          onValue={onDirection}
        />
      )}
    </li>
  );
}

/** The numbers and bands of the answer as it is, and as it would be. */
function Answers({
  now,
  would,
  version,
}: {
  readonly now: Inputs;
  readonly would: Inputs | undefined;
  readonly version: Schemas['ModelVersion'];
}) {
  const w = useWords(whatIfWords);
  const format = useFormat();
  const told = version.outputs.filter(
    ({ name }) => name in now && !['data_coverage', 'data_coverage_share', 'as_of'].includes(name),
  );
  return (
    <table className="w-full" aria-live="polite">
      <thead>
        <tr className="border-line border-b text-ink3 text-meta">
          <th className="py-1 text-left font-normal">{w.output}</th>
          <th className="px-3 py-1 text-right font-normal">{w.now}</th>
          <th className="py-1 text-right font-normal">{w.would}</th>
        </tr>
      </thead>
      <tbody>
        {told.map((field) => (
          <tr key={field.name} className="border-line border-b last:border-0">
            <td className="py-1.5">{field.name}</td>
            <td className="px-3 py-1.5 text-right">{sayOutput(field.name, now[field.name], field, format)}</td>
            <td className="py-1.5 text-right font-medium">
              {would ? sayOutput(field.name, would[field.name], field, format) : '…'}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
