import { useMemo, useState } from 'react';
import { useClient, useSession } from '../api/session.tsx';
import { useData } from '../api/use-data.ts';
import { useEventGroup, useEventMeaning, useEventName } from '../events/words.ts';
import { CodeBlock } from '../kit/code.tsx';
import { Checkbox, Input, Segmented } from '../kit/field.tsx';
import { Failed, Skeleton } from '../kit/states.tsx';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import { type EventType, isSubscribed, sampleRequest } from './webhook.ts';
import { webhookWords } from './words.ts';

/** Which events a webhook is sent: all, or some of the catalog. `value` is as the API has it: names, or `*`. */
export function EventPicker({
  value,
  onValue,
}: {
  readonly value: readonly string[];
  onValue(value: readonly string[]): void;
}) {
  const w = useWords(webhookWords);
  const format = useFormat();
  const client = useClient();
  const [text, setText] = useState('');
  const catalog = useData(['event-types'], (signal) => client.eventTypes.list({ signal }));
  const nameOf = useEventName();
  const types = useMemo(() => catalog.data?.data.filter(({ webhook }) => webhook) ?? [], [catalog.data]);
  const isAll = value.includes('*');
  const chosen = types.filter(({ name }) => isSubscribed(value, name));
  const wanted = text.trim().toLowerCase();
  const shown = types.filter(({ name }) => `${name} ${nameOf(name)}`.toLowerCase().includes(wanted));
  const groups = [...Map.groupBy(shown, ({ group }) => group)];
  const toggle = (names: readonly string[], isOn: boolean) => {
    const next = new Set(chosen.map(({ name }) => name));
    for (const name of names) isOn ? next.add(name) : next.delete(name);
    onValue([...next]);
  };
  return (
    <div className="flex min-w-0 flex-col items-start gap-2">
      <Segmented
        label={w.events}
        options={[
          { value: 'all', label: w.allEvents },
          { value: 'chosen', label: w.chosenEvents },
        ]}
        value={isAll ? 'all' : 'chosen'}
        onValue={(kind) => onValue(kind === 'all' ? ['*'] : [])}
      />
      {isAll ? (
        <p className="text-ink3 text-meta">{w.allHint}</p>
      ) : catalog.isError ? (
        <Failed error={catalog.error} onRetry={() => catalog.refetch()} />
      ) : catalog.isPending ? (
        <Skeleton />
      ) : (
        <>
          <div className="flex w-full items-center gap-3">
            <Input
              type="search"
              aria-label={w.searchEvents}
              placeholder={w.searchEvents}
              className="max-w-64"
              value={text}
              onChange={(event) => setText(event.target.value)}
            />
            <span aria-live="polite" className="text-ink2 text-meta">
              {w.chosen(format.integer(chosen.length))}
            </span>
          </div>
          <div
            className="max-h-[38vh] w-full overflow-y-auto rounded-[6px] border border-line"
            tabIndex={0}
            role="group"
            aria-label={w.events}
          >
            {groups.map(([group, members]) => (
              <Group
                key={group}
                group={group}
                types={members}
                isOn={(name) => isSubscribed(value, name)}
                onToggle={toggle}
              />
            ))}
            {groups.length === 0 && <p className="p-3 text-ink2">{w.notFoundEvent}</p>}
          </div>
        </>
      )}
    </div>
  );
}

function Group({
  group,
  types,
  isOn,
  onToggle,
}: {
  readonly group: string;
  readonly types: readonly EventType[];
  isOn(name: string): boolean;
  onToggle(names: readonly string[], isOn: boolean): void;
}) {
  const groupOf = useEventGroup();
  const names = types.map(({ name }) => name);
  const count = names.filter(isOn).length;
  return (
    <section className="border-line border-b last:border-b-0">
      <div className="sticky top-0 border-line border-b bg-sunken px-3 py-1">
        <Checkbox
          label={<b className="font-medium">{groupOf(group)}</b>}
          checked={count === names.length}
          ref={(box) => {
            if (box) box.indeterminate = count > 0 && count < names.length;
          }}
          onChange={() => onToggle(names, count < names.length)}
        />
      </div>
      <ul className="divide-y divide-line">
        {types.map((type) => (
          <Choice key={type.name} type={type} isOn={isOn(type.name)} onToggle={onToggle} />
        ))}
      </ul>
    </section>
  );
}

function Choice({
  type,
  isOn,
  onToggle,
}: {
  readonly type: EventType;
  readonly isOn: boolean;
  onToggle(names: readonly string[], isOn: boolean): void;
}) {
  const w = useWords(webhookWords);
  const { workspace } = useSession();
  const meaningOf = useEventMeaning();
  const [isShown, setShown] = useState(false);
  const { name, description } = type;
  return (
    <li className="px-3 py-1.5">
      <div className="flex items-start justify-between gap-3">
        <Checkbox
          checked={isOn}
          onChange={() => onToggle([name], !isOn)}
          label={
            <span>
              <code className="font-mono text-meta">{name}</code>
              <span className="block text-ink2 text-meta">{meaningOf(name, description)}</span>
            </span>
          }
        />
        <button
          type="button"
          aria-expanded={isShown}
          aria-label={`${w.sample} ${name}`}
          className="shrink-0 rounded px-1 py-1 text-ink2 text-meta underline-offset-2 hover:underline"
          onClick={() => setShown(!isShown)}
        >
          {w.sample}
        </button>
      </div>
      {isShown && (
        <div className="mt-1">
          <CodeBlock label={`${w.sample} ${name}`} code={sampleRequest(type, workspace?.id ?? 'ws_…')} />
        </div>
      )}
    </li>
  );
}
