import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { accountClient } from '../api/client.ts';
import { Button } from '../kit/button.tsx';
import { Field, Input } from '../kit/field.tsx';
import { Refusal } from '../kit/states.tsx';
import { useLanguage } from '../words/language.ts';
import { useWords } from '../words/words.ts';
import { Frame } from './frame.tsx';
import { NewPasswordField } from './new-password.tsx';
import { BackToSignIn } from './password-reset.tsx';
import { useAttempt } from './use-attempt.ts';
import { signInWords } from './words.ts';

/** Begins an account with a new organization; a mail proves the address before anything is made. */
export function SignUp() {
  const w = useWords(signInWords);
  const language = useLanguage();
  const [email, setEmail] = useState('');
  const [name, setName] = useState('');
  const [organization, setOrganization] = useState('');
  const [password, setPassword] = useState('');
  const [isSent, setSent] = useState(false);
  const { isBusy, refusal, attempt } = useAttempt();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void attempt(async () => {
      const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
      await accountClient().users.create({ email, password, name, organization, language, time_zone: timeZone });
      setSent(true);
    });
  };
  if (isSent)
    return (
      <Frame title={w.resetSentTitle}>
        <p role="status" className="mb-4 text-body text-ink2">
          {w.signUpSent}
        </p>
        <BackToSignIn />
      </Frame>
    );
  return (
    <Frame title={w.signUpTitle}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <p className="text-body text-ink2">{w.signUpBody}</p>
        {refusal !== null && <Refusal error={refusal} />}
        <Field label={w.email}>
          <Input
            type="email"
            autoComplete="username"
            required
            autoFocus
            maxLength={254}
            value={email}
            onChange={(event) => setEmail(event.target.value)}
          />
        </Field>
        <Field label={w.yourName}>
          <Input
            autoComplete="name"
            required
            maxLength={300}
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        </Field>
        <Field label={w.organization}>
          <Input
            autoComplete="organization"
            required
            maxLength={300}
            value={organization}
            onChange={(event) => setOrganization(event.target.value)}
          />
        </Field>
        <NewPasswordField label={w.password} value={password} onValue={setPassword} />
        <Button submits kind="primary" isBusy={isBusy}>
          {w.signUp}
        </Button>
        <p className="text-body text-ink2">
          {w.haveAccount}{' '}
          <Link to="/sign-in" className="text-accent underline underline-offset-2">
            {w.signIn}
          </Link>
        </p>
      </form>
    </Frame>
  );
}
