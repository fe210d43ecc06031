import { AuthenticationError, LastroError } from '@lastro/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { accountClient } from '../api/client.ts';
import { leaveFor } from '../api/leave.ts';
import { Button, buttonClass } from '../kit/button.tsx';
import { Field, Input } from '../kit/field.tsx';
import { Failed, Refusal, Skeleton } from '../kit/states.tsx';
import { useLanguage } from '../words/language.ts';
import { useWords } from '../words/words.ts';
import { Frame } from './frame.tsx';
import { NewPasswordField } from './new-password.tsx';
import { BackToSignIn } from './password-reset.tsx';
import { forgetToken, useLinkToken } from './token.ts';
import { useAttempt } from './use-attempt.ts';
import { useEnter } from './use-enter.ts';
import { signInWords } from './words.ts';

/** Accepts an invitation: as who is signed in, or by making an account. */
export function Invitation() {
  const w = useWords(signInWords);
  const token = useLinkToken('invitation');
  const user = useQuery({ queryKey: ['invited'], queryFn: findUser, staleTime: 0, gcTime: 0 });
  return (
    <Frame title={w.invitationTitle}>
      {!token ? (
        <div className="flex flex-col gap-4">
          <p>{w.invitationNone}</p>
          <BackToSignIn />
        </div>
      ) : user.isError ? (
        <Failed error={user.error} onRetry={() => user.refetch()} />
      ) : user.data === undefined ? (
        <Skeleton rows={3} />
      ) : user.data ? (
        <AsMember key={token} token={token} email={user.data.email} />
      ) : (
        <AsNewcomer key={token} token={token} />
      )}
    </Frame>
  );
}

/** Who is signed in in this browser; null for nobody. */
async function findUser() {
  try {
    return await accountClient().user.get();
  } catch (error) {
    if (error instanceof AuthenticationError) return null;
    throw error;
  }
}

function AsMember({ token, email }: { readonly token: string; readonly email: string }) {
  const w = useWords(signInWords);
  const enter = useEnter();
  const { isBusy, refusal, attempt } = useAttempt();
  const accept = () =>
    attempt(async () => {
      await accountClient().invitations.accept({ token });
      forgetToken('invitation');
      await enter();
    });
  const leave = () =>
    attempt(async () => {
      await accountClient().session.end();
      leaveFor('/sign-in?return_to=/invitation');
    });
  return (
    <div className="flex flex-col gap-4">
      <p className="break-words text-body text-ink2">{w.invitationFor(email)}</p>
      {refusal !== null && <Refusal error={refusal} />}
      <Button kind="primary" isBusy={isBusy} onClick={accept}>
        {w.accept}
      </Button>
      <Button kind="quiet" onClick={leave}>
        {w.otherAccount}
      </Button>
    </div>
  );
}

function AsNewcomer({ token }: { readonly token: string }) {
  const w = useWords(signInWords);
  const language = useLanguage();
  const enter = useEnter();
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const { isBusy, refusal, attempt } = useAttempt();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void attempt(async () => {
      await accountClient().invitations.acceptAsNewcomer({ token, name, password, language });
      forgetToken('invitation');
      await enter();
    });
  };
  const signIn = (
    <Link to="/sign-in" search={{ return_to: '/invitation' }} className={buttonClass()}>
      {w.invitationHave}
    </Link>
  );
  if (refusal instanceof LastroError && (refusal.code === 'sign_in_first' || refusal.code === 'sso_required'))
    return (
      <div className="flex flex-col gap-4">
        <p role="alert">{refusal.code === 'sign_in_first' ? w.invitationExists : refusal.detail}</p>
        {signIn}
      </div>
    );
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      <p className="text-body text-ink2">{w.invitationBody}</p>
      {refusal !== null && <Refusal error={refusal} />}
      <Field label={w.yourName}>
        <Input
          autoComplete="name"
          required
          autoFocus
          maxLength={300}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
      </Field>
      <NewPasswordField label={w.password} value={password} onValue={setPassword} />
      <Button submits kind="primary" isBusy={isBusy}>
        {w.accept}
      </Button>
      {signIn}
    </form>
  );
}
