import { useState } from 'react';
import { useClient } from '../api/session.tsx';
import { useChange } from '../api/use-data.ts';
import { Button } from '../kit/button.tsx';
import { Confirm } from '../kit/dialog.tsx';
import { useWords } from '../words/words.ts';
import { dataWords } from './words.ts';

/** Refuses a proposed contract, once it is confirmed. Its files stay, and nothing of them is taken in. */
export function RejectContract({ id }: { readonly id: string }) {
  const w = useWords(dataWords);
  const client = useClient();
  const [isAsked, setAsked] = useState(false);
  const reject = useChange(() => client.contracts.reject(id), { changes: [['contracts']], isQuiet: true });
  return (
    <>
      <Button onClick={() => setAsked(true)}>{w.reject}</Button>
      <Confirm
        title={w.rejectTitle}
        body={w.rejectBody}
        action={w.reject}
        isOpen={isAsked}
        onClose={() => setAsked(false)}
        onConfirm={() => reject.mutateAsync(undefined)}
      />
    </>
  );
}
