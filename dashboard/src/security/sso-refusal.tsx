import { LastroError } from '@lastro/sdk';
import { useSession } from '../api/session.tsx';
import { CodeBlock } from '../kit/code.tsx';
import { Refusal } from '../kit/states.tsx';
import { useWords } from '../words/words.ts';
import { securityWords } from './words.ts';

/** A refusal, and where single sign-on is switched off for the organization, what switches it on. */
export function SsoRefusal({ error }: { readonly error: unknown }) {
  const w = useWords(securityWords);
  const { organization } = useSession();
  if (!(error instanceof LastroError) || error.code !== 'feature_disabled') return <Refusal error={error} />;
  return (
    <div role="alert" className="flex flex-col gap-2">
      <p>{w.featureOff}</p>
      <CodeBlock
        label={w.featureOff}
        code={`lastro admin feature enable sso --organization ${organization?.id ?? 'org_…'}`}
      />
    </div>
  );
}
