import { AuthenticationError } from '@lastro/sdk';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { accountClient } from '../api/client.ts';
import { Button, buttonClass } from '../kit/button.tsx';
import { Refusal } from '../kit/states.tsx';
import { common } from '../words/common.ts';
import { useWords } from '../words/words.ts';
import { Frame } from './frame.tsx';
import { BackToSignIn } from './password-reset.tsx';
import { forgetToken, isTokenSpent, useLinkToken } from './token.ts';
import { useEnter } from './use-enter.ts';
import { signInWords } from './words.ts';

/** Ends a sign-up with the token of its mail, and signs in. */
export function SignUpVerification() {
  const w = useWords(signInWords);
  const enter = useEnter();
  return (
    <Spending
      page="sign-up"
      title={w.signUpTitle}
      spend={async (token) => {
        await accountClient().users.verify({ token });
        await enter();
      }}
    >
      {w.verifying}
    </Spending>
  );
}

/** Ends a change of address with the token of its mail. */
export function EmailVerification() {
  const w = useWords(signInWords);
  const [isDone, setDone] = useState(false);
  return (
    <Spending
      page="email"
      title={w.emailTitle}
      spend={async (token) => {
        await accountClient().user.verifyEmail({ token });
        setDone(true);
      }}
    >
      {isDone ? w.emailDone : w.verifying}
      {isDone && (
        <span className="mt-4 block">
          <Link to="/" className={buttonClass('primary')}>
            {w.goOn}
          </Link>
        </span>
      )}
    </Spending>
  );
}

/** Spends the token of a link as soon as the page is there: it is good once. What fails on the way is tried again. */
function Spending({
  page,
  title,
  spend,
  children,
}: {
  readonly page: string;
  readonly title: string;
  spend(token: string): Promise<void>;
  readonly children: ReactNode;
}) {
  const w = useWords(signInWords);
  const c = useWords(common);
  const token = useLinkToken(page);
  const [refusal, setRefusal] = useState<unknown>(null);
  const begun = useRef<string | null>(null);
  const begin = () => {
    if (!token) return;
    setRefusal(null);
    spend(token).then(
      () => forgetToken(page),
      (error: unknown) => {
        if (isTokenSpent(error)) forgetToken(page);
        setRefusal(error);
      },
    );
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each token, whatever is drawn again
  useEffect(() => {
    if (begun.current === token) return;
    begun.current = token;
    begin();
  }, [token]);
  return (
    <Frame title={title}>
      {refusal !== null || !token ? (
        <div className="flex flex-col gap-4">
          {refusal instanceof AuthenticationError ? (
            <SignInFirst page={page} />
          ) : (
            <>
              {refusal !== null ? <Refusal error={refusal} /> : <p>{w.linkNone}</p>}
              {refusal !== null && !isTokenSpent(refusal) && <Button onClick={begin}>{c.retry}</Button>}
              <BackToSignIn />
            </>
          )}
        </div>
      ) : (
        <div role="status" className="text-body text-ink2">
          {children}
        </div>
      )}
    </Frame>
  );
}

/** The token is kept meanwhile, and spent when the page is come back to. */
function SignInFirst({ page }: { readonly page: string }) {
  const w = useWords(signInWords);
  return (
    <>
      <p role="alert">{w.signInFirst}</p>
      <Link to="/sign-in" search={{ return_to: `/${page}` }} className={buttonClass('primary')}>
        {w.signIn}
      </Link>
    </>
  );
}
