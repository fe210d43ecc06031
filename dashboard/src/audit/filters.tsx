import { type ReactNode, useEffect, useId, useState } from 'react';
import { actionNames, useEventName } from '../events/words.ts';
import { Button } from '../kit/button.tsx';
import { DaysBetween } from '../kit/days-between.tsx';
import { Checkbox, Input, Select } from '../kit/field.tsx';
import { common } from '../words/common.ts';
import { useWords } from '../words/words.ts';
import type { AuditSearch } from './search.ts';
import { type Named, useKnownNames } from './use-known-names.ts';
import { auditWords, wordsOfAction } from './words.ts';

/** What narrows the list; a filter without a control of its own is shown as a chip that takes it away. */
export function Filters({
  search,
  isOfOrganization,
  isFiltered,
  onSearch,
  onClear,
  children,
}: {
  readonly search: AuditSearch;
  readonly isOfOrganization: boolean;
  readonly isFiltered: boolean;
  onSearch(change: Partial<AuditSearch>): void;
  onClear(): void;
  /** What is done with the list. */
  readonly children: ReactNode;
}) {
  const w = useWords(auditWords);
  const c = useWords(common);
  const nameOf = useEventName();
  const { outcome, channel, ip, request_id: request, actor_id: actor, target_id: target } = search;
  const [isWanted, setWanted] = useState(false);
  const { actors, targets } = useKnownNames(isOfOrganization, isWanted || actor !== undefined || target !== undefined);
  const chips = [
    ['channel', channel && w.channels[channel]],
    ['ip', ip],
    ['request_id', request],
  ] as const;
  return (
    <div className="mb-3 flex flex-wrap items-center gap-2">
      <NameFilter
        isFirst
        label={w.actionHint}
        known={actionNames.map((id) => ({ id, name: nameOf(id), also: wordsOfAction(id) }))}
        value={search.action}
        onValue={(action) => onSearch({ action: action?.toLowerCase().replaceAll(/[\s_]+/g, '-') })}
      />
      <Select
        aria-label={w.outcome}
        className="!w-auto"
        value={outcome ?? ''}
        options={[
          { value: '', label: w.allOutcomes },
          ...(['succeeded', 'denied', 'failed'] as const).map((value) => ({ value, label: w[value] })),
        ]}
        onValue={(value) => onSearch({ outcome: value === '' ? undefined : value })}
      />
      <Select
        aria-label={w.class}
        className="!w-auto"
        value={search.class ?? ''}
        options={[
          { value: '', label: w.allClasses },
          ...(['admin', 'data', 'auth', 'system'] as const).map((value) => ({ value, label: w[value] })),
        ]}
        onValue={(value) => onSearch({ class: value === '' ? undefined : value })}
      />
      <NameFilter
        label={w.actorHint}
        known={actors}
        value={actor}
        onFocus={() => setWanted(true)}
        onValue={(value) => onSearch({ actor_id: value })}
      />
      <NameFilter
        label={w.targetHint}
        known={targets}
        value={target}
        onFocus={() => setWanted(true)}
        onValue={(value) => onSearch({ target_id: value })}
      />
      <DaysBetween from={search.from} to={search.to} onChange={onSearch} />
      {chips.map(
        ([name, value]) =>
          value && (
            <Button key={name} size="small" onClick={() => onSearch({ [name]: undefined })}>
              {value} ×
            </Button>
          ),
      )}
      <Checkbox
        label={w.hideReads}
        checked={search.hide_reads === true}
        onChange={(event) => onSearch({ hide_reads: event.target.checked || undefined })}
      />
      {isFiltered && (
        <Button kind="quiet" onClick={onClear}>
          {c.clearFilters}
        </Button>
      )}
      <div className="ml-auto flex flex-wrap gap-2">{children}</div>
    </div>
  );
}

/**
 * Takes a name of those that are known, or an id, and gives the id. Is applied by choosing, by Enter and on leaving,
 * since each list that is asked for is an entry of the log.
 */
function NameFilter({
  label,
  known,
  value,
  isFirst,
  onFocus,
  onValue,
}: {
  readonly label: string;
  readonly known: readonly Named[];
  readonly value: string | undefined;
  readonly isFirst?: boolean;
  onFocus?(): void;
  onValue(value: string | undefined): void;
}) {
  const list = useId();
  const [draft, setDraft] = useState<string | null>(null);
  const shown = known.find(({ id }) => id === value)?.name ?? value ?? '';
  // Names that come only after a text was applied say who was meant by it.
  const meant = value === undefined || known.some(({ id }) => id === value) ? value : idOf(value, known);
  useEffect(() => {
    if (meant !== value) onValue(meant);
  }, [meant, value, onValue]);
  const apply = (text: string | null) => {
    const next = text === null || text.trim() === shown ? value : idOf(text.trim(), known) || undefined;
    if (next !== value) onValue(next);
    setDraft(null);
  };
  return (
    <>
      <Input
        data-filter={isFirst || undefined}
        aria-label={label}
        placeholder={label}
        title={shown || undefined}
        list={list}
        spellCheck={false}
        autoComplete="off"
        className="!w-52"
        value={draft ?? shown}
        onFocus={onFocus}
        onChange={({ target: { value: text } }) =>
          known.some(({ name }) => name === text) ? apply(text) : setDraft(text)
        }
        onBlur={() => apply(draft)}
        onKeyDown={(event) => event.key === 'Enter' && apply(draft)}
      />
      <datalist id={list}>
        {known.map(({ id, name }) => (
          <option key={id} value={name} />
        ))}
      </datalist>
    </>
  );
}

/** The id of whoever is called so, or else begins so, or has the text in a name; a text of no name is an id. */
function idOf(text: string, known: readonly Named[]): string {
  const asked = text.toLowerCase();
  const where = (is: (name: string) => boolean) =>
    known.find(({ name }) => is(name.toLowerCase())) ?? known.find(({ also }) => also?.some((one) => is(one)));
  const called =
    where((name) => name === asked) ??
    (asked === '' ? undefined : (where((name) => name.startsWith(asked)) ?? where((name) => name.includes(asked))));
  return called?.id ?? text;
}
