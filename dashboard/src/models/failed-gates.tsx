import type { LastroError } from '@lastro/sdk';
import { useSession } from '../api/session.tsx';
import { Field, TextArea } from '../kit/field.tsx';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import { validationWords } from './validation-words.ts';

export type FailedGate = { readonly gate: string; readonly value: number | null; readonly threshold: number | null };

/** Fewest characters of a reason. */
export const reasonMin = 10;

/** The gates that a refusal names. */
export function gatesIn({ because }: LastroError): readonly FailedGate[] {
  // The service says them so with this code.
  return (because as { readonly gates?: readonly FailedGate[] } | undefined)?.gates ?? [];
}

/** What keeps a version from an alias, and, for Creators, the reason to move it all the same. */
export function FailedGates({
  gates,
  reason,
  onReason,
}: {
  readonly gates: readonly FailedGate[];
  readonly reason: string;
  onReason(reason: string): void;
}) {
  const w = useWords(validationWords);
  const format = useFormat();
  const { can } = useSession();
  const names: Readonly<Record<string, string>> = { ...w.checkNames, ...w.people };
  const figure = (value: number | null) => (value === null ? '' : format.number(Math.round(1000 * value) / 1000));
  return (
    <div role="alert" className="flex flex-col gap-2 rounded-[6px] border border-bad/30 bg-bad-soft px-3 py-2">
      <p className="font-medium">{w.gatesFailed}</p>
      <ul className="list-disc pl-5">
        {gates.map(({ gate, value, threshold }) => (
          <li key={gate}>
            {names[gate] ?? gate}
            {value !== null &&
              threshold !== null &&
              ` · ${w.value} ${figure(value)}, ${w.threshold} ${figure(threshold)}`}
          </li>
        ))}
      </ul>
      {can('archive_workspaces') ? (
        <Field label={w.reason} hint={w.reasonHint}>
          <TextArea value={reason} onChange={(event) => onReason(event.target.value)} />
        </Field>
      ) : (
        <p>{w.onlyCreators}</p>
      )}
    </div>
  );
}
