import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { accountClient } from '../api/client.ts';
import { Button, buttonClass } from '../kit/button.tsx';
import { Field, Input } from '../kit/field.tsx';
import { Refusal } from '../kit/states.tsx';
import { useLanguage } from '../words/language.ts';
import { useWords } from '../words/words.ts';
import { Frame } from './frame.tsx';
import { NewPasswordField } from './new-password.tsx';
import { forgetToken, useLinkToken } from './token.ts';
import { useAttempt } from './use-attempt.ts';
import { signInWords } from './words.ts';

/** Sends a link to an address; opened from that link, takes the new password. */
export function PasswordReset() {
  const token = useLinkToken('password-reset');
  return token ? <Choose key={token} token={token} /> : <Ask />;
}

function Ask() {
  const w = useWords(signInWords);
  const language = useLanguage();
  const [email, setEmail] = useState('');
  const [isSent, setSent] = useState(false);
  const { isBusy, refusal, attempt } = useAttempt();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void attempt(async () => {
      // The mail is in the language of the page, unless the account has chosen one.
      await accountClient().passwordResets.create({ email }, { headers: { 'accept-language': language } });
      setSent(true);
    });
  };
  if (isSent)
    return (
      <Frame title={w.resetSentTitle}>
        <p role="status" className="mb-4 text-body text-ink2">
          {w.resetSent}
        </p>
        <BackToSignIn />
      </Frame>
    );
  return (
    <Frame title={w.resetAskTitle}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <p className="text-body text-ink2">{w.resetBody}</p>
        {refusal !== null && <Refusal error={refusal} />}
        <Field label={w.email}>
          <Input
            type="email"
            autoComplete="username"
            required
            autoFocus
            value={email}
            onChange={(event) => setEmail(event.target.value)}
          />
        </Field>
        <Button submits kind="primary" isBusy={isBusy}>
          {w.resetAsk}
        </Button>
        <BackToSignIn />
      </form>
    </Frame>
  );
}

function Choose({ token }: { readonly token: string }) {
  const w = useWords(signInWords);
  const [password, setPassword] = useState('');
  const [isDone, setDone] = useState(false);
  const { isBusy, refusal, attempt } = useAttempt();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void attempt(async () => {
      await accountClient().passwordResets.confirm({ token, password });
      forgetToken('password-reset');
      setDone(true);
    });
  };
  return (
    <Frame title={w.resetTitle}>
      {isDone ? (
        <>
          <p role="status" className="mb-4 text-body text-ink2">
            {w.changed}
          </p>
          <BackToSignIn />
        </>
      ) : (
        <form onSubmit={submit} className="flex flex-col gap-4">
          {refusal !== null && <Refusal error={refusal} />}
          <NewPasswordField label={w.newPassword} value={password} onValue={setPassword} />
          <Button submits kind="primary" isBusy={isBusy}>
            {w.change}
          </Button>
        </form>
      )}
    </Frame>
  );
}

export function BackToSignIn() {
  const w = useWords(signInWords);
  return (
    <Link to="/sign-in" className={`${buttonClass('quiet')} self-start !px-0`}>
      {w.backToSignIn}
    </Link>
  );
}
