import { type ReactNode, useEffect, useState } from 'react';
import { Detail } from '../kit/states.tsx';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import { InputControl, type InputField } from './input-control.tsx';
import { groupInputs } from './input-groups.ts';
import type { Place } from './target.ts';
import { playgroundWords } from './words.ts';

/** A form made from what a version declares of its inputs. */
export function InputForm({
  fields,
  inputs,
  refusals,
  unread,
  onValue,
}: {
  readonly fields: readonly InputField[];
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly refusals: ReadonlyMap<string, Place>;
  /** What is typed in these is no day or time. */
  readonly unread: ReadonlySet<string>;
  onValue(name: string, value: unknown): void;
}) {
  const w = useWords(playgroundWords);
  const format = useFormat();
  const { about, when, known, less } = groupInputs(fields);
  const controls = (group: readonly InputField[]) =>
    group.map((field) => (
      <InputControl
        key={field.name}
        field={field}
        value={inputs[field.name]}
        refusal={unread.has(field.name) ? w.noDay : said(refusals.get(field.name), w.codes)}
        onValue={(value) => onValue(field.name, value)}
      />
    ));
  const isGiven = less.some(({ name }) => inputs[name] !== undefined);
  const isRefused = less.some(({ name }) => refusals.has(name) || unread.has(name));
  const [isOpen, setOpen] = useState(false);
  // What is given or refused opens the group, and nothing but the reader closes it: a value may be taken back in it.
  useEffect(() => {
    if (isGiven || isRefused) setOpen(true);
  }, [isGiven, isRefused]);
  return (
    <div className="flex flex-col gap-6">
      {about.length > 0 && <Group title={w.about}>{controls(about)}</Group>}
      {when.length > 0 && <Group title={w.when}>{controls(when)}</Group>}
      {known.length > 0 && <Group title={w.known}>{controls(known)}</Group>}
      {less.length > 0 && (
        <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
          <summary className="rounded py-1 font-medium text-body text-ink2 hover:text-ink">
            {w.less(format.integer(less.length))}
          </summary>
          <div className="mt-3 flex flex-col gap-4">{controls(less)}</div>
        </details>
      )}
    </div>
  );
}

function Group({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <fieldset className="flex min-w-0 flex-col gap-4">
      <legend className="mb-3 font-semibold text-section">{title}</legend>
      {children}
    </fieldset>
  );
}

/** A refusal in the language of the page, where its code or its reason has words; otherwise as the service says it. */
function said(place: Place | undefined, codes: Readonly<Record<string, string>>): ReactNode {
  return place && (codes[place.code] ?? <Detail because={place.because}>{place.detail}</Detail>);
}
