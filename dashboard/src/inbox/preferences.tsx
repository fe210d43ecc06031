import type { Schemas } from '@lastro/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useSession } from '../api/session.tsx';
import { useChange, useData, useKey } from '../api/use-data.ts';
import { useEventGroup, useEventMeaning, useEventName } from '../events/words.ts';
import { Checkbox, Field, Input, Segmented, Select } from '../kit/field.tsx';
import { Failed, NothingFound, Skeleton } from '../kit/states.tsx';
import { useWords } from '../words/words.ts';
import { applyChanges, type Change, channelsOf, type Preference } from './preference.ts';
import { inboxWords } from './words.ts';

type MailWindow = Schemas['NotificationPreferences']['mail_window'];

const windows = ['none', '15m', '1h', 'daily'] as const;

/** Which events somebody is told of, in the inbox and by mail; of the workspace and of the organization as a whole. */
export function Preferences() {
  const w = useWords(inboxWords);
  const { client, organizationClient, can, canInOrganization } = useSession();
  const [place, setPlace] = useState<'workspace' | 'organization'>('workspace');
  const [whose, setWhose] = useState<'mine' | 'defaults'>('mine');
  const [text, setText] = useState('');
  const nameOf = useEventName();
  const isOfWorkspace = place === 'workspace';
  const nouns = isOfWorkspace ? client : organizationClient.organization;
  const mayChangeDefaults = (isOfWorkspace ? can : canInOrganization)('create_workspaces');
  const isMine = whose === 'mine' || !mayChangeDefaults;
  const key = ['notification-preferences', place, isMine];
  const mine = useData([...key, 'mine'], (signal) => nouns.notificationPreferences.get({ signal }), { isOn: isMine });
  const defaults = useData([...key, 'defaults'], (signal) => nouns.notificationDefaults.get({ signal }), {
    isOn: !isMine,
  });
  const catalog = useData(['event-types'], (signal) => client.eventTypes.list({ signal }));
  const kept = useKey([...key, isMine ? 'mine' : 'defaults']);
  const queries = useQueryClient();
  const { pending, send } = useChanges(`${place} ${isMine}`, async (change) => {
    const body = { preferences: [change] };
    const changed = await (isMine
      ? nouns.notificationPreferences.update(body)
      : nouns.notificationDefaults.update(body));
    // Who comes back to this page sees what was chosen at once, not what was fetched before.
    queries.setQueryData(kept, changed);
  });
  const gather = useChange(
    (mailWindow: MailWindow) => nouns.notificationPreferences.update({ mail_window: mailWindow }),
    {
      changes: [['notification-preferences']],
    },
  );
  const { data, error, refetch } = isMine ? mine : defaults;
  const groupOf = new Map(catalog.data?.data.map(({ name, group }) => [name, group]));
  const wanted = text.trim().toLowerCase();
  const shown = applyChanges(data?.preferences ?? [], pending).filter(({ type }) =>
    `${type} ${nameOf(type)}`.toLowerCase().includes(wanted),
  );
  const groups = [...Map.groupBy(shown, ({ type }) => groupOf.get(type) ?? '')];
  return (
    <>
      <div className="mb-4 flex flex-wrap items-end gap-3">
        <Input
          data-filter
          type="search"
          aria-label={w.search}
          placeholder={w.search}
          className="!w-56"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        {canInOrganization('view_members') && (
          <Segmented
            label={w.place}
            options={[
              { value: 'workspace', label: w.workspace },
              { value: 'organization', label: w.organization },
            ]}
            value={place}
            onValue={setPlace}
          />
        )}
        {mayChangeDefaults && (
          <Segmented
            label={w.whose}
            options={[
              { value: 'mine', label: w.mine },
              { value: 'defaults', label: w.defaults },
            ]}
            value={whose}
            onValue={setWhose}
          />
        )}
        {isMine && mine.data && (
          <Field label={w.mailWindow} className="ml-auto">
            <Select
              className="!w-56"
              value={mine.data.mail_window}
              options={windows.map((value) => ({ value, label: w[value] }))}
              onValue={(value) => gather.mutate(value)}
            />
          </Field>
        )}
      </div>
      {!isMine && <p className="mb-3 text-ink2">{w.defaultsBody}</p>}
      {error ? (
        <Failed error={error} onRetry={refetch} />
      ) : !data ? (
        <Skeleton rows={10} />
      ) : groups.length === 0 ? (
        <NothingFound onClear={() => setText('')} />
      ) : (
        <Matrix groups={groups} isMine={isMine} onChange={send} />
      )}
    </>
  );
}

/**
 * Sends changes one after the other; `pending` are those on their way. A change says both channels, so that a second one
 * has to know of the first. `place`: whose preferences these are, which can be others when a change has its turn.
 */
function useChanges(place: string, save: (change: Change) => Promise<void>) {
  const [waiting, setWaiting] = useState<readonly { readonly place: string; readonly change: Change }[]>([]);
  const { mutateAsync } = useChange((run: () => Promise<void>) => run(), { changes: [['notification-preferences']] });
  const turn = useRef(Promise.resolve());
  const send = (change: Change) => {
    const one = { place, change };
    setWaiting((before) => [...before, one]);
    // A refusal is said at the edge of the page.
    turn.current = turn.current
      .then(() => mutateAsync(() => save(change)))
      .catch(() => {})
      .finally(() => setWaiting((before) => before.filter((other) => other !== one)));
  };
  return { pending: waiting.filter((one) => one.place === place).map(({ change }) => change), send };
}

function Matrix({
  groups,
  isMine,
  onChange,
}: {
  readonly groups: readonly (readonly [string, readonly Preference[]])[];
  readonly isMine: boolean;
  onChange(change: Change): void;
}) {
  const w = useWords(inboxWords);
  const groupNameOf = useEventGroup();
  return (
    <div className="overflow-hidden rounded-[8px] border border-line bg-panel">
      <table className="w-full border-collapse text-body" aria-label={w.preferences}>
        <thead>
          <tr className="h-8 border-line border-b text-ink3 text-meta">
            <th scope="col" className="px-3 text-left font-normal">
              {w.event}
            </th>
            <th scope="col" className="w-16 px-1 font-normal">
              {w.inApp}
            </th>
            <th scope="col" className="w-16 px-1 font-normal">
              {w.email}
            </th>
            <th scope="col" className="hidden w-36 px-3 font-normal sm:table-cell">
              <span className="sr-only">{w.whose}</span>
            </th>
          </tr>
        </thead>
        {groups.map(([group, preferences]) => (
          <tbody key={group}>
            <tr className="border-line border-b bg-sunken">
              <th scope="rowgroup" colSpan={4} className="px-3 py-1 text-left font-medium">
                {groupNameOf(group)}
              </th>
            </tr>
            {preferences.map((preference) => (
              <Row key={preference.type} preference={preference} isMine={isMine} onChange={onChange} />
            ))}
          </tbody>
        ))}
      </table>
    </div>
  );
}

function Row({
  preference: { type, means, email, in_app: inApp },
  isMine,
  onChange,
}: {
  readonly preference: Preference;
  readonly isMine: boolean;
  onChange(change: Change): void;
}) {
  const w = useWords(inboxWords);
  const nameOf = useEventName();
  const meaningOf = useEventMeaning();
  const set = (isInApp: boolean, isMail: boolean) => onChange({ type, channels: channelsOf(isInApp, isMail) });
  const isMandatory = email.source === 'mandatory' && inApp.source === 'mandatory';
  const isChosen = [email.source, inApp.source].includes(isMine ? 'user' : 'default');
  return (
    <tr className="border-line border-b last:border-b-0">
      <th scope="row" className="px-3 py-1.5 text-left font-normal">
        {nameOf(type)}
        <span className="block text-ink2 text-meta">{meaningOf(type, means)}</span>
      </th>
      <td className="px-1 text-center">
        <Checkbox
          label={<span className="sr-only">{`${nameOf(type)}: ${w.inApp}`}</span>}
          className="justify-center"
          checked={inApp.on}
          disabled={inApp.source === 'mandatory'}
          onChange={() => set(!inApp.on, email.on)}
        />
      </td>
      <td className="px-1 text-center">
        <Checkbox
          label={<span className="sr-only">{`${nameOf(type)}: ${w.email}`}</span>}
          className="justify-center"
          checked={email.on}
          disabled={email.source === 'mandatory'}
          onChange={() => set(inApp.on, !email.on)}
        />
      </td>
      <td className="hidden px-3 text-right text-ink3 text-meta sm:table-cell">
        {isMandatory ? (
          w.mandatory
        ) : isChosen ? (
          <button
            type="button"
            className="min-h-6 rounded text-ink2 underline-offset-2 hover:underline"
            aria-label={`${w.toDefault}: ${nameOf(type)}`}
            onClick={() => onChange({ type, channels: null })}
          >
            {w.toDefault}
          </button>
        ) : null}
      </td>
    </tr>
  );
}
