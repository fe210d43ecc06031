import { type FormEvent, useState } from 'react';
import { accountClient } from '../api/client.ts';
import { useSession } from '../api/session.tsx';
import { useChange } from '../api/use-data.ts';
import { Button } from '../kit/button.tsx';
import { Field, Input } from '../kit/field.tsx';
import { Moment } from '../kit/moment.tsx';
import { Panel, Section } from '../kit/page.tsx';
import { Refusal } from '../kit/states.tsx';
import { say } from '../kit/toast.tsx';
import { NewPasswordField } from '../sign-in/new-password.tsx';
import { useWords } from '../words/words.ts';
import { accountWords } from './words.ts';

/** The address by which the person signs in, and how it is changed. */
export function Address() {
  const w = useWords(accountWords);
  const { user } = useSession();
  const [email, setEmail] = useState('');
  const ask = useChange((email: string) => accountClient().user.requestEmail({ email }), { isQuiet: true });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    ask.mutate(email);
  };
  return (
    <Section title={w.email} description={w.emailBody}>
      <Panel className="flex flex-col gap-3 p-4">
        <p className="break-words">
          <b className="font-medium">{user.email}</b>{' '}
          <span className="text-ink3 text-meta">
            {w.provedAt} <Moment at={user.email_verified_at} />
          </span>
        </p>
        <form onSubmit={submit} className="flex flex-wrap items-end gap-2">
          <Field label={w.newEmail} className="w-72">
            <Input
              type="email"
              autoComplete="email"
              required
              maxLength={254}
              value={email}
              onChange={(event) => setEmail(event.target.value)}
            />
          </Field>
          <Button submits isBusy={ask.isPending}>
            {w.changeEmail}
          </Button>
        </form>
        {ask.error && <Refusal error={ask.error} />}
        {ask.isSuccess && (
          <p role="status" className="text-body text-good">
            {w.emailSent(ask.variables)}
          </p>
        )}
      </Panel>
    </Section>
  );
}

export function Password() {
  const w = useWords(accountWords);
  const [password, setPassword] = useState('');
  const change = useChange(
    async (password: string) => {
      await accountClient().user.setPassword({ password });
      setPassword('');
      say(w.passwordChanged);
    },
    { isQuiet: true, changes: [['sessions']] },
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change.mutate(password);
  };
  return (
    <Section title={w.password} description={w.passwordBody}>
      <Panel className="p-4">
        <form onSubmit={submit} className="flex max-w-sm flex-col items-start gap-3">
          <div className="w-full">
            <NewPasswordField label={w.newPassword} value={password} onValue={setPassword} />
          </div>
          {change.error && <Refusal error={change.error} />}
          <Button submits isBusy={change.isPending}>
            {w.changePassword}
          </Button>
        </form>
      </Panel>
    </Section>
  );
}
