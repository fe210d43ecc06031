import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { accountClient } from '../api/client.ts';
import { type User, useSession } from '../api/session.tsx';
import { useChange } from '../api/use-data.ts';
import { useRefreshUser } from '../api/use-refresh-user.ts';
import { Button } from '../kit/button.tsx';
import { Confirm } from '../kit/dialog.tsx';
import { Field, Input, Segmented } from '../kit/field.tsx';
import { Page, Panel, Section } from '../kit/page.tsx';
import { Refusal } from '../kit/states.tsx';
import { say } from '../kit/toast.tsx';
import { pageNames } from '../shell/pages.ts';
import { setShortcutsOn, useShortcutsOn } from '../shell/shortcut-choice.ts';
import { setTheme, useThemeChoice } from '../shell/theme.ts';
import { common } from '../words/common.ts';
import { languages, setLanguage, useLanguage } from '../words/language.ts';
import { useWords } from '../words/words.ts';
import { Address, Password } from './credentials.tsx';
import { Passkeys } from './passkeys.tsx';
import { SecondFactor } from './second-factor.tsx';
import { Sessions } from './sessions.tsx';
import { MailSuppressions } from './suppressions.tsx';
import { accountWords } from './words.ts';

/** What the person is and has, whichever workspace they act in. */
export function Account() {
  const w = useWords(accountWords);
  const { account: title } = useWords(pageNames);
  return (
    <Page title={title} description={w.description}>
      <Profile />
      <Places />
      <Address />
      <Password />
      <SecondFactor />
      <Passkeys />
      <Sessions />
      <MailSuppressions />
      <Leaving />
    </Page>
  );
}

function Profile() {
  const w = useWords(accountWords);
  const c = useWords(common);
  const { user } = useSession();
  const language = useLanguage();
  const theme = useThemeChoice();
  const areShortcutsOn = useShortcutsOn();
  const refresh = useRefreshUser();
  const [name, setName] = useState(user.name);
  const rename = useChange(
    async (name: string) => {
      await accountClient().user.update({ name });
      await refresh();
      say(c.saved);
    },
    { isQuiet: true },
  );
  const speak = useChange(async (language: User['language']) => {
    setLanguage(language);
    await accountClient().user.update({ language });
    await refresh();
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    rename.mutate(name);
  };
  return (
    <Section title={w.profile} className="!mt-0">
      <Panel className="flex flex-col gap-4 p-4">
        <form onSubmit={submit} className="flex flex-wrap items-end gap-2">
          <Field label={w.yourName} className="w-72">
            <Input
              autoComplete="name"
              required
              maxLength={300}
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
          </Field>
          <Button submits isBusy={rename.isPending} disabled={name === user.name}>
            {c.save}
          </Button>
        </form>
        {rename.error && <Refusal error={rename.error} />}
        <div className="flex flex-wrap gap-x-8 gap-y-3">
          <div className="flex flex-col items-start gap-1">
            <span className="font-medium text-body">{w.language}</span>
            <Segmented
              label={w.language}
              options={languages}
              value={language}
              onValue={(value) => speak.mutate(value)}
            />
          </div>
          <div className="flex flex-col items-start gap-1">
            <span className="font-medium text-body">
              {w.theme} <span className="font-normal text-ink3 text-meta">{w.onThisDevice}</span>
            </span>
            <Segmented
              label={w.theme}
              options={(['light', 'dark', 'system'] as const).map((value) => ({ value, label: w[value] }))}
              value={theme}
              onValue={setTheme}
            />
          </div>
          <div className="flex flex-col items-start gap-1">
            <span className="font-medium text-body">
              {w.shortcuts} <span className="font-normal text-ink3 text-meta">{w.onThisDevice}</span>
            </span>
            <Segmented
              label={w.shortcuts}
              options={[
                { value: 'on', label: w.on },
                { value: 'off', label: w.off },
              ]}
              value={areShortcutsOn ? 'on' : 'off'}
              onValue={(value) => setShortcutsOn(value === 'on')}
            />
            <span className="text-ink3 text-meta">{w.shortcutsBody}</span>
          </div>
        </div>
      </Panel>
    </Section>
  );
}

/** In which organizations and workspaces they have which roles. */
function Places() {
  const w = useWords(accountWords);
  const c = useWords(common);
  const { user } = useSession();
  const roles: Readonly<Record<string, string>> = c.roles;
  return (
    <Section title={w.roles}>
      <Panel className="divide-y divide-line">
        {user.organizations.map((organization) => (
          <div key={organization.id} className="grid gap-x-6 px-4 py-2 sm:grid-cols-[200px_minmax(0,1fr)]">
            <span className="min-w-0 break-words font-medium">
              <bdi>{organization.name}</bdi>
            </span>
            <ul className="min-w-0">
              {organization.role && (
                <li className="flex flex-wrap justify-between gap-x-4">
                  <span>{w.wholeOrganization}</span>
                  <span className="text-ink2">{roles[organization.role] ?? organization.role}</span>
                </li>
              )}
              {user.workspaces
                .filter(({ organization_id: id }) => id === organization.id)
                .map((workspace) => (
                  <li key={workspace.id} className="flex flex-wrap justify-between gap-x-4">
                    <Link
                      to="/"
                      search={{ workspace: workspace.id }}
                      className="min-w-0 truncate text-accent underline underline-offset-2"
                    >
                      <bdi>{workspace.name}</bdi>
                    </Link>
                    <span className="text-ink2">
                      {workspace.roles.map((role) => roles[role] ?? role).join(', ')}
                      {workspace.status === 'archived' && ` · ${c.statuses.archived}`}
                    </span>
                  </li>
                ))}
            </ul>
          </div>
        ))}
      </Panel>
    </Section>
  );
}

function Leaving() {
  const w = useWords(accountWords);
  const { user } = useSession();
  const [isOpen, setOpen] = useState(false);
  return (
    <Section title={w.leave} description={w.leaveBody}>
      <Button kind="danger" onClick={() => setOpen(true)}>
        {w.leaveAction}
      </Button>
      <Confirm
        title={w.leave}
        body={w.leaveBody}
        action={w.leaveAction}
        typed={user.email}
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        onConfirm={async () => {
          await accountClient().user.delete();
          location.assign('/sign-in');
        }}
      />
    </Section>
  );
}
