import { useState } from 'react';
import { Button } from '../kit/button.tsx';
import { ConfirmAcceptance } from './confirm-acceptance.tsx';
import type { Contract } from './contract.ts';
import { breakingOf } from './report.ts';
import { useAcceptance } from './use-acceptance.ts';

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
  const accept = useAcceptance();
  const [isAsked, setAsked] = useState(false);
  return (
    <>
      <Button
        kind="primary"
        isBusy={accept.isPending}
        disabled={isBlocked}
        onClick={() => (breakingOf(contract).length > 0 ? setAsked(true) : accept.mutate(contract.id))}
      >
        {label}
      </Button>
      <ConfirmAcceptance contract={contract} action={label} isOpen={isAsked} onClose={() => setAsked(false)} />
    </>
  );
}
