import { Square } from 'lucide-react';
import { useState } from 'react';
import { Button } from './button.tsx';
import { Confirm } from './dialog.tsx';

/** Stops work that is under way, after it was asked what that means. */
export function Interrupt({
  words,
  isStopping = false,
  onInterrupt,
}: {
  readonly words: { readonly interrupt: string; readonly interruptTitle: string; readonly interruptBody: string };
  /** Whether it was asked to before, and has not ended yet. */
  readonly isStopping?: boolean;
  onInterrupt(): Promise<unknown>;
}) {
  const [isAsked, setAsked] = useState(false);
  return (
    <>
      <Button icon={<Square size={12} />} disabled={isStopping} onClick={() => setAsked(true)}>
        {words.interrupt}
      </Button>
      <Confirm
        title={words.interruptTitle}
        body={words.interruptBody}
        action={words.interrupt}
        isOpen={isAsked}
        onClose={() => setAsked(false)}
        onConfirm={onInterrupt}
      />
    </>
  );
}
