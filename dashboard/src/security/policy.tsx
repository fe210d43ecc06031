import type { Schemas } from '@lastro/sdk';
import { type ReactNode, useState } from 'react';
import { useSession } from '../api/session.tsx';
import { useChange, useData } from '../api/use-data.ts';
import { Button } from '../kit/button.tsx';
import { Confirm } from '../kit/dialog.tsx';
import { Panel, Section } from '../kit/page.tsx';
import { Failed, Skeleton } from '../kit/states.tsx';
import { Dot } from '../kit/status.tsx';
import { useWords } from '../words/words.ts';
import { securityWords } from './words.ts';

/** Whether members need a second factor. */
export function FactorPolicy() {
  const w = useWords(securityWords);
  return (
    <Section title={w.policy} description={w.policyBody} className="!mt-0">
      <Requirement
        of="second_factor"
        said={{ required: w.factorOn, optional: w.factorOff }}
        require={{ title: w.requireFactor, body: w.requireFactorBody }}
        release={{ title: w.makeOptional, body: w.factorOff }}
      />
    </Section>
  );
}

type Asked = { readonly title: string; readonly body: string };

/** A requirement of the organization, that is made and taken back. */
export function Requirement({
  of,
  said,
  require,
  release,
}: {
  readonly of: 'second_factor' | 'single_sign_on';
  readonly said: Readonly<Record<'required' | 'optional', ReactNode>>;
  readonly require: Asked;
  readonly release: Asked;
}) {
  const { organizationClient: client } = useSession();
  const [isAsked, setAsked] = useState(false);
  const organization = useData(['organization'], (signal) => client.organization.get({ signal }));
  const change = useChange((value: Schemas['Organization'][typeof of]) => client.organization.update({ [of]: value }), {
    changes: [['organization']],
    isQuiet: true,
  });
  if (organization.isError) return <Failed error={organization.error} onRetry={() => organization.refetch()} />;
  if (!organization.data) return <Skeleton rows={1} />;
  const isRequired = organization.data[of] === 'required';
  const asked = isRequired ? release : require;
  return (
    <Panel className="flex flex-wrap items-center justify-between gap-3 p-4">
      <span className="whitespace-normal">
        <Dot tone={isRequired ? 'good' : 'quiet'}>
          <span className="whitespace-normal">{isRequired ? said.required : said.optional}</span>
        </Dot>
      </span>
      <Button kind={isRequired ? 'secondary' : 'primary'} onClick={() => setAsked(true)}>
        {asked.title}
      </Button>
      <Confirm
        title={asked.title}
        body={asked.body}
        action={asked.title}
        isDanger={!isRequired}
        isOpen={isAsked}
        onClose={() => setAsked(false)}
        onConfirm={() => change.mutateAsync(isRequired ? 'optional' : 'required')}
      />
    </Panel>
  );
}
