import { getRouteApi, Link as PageLink } from '@tanstack/react-router';
import { KeyRound } from 'lucide-react';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { hasPasskeys, signInWithPasskey } from '../account/passkey.ts';
import { accountClient } from '../api/client.ts';
import { Button } from '../kit/button.tsx';
import { Field, Input } from '../kit/field.tsx';
import { Refusal } from '../kit/states.tsx';
import { common } from '../words/common.ts';
import { useWords } from '../words/words.ts';
import { Frame } from './frame.tsx';
import { isTokenSpent, useLaterLink } from './token.ts';
import { useAttempt } from './use-attempt.ts';
import { useEnter } from './use-enter.ts';
import { signInWords } from './words.ts';

const route = getRouteApi('/sign-in');

type Step =
  | { readonly is: 'email' }
  | { readonly is: 'password'; readonly ssoUrl: string | null }
  | { readonly is: 'code'; readonly token: string }
  | { readonly is: 'link'; readonly token: string };

/**
 * Asks for the address first: the service then says whether its people sign in by single sign-on. A token in the
 * fragment is that of a link of the operator.
 */
export function SignIn() {
  const w = useWords(signInWords);
  const { ended } = route.useSearch();
  const [email, setEmail] = useState('');
  const [step, setStep] = useState<Step>(() => (location.hash.length > 1 ? stepOfLink() : { is: 'email' }));
  useLaterLink(() => setStep(stepOfLink()));
  const title = step.is === 'code' ? w.codeTitle : w.title;
  return (
    <Frame title={title}>
      {ended && step.is === 'email' && (
        <p role="status" className="mb-4 text-body text-ink2">
          {w.ended}
        </p>
      )}
      {step.is === 'link' && <Link key={step.token} token={step.token} onFailed={() => setStep({ is: 'email' })} />}
      {step.is === 'email' && <Address email={email} onEmail={setEmail} onStep={setStep} />}
      {step.is === 'password' && <Password email={email} ssoUrl={step.ssoUrl} onStep={setStep} />}
      {step.is === 'code' && <Code token={step.token} />}
    </Frame>
  );
}

const stepOfLink = (): Step => ({ is: 'link', token: location.hash.slice(1) });

function Link({ token, onFailed }: { readonly token: string; onFailed(): void }) {
  const w = useWords(signInWords);
  const c = useWords(common);
  const enter = useEnter();
  const [refusal, setRefusal] = useState<unknown>(null);
  const hasTaken = useRef(false);
  const begin = () => {
    setRefusal(null);
    accountClient().sessions.createWithLink({ token }).then(enter, setRefusal);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, whatever is drawn again
  useEffect(() => {
    // A token is good once, and effects of development run twice.
    if (hasTaken.current) return;
    hasTaken.current = true;
    history.replaceState(null, '', location.pathname + location.search);
    begin();
  }, []);
  if (refusal === null) return <p role="status">{w.signingIn}</p>;
  return (
    <div className="flex flex-col items-start gap-4">
      {isTokenSpent(refusal) ? (
        <p role="alert">{w.linkSpent}</p>
      ) : (
        <>
          <Refusal error={refusal} />
          <Button kind="primary" onClick={begin}>
            {c.retry}
          </Button>
        </>
      )}
      <Button onClick={onFailed}>{w.backToSignIn}</Button>
    </div>
  );
}

function Address({
  email,
  onEmail,
  onStep,
}: {
  readonly email: string;
  onEmail(email: string): void;
  onStep(step: Step): void;
}) {
  const w = useWords(signInWords);
  const { isBusy, refusal, attempt } = useAttempt();
  const enter = useEnter();
  const byPasskey = () =>
    attempt(async () => {
      if (await signInWithPasskey()) await enter();
    });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void attempt(async () => {
      const { url } = await accountClient().sessions.findSso({ email });
      onStep({ is: 'password', ssoUrl: url });
    });
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      {refusal !== null && <Refusal error={refusal} />}
      <Field label={w.email}>
        <Input
          type="email"
          name="email"
          autoComplete="username"
          required
          autoFocus
          value={email}
          onChange={(event) => onEmail(event.target.value)}
        />
      </Field>
      <Button submits kind="primary" isBusy={isBusy}>
        {w.next}
      </Button>
      {hasPasskeys() && (
        <Button icon={<KeyRound size={14} />} onClick={byPasskey}>
          {w.passkey}
        </Button>
      )}
      <p className="text-body text-ink2">
        {w.noAccount}{' '}
        <PageLink to="/sign-up" className="text-accent underline underline-offset-2">
          {w.signUp}
        </PageLink>
      </p>
    </form>
  );
}

function Password({
  email,
  ssoUrl,
  onStep,
}: {
  readonly email: string;
  readonly ssoUrl: string | null;
  onStep(step: Step): void;
}) {
  const w = useWords(signInWords);
  const { return_to: returnTo } = route.useSearch();
  const [usesPassword, setUsesPassword] = useState(ssoUrl === null);
  const [password, setPassword] = useState('');
  const [isCapsLock, setCapsLock] = useState(false);
  const { isBusy, refusal, attempt } = useAttempt();
  const enter = useEnter();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void attempt(async () => {
      const answer = await accountClient().sessions.create({ email, password });
      if ('token' in answer) onStep({ is: 'code', token: answer.token });
      else await enter();
    });
  };
  return (
    <div className="flex flex-col gap-4">
      <p className="flex items-baseline justify-between gap-2">
        <span className="min-w-0 truncate font-medium">{email}</span>
        <button type="button" className="rounded py-1 text-accent text-meta" onClick={() => onStep({ is: 'email' })}>
          {w.changeEmail}
        </button>
      </p>
      {refusal !== null && <Refusal error={refusal} />}
      {ssoUrl !== null && (
        <a
          href={
            returnTo ? `${ssoUrl}${ssoUrl.includes('?') ? '&' : '?'}return_to=${encodeURIComponent(returnTo)}` : ssoUrl
          }
          className="inline-flex h-8 items-center justify-center rounded-[6px] bg-ink px-3 font-medium text-canvas"
        >
          {w.withSso}
        </a>
      )}
      {ssoUrl !== null && !usesPassword && (
        <Button kind="quiet" onClick={() => setUsesPassword(true)}>
          {w.otherWay}
        </Button>
      )}
      {usesPassword && (
        <form onSubmit={submit} className="flex flex-col gap-4">
          <input type="hidden" name="email" autoComplete="username" value={email} readOnly />
          <Field label={w.password} hint={isCapsLock ? w.capsLock : undefined}>
            <Input
              type="password"
              name="password"
              autoComplete="current-password"
              required
              autoFocus
              value={password}
              onChange={(event) => setPassword(event.target.value)}
              onKeyUp={(event) => setCapsLock(event.getModifierState('CapsLock'))}
            />
          </Field>
          <Button submits kind="primary" isBusy={isBusy}>
            {w.signIn}
          </Button>
          <PageLink to="/password-reset" className="self-start text-accent text-body underline underline-offset-2">
            {w.forgot}
          </PageLink>
        </form>
      )}
    </div>
  );
}

function Code({ token }: { readonly token: string }) {
  const w = useWords(signInWords);
  const [code, setCode] = useState('');
  const { isBusy, refusal, attempt } = useAttempt();
  const enter = useEnter();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void attempt(async () => {
      await accountClient().sessions.createWithSecondFactor({ token, code: code.trim() });
      await enter();
    });
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      {refusal !== null && <Refusal error={refusal} />}
      <Field label={w.code} hint={w.codeHint}>
        <Input
          name="code"
          inputMode="text"
          autoComplete="one-time-code"
          required
          autoFocus
          value={code}
          onChange={(event) => setCode(event.target.value)}
        />
      </Field>
      <Button submits kind="primary" isBusy={isBusy}>
        {w.signIn}
      </Button>
    </form>
  );
}
