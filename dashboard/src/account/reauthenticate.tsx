import { useQuery } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { accountClient } from '../api/client.ts';
import { endProof, useIsProofAsked } from '../api/proof.ts';
import { useSession } from '../api/session.tsx';
import { Button, buttonClass } from '../kit/button.tsx';
import { Dialog, DialogFoot } from '../kit/dialog.tsx';
import { Field, Input } from '../kit/field.tsx';
import { Failed, Refusal, Skeleton } from '../kit/states.tsx';
import { useAttempt } from '../sign-in/use-attempt.ts';
import { common } from '../words/common.ts';
import { useWords } from '../words/words.ts';
import { hasPasskeys, proveWithPasskey } from './passkey.ts';
import { proofWords } from './proof-words.ts';

/** Whom the demo of the service makes, with a password. */
const demoEmail = 'demo@lender.example';

/** Asks for a fresh proof whenever an act wants one, and lets the act go on: see `withProof`. */
export function Reauthenticate() {
  const w = useWords(proofWords);
  const isAsked = useIsProofAsked();
  return (
    <Dialog title={w.title} description={w.body} isOpen={isAsked} onClose={() => endProof(false)} width="max-w-md">
      {isAsked && <Proofs />}
    </Dialog>
  );
}

function Proofs() {
  const ways = useQuery({ queryKey: ['proofs'], queryFn: readWays, gcTime: 0, staleTime: 0 });
  if (ways.isError) return <Failed error={ways.error} onRetry={() => ways.refetch()} />;
  if (!ways.data) return <Skeleton rows={2} />;
  const { isSso, hasApp, hasPasskey } = ways.data;
  if (isSso) return <AtProvider />;
  return (
    <div className="flex flex-col gap-4">
      {hasPasskey && <ByPasskey isOnly={!hasApp} />}
      {(hasApp || !hasPasskey) && <ByPassword hasApp={hasApp} />}
    </div>
  );
}

/** What this person can prove themselves by. A password alone is half a proof for who has a second factor. */
async function readWays() {
  const client = accountClient();
  const sessions = await client.sessions.list();
  if (sessions.data.some(({ current, method }) => current && (method === 'oidc' || method === 'saml')))
    return { isSso: true, hasApp: false, hasPasskey: false };
  const [factor, passkeys] = await Promise.all([client.secondFactor.get(), client.passkeys.list()]);
  return { isSso: false, hasApp: factor.totp, hasPasskey: passkeys.data.length > 0 };
}

function ByPassword({ hasApp }: { readonly hasApp: boolean }) {
  const w = useWords(proofWords);
  const c = useWords(common);
  const { user } = useSession();
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const { isBusy, refusal, attempt } = useAttempt();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // Portals pass events on to what is around them: a form behind the dialog is not sent by this one.
    event.stopPropagation();
    void attempt(async () => {
      await accountClient().session.reauthenticate({ password, ...(hasApp ? { code: code.trim() } : {}) });
      endProof(true);
    });
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      <input type="hidden" autoComplete="username" value={user.email} readOnly />
      <Field label={w.password} hint={user.email === demoEmail ? w.demoPassword : w.noPassword}>
        <Input
          type="password"
          autoComplete="current-password"
          required
          autoFocus
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
      </Field>
      {hasApp && (
        <Field label={w.code} hint={w.codeHint}>
          <Input autoComplete="one-time-code" required value={code} onChange={(event) => setCode(event.target.value)} />
        </Field>
      )}
      {refusal !== null && <Refusal error={refusal} />}
      <DialogFoot>
        <Button onClick={() => endProof(false)}>{c.cancel}</Button>
        <Button submits kind="primary" isBusy={isBusy}>
          {w.goOn}
        </Button>
      </DialogFoot>
    </form>
  );
}

function ByPasskey({ isOnly }: { readonly isOnly: boolean }) {
  const w = useWords(proofWords);
  const { isBusy, refusal, attempt } = useAttempt();
  if (!hasPasskeys()) return isOnly ? <p className="text-body text-ink2">{w.noPasskeys}</p> : null;
  const prove = () =>
    attempt(async () => {
      if (await proveWithPasskey()) endProof(true);
    });
  return (
    <div className="flex flex-col gap-3">
      {refusal !== null && <Refusal error={refusal} />}
      <Button kind="primary" icon={<KeyRound size={14} />} isBusy={isBusy} onClick={prove}>
        {w.passkey}
      </Button>
    </div>
  );
}

/** Who signed in by single sign-on proves it there, and comes back to this page. */
function AtProvider() {
  const w = useWords(proofWords);
  const { user } = useSession();
  const { data, isPending } = useQuery({
    queryKey: ['proofs', 'sso', user.email],
    queryFn: () => findProvider(user.email),
  });
  if (isPending) return <Skeleton rows={1} />;
  if (!data) return <p className="text-body text-ink2">{w.noProvider}</p>;
  const address = new URL(data, location.href);
  address.searchParams.set('reauthenticate', 'true');
  address.searchParams.set('return_to', location.pathname + location.search);
  return (
    <div className="flex flex-col items-start gap-3">
      <p className="text-body text-ink2">{w.atProviderBody}</p>
      <a href={address.href} className={buttonClass('primary')}>
        {w.atProvider}
      </a>
    </div>
  );
}

async function findProvider(email: string): Promise<string | null> {
  return (await accountClient().sessions.findSso({ email })).url;
}
