import { useState } from 'react';
import { Button } from '../kit/button.tsx';
import { Confirm } from '../kit/dialog.tsx';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import type { Contract } from './contract.ts';
import { breakingOf, isLoss } from './report.ts';
import { useAcceptance } from './use-acceptance.ts';
import { dataWords } from './words.ts';

/** Changes that a question lists. */
const changesListed = 12;

/**
 * Accepts a proposed contract. Who accepts one that takes away what the data have, or by which files or models may
 * break, is asked first.
 */
export function AcceptContract({
  contract,
  label,
  isBlocked = false,
}: {
  readonly contract: Contract;
  readonly label: string;
  /** Where the reason stands beside it. */
  readonly isBlocked?: boolean;
}) {
  const w = useWords(dataWords);
  const format = useFormat();
  const accept = useAcceptance();
  const [isAsked, setAsked] = useState(false);
  const breaking = breakingOf(contract);
  const isLost = breaking.some(isLoss);
  return (
    <>
      <Button
        kind="primary"
        isBusy={accept.isPending}
        disabled={isBlocked}
        onClick={() => (breaking.length > 0 ? setAsked(true) : accept.mutate(contract.id))}
      >
        {label}
      </Button>
      <Confirm
        title={isLost ? w.acceptLossTitle : w.acceptBreakingTitle}
        body={isLost ? w.acceptLossBody : w.acceptBreakingBody}
        action={label}
        {...(isLost ? { typed: w.acceptLossWord } : {})}
        isOpen={isAsked}
        onClose={() => setAsked(false)}
        onConfirm={() => accept.mutateAsync(contract.id)}
      >
        <ul className="list-disc pl-5">
          {breaking.slice(0, changesListed).map(({ path, kind }) => (
            <li key={path}>
              <code className="break-all font-mono text-meta">{path}</code> · {w[kind]}
            </li>
          ))}
          {breaking.length > changesListed && <li>{w.moreChanges(format.integer(breaking.length - changesListed))}</li>}
        </ul>
      </Confirm>
    </>
  );
}
