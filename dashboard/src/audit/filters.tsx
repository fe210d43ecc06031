import { type ReactNode, useState } from 'react';
import { actionNames, useEventName } from '../events/words.ts';
import { Button } from '../kit/button.tsx';
import { Checkbox, Input, Select } from '../kit/field.tsx';
import { common } from '../words/common.ts';
import { useWords } from '../words/words.ts';
import type { AuditSearch } from './search.ts';
import { auditWords } from './words.ts';

/** What narrows the list; a filter without a control of its own is shown as a chip that takes it away. */
export function Filters({
  search,
  isFiltered,
  onSearch,
  onClear,
  children,
}: {
  readonly search: AuditSearch;
  readonly isFiltered: boolean;
  onSearch(change: Partial<AuditSearch>): void;
  onClear(): void;
  /** What is done with the list. */
  readonly children: ReactNode;
}) {
  const w = useWords(auditWords);
  const c = useWords(common);
  const nameOf = useEventName();
  const { outcome, channel, ip, request_id: request } = search;
  const chips = [
    ['channel', channel && w.channels[channel]],
    ['ip', ip],
    ['request_id', request],
  ] as const;
  return (
    <div className="mb-3 flex flex-wrap items-center gap-2">
      <TextFilter
        isFirst
        label={w.actionHint}
        list="audit-actions"
        value={search.action}
        onValue={(action) => onSearch({ action: action?.toLowerCase().replaceAll(/[\s_]+/g, '-') })}
      />
      <datalist id="audit-actions">
        {actionNames.map((name) => (
          <option key={name} value={name}>
            {nameOf(name)}
          </option>
        ))}
      </datalist>
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
      <TextFilter label={w.actorHint} value={search.actor_id} onValue={(value) => onSearch({ actor_id: value })} />
      <TextFilter label={w.targetHint} value={search.target_id} onValue={(value) => onSearch({ target_id: value })} />
      <Input
        type="date"
        aria-label={c.from}
        className="!w-36"
        value={search.from ?? ''}
        onChange={(event) => onSearch({ from: event.target.value || undefined })}
      />
      <Input
        type="date"
        aria-label={c.until}
        className="!w-36"
        value={search.to ?? ''}
        onChange={(event) => onSearch({ to: event.target.value || undefined })}
      />
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

/** Is applied by Enter and on leaving, since each list that is asked for is an entry of the log. */
function TextFilter({
  label,
  value,
  list,
  isFirst,
  onValue,
}: {
  readonly label: string;
  readonly value: string | undefined;
  readonly list?: string;
  readonly isFirst?: boolean;
  onValue(value: string | undefined): void;
}) {
  const [draft, setDraft] = useState<string | null>(null);
  const apply = () => {
    if (draft !== null && draft.trim() !== (value ?? '')) onValue(draft.trim() || undefined);
    setDraft(null);
  };
  return (
    <Input
      data-filter={isFirst || undefined}
      aria-label={label}
      placeholder={label}
      list={list}
      spellCheck={false}
      autoComplete="off"
      className="!w-52"
      value={draft ?? value ?? ''}
      onChange={(event) => setDraft(event.target.value)}
      onBlur={apply}
      onKeyDown={(event) => event.key === 'Enter' && apply()}
    />
  );
}
