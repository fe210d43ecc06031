import { Section } from '../kit/page.tsx';
import { useWords } from '../words/words.ts';
import { BreakGlassAdmins } from './break-glass.tsx';
import { Connections } from './connections.tsx';
import { Domains } from './domains.tsx';
import { Requirement } from './policy.tsx';
import { securityWords } from './words.ts';

/** Single sign-on in the steps in which it is set up. */
export function SingleSignOn() {
  const w = useWords(securityWords);
  return (
    <>
      <p className="max-w-3xl text-body text-ink2">{w.ssoBody}</p>
      <Domains />
      <Connections />
      <BreakGlassAdmins />
      <Section title={w.stepEnforce}>
        <Requirement
          of="single_sign_on"
          said={{ required: w.requiredOn, optional: w.requiredOff }}
          require={{ title: w.require, body: w.requireBody }}
          release={{ title: w.makeOptional, body: w.optionalBody }}
        />
      </Section>
    </>
  );
}
