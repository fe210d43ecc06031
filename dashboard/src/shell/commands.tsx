import { useNavigate } from '@tanstack/react-router';
import { Command } from 'cmdk';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useSession } from '../api/session.tsx';
import { useData } from '../api/use-data.ts';
import { shownKey } from '../entities/shown-key.ts';
import { useWords } from '../words/words.ts';
import { allPages, pageNames } from './pages.ts';
import { pathOfId } from './path-of-id.ts';
import { useMayOpen } from './rail.tsx';
import { setTheme } from './theme.ts';
import { useSignOut } from './top-bar.tsx';
import { shellWords } from './words.ts';

/** Models and tasks, the newest ones, that are found by their names. */
const namesMost = 100;

/** Entities are looked for by so many characters of their keys, a moment after the last one was typed. */
const queryLeast = 2;
const entitiesMost = 6;
const settleMs = 200;

const item = 'flex h-8 cursor-pointer items-center gap-2 rounded-[4px] px-2 text-body text-ink aria-selected:bg-sunken';
const group =
  '[&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:py-1 [&_[cmdk-group-heading]]:text-micro [&_[cmdk-group-heading]]:text-ink3';

/** Goes to any page, opens anything by its id, models and tasks by their names and entities by their keys, switches the workspace, does what all pages share. */
export function Commands({
  text,
  onText,
  onClose,
  inputClass,
}: {
  readonly text: string;
  onText(text: string): void;
  onClose(): void;
  readonly inputClass: string;
}) {
  const w = useWords(shellWords);
  const names = useWords(pageNames);
  const { client, user, workspace } = useSession();
  const navigate = useNavigate();
  const mayOpen = useMayOpen();
  const signOut = useSignOut();
  const input = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    // It takes the place of the box in which typing may have begun.
    const typed = input.current!;
    typed.focus();
    typed.setSelectionRange(typed.value.length, typed.value.length);
  }, []);
  const go = (run: () => unknown) => () => {
    onClose();
    void run();
  };
  const path = pathOfId(text.trim());
  const sees = (page: 'models' | 'tasks' | 'entities') =>
    allPages.some(({ name, ...one }) => name === page && mayOpen({ name, ...one }));
  const models = useData(['models', 'named'], (signal) => client.models.list({ limit: namesMost }, { signal }), {
    isOn: sees('models'),
  });
  const tasks = useData(['tasks', 'named'], (signal) => client.tasks.list({ limit: namesMost }, { signal }), {
    isOn: sees('tasks'),
  });
  const query = useSettled(text.trim());
  const isKey = query.length >= queryLeast && pathOfId(query) === null;
  const entities = useData(
    ['entities', 'found', 'menu', query],
    (signal) => client.entities.find({ query, limit: entitiesMost }, { signal }),
    { isOn: isKey && sees('entities') },
  );
  const [chosen, setChosen] = useState('');
  const firstFound = isKey ? entities.data?.data[0] : undefined;
  const valueIn = ({ table, key }: { readonly table: string; readonly key: string }) =>
    `${text} ${table}/${key}`.trim();
  const firstValue = firstFound && valueIn(firstFound);
  useEffect(() => {
    // What is found comes a moment after the menu has chosen among what it had. Of a text with digits a key is meant,
    // and not a page whose letters happen to hold them.
    if (firstValue !== undefined) setChosen((before) => (/\d/.test(query) ? firstValue : before || firstValue));
  }, [firstValue, query]);
  const named = [
    { page: names.models, things: models.data?.data ?? [] },
    { page: names.tasks, things: tasks.data?.data ?? [] },
  ];
  // All at once: the menu chooses among what it has, and would keep to what came first.
  const hasNames = text.trim() !== '' && !models.isLoading && !tasks.isLoading;
  return (
    <Command label={w.commands} value={chosen} onValueChange={setChosen}>
      <Command.Input ref={input} value={text} onValueChange={onText} placeholder={w.commands} className={inputClass} />
      <Command.List className="max-h-[50vh] overflow-auto p-1.5">
        <Command.Empty className="px-3 py-6 text-center text-body text-ink2">{w.noCommand}</Command.Empty>
        {path && (
          <Command.Item className={item} value={text} onSelect={go(() => navigate({ href: path }))}>
            {w.openId(text.trim())}
          </Command.Item>
        )}
        <Command.Group heading={w.goTo} className={group}>
          {allPages.filter(mayOpen).map(({ name, to, icon: Icon, chord }) => (
            <Command.Item key={name} className={item} value={names[name]} onSelect={go(() => navigate({ to }))}>
              <Icon size={15} className="text-ink3" />
              <span className="flex-1">{names[name]}</span>
              {chord && <kbd className="font-sans text-ink3 text-micro">G {chord.toUpperCase()}</kbd>}
            </Command.Item>
          ))}
        </Command.Group>
        {hasNames &&
          named.map(({ page, things }) => (
            <Command.Group key={page} heading={page} className={group}>
              {things.map(({ id, name }) => (
                <Command.Item
                  key={id}
                  className={item}
                  value={`${name} ${id}`}
                  onSelect={go(() => navigate({ href: pathOfId(id)! }))}
                >
                  <bdi>{name}</bdi>
                </Command.Item>
              ))}
            </Command.Group>
          ))}
        {isKey && entities.data && (
          <Command.Group heading={names.entities} className={group}>
            {entities.data.data.map(({ table, key }) => (
              <Command.Item
                key={`${table}/${key}`}
                className={item}
                // The search has found it, whatever the menu finds alike.
                value={valueIn({ table, key })}
                onSelect={go(() => navigate({ to: '/entities/$table/$key', params: { table, key } }))}
              >
                <bdi className="font-mono">{shownKey(key)}</bdi>
                <span className="text-ink3 text-meta">{table}</span>
              </Command.Item>
            ))}
          </Command.Group>
        )}
        {user.workspaces.length > 1 && (
          <Command.Group heading={w.workspaces} className={group}>
            {user.workspaces
              .filter(({ id }) => id !== workspace?.id)
              .map(({ id, name }) => (
                <Command.Item
                  key={id}
                  className={item}
                  value={`${name} ${id}`}
                  onSelect={go(() => navigate({ to: '/', search: { workspace: id } }))}
                >
                  {name}
                </Command.Item>
              ))}
          </Command.Group>
        )}
        <Command.Group heading={w.actions} className={group}>
          {hasNames &&
            models.data?.data.map(({ id, name }) => (
              <Command.Item
                key={id}
                className={item}
                value={w.compare(name)}
                onSelect={go(() => navigate({ to: '/models/$model_id/compare', params: { model_id: id } }))}
              >
                <bdi className="truncate">{w.compare(name)}</bdi>
              </Command.Item>
            ))}
          {(['light', 'dark', 'system'] as const).map((theme) => (
            <Command.Item
              key={theme}
              className={item}
              value={`${w.theme} ${w[theme]}`}
              onSelect={go(() => setTheme(theme))}
            >
              {w.theme}: {w[theme]}
            </Command.Item>
          ))}
          <Command.Item className={item} value={w.signOut} onSelect={go(signOut)}>
            {w.signOut}
          </Command.Item>
        </Command.Group>
      </Command.List>
    </Command>
  );
}

/** A text once it has not changed for a moment. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), settleMs);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
