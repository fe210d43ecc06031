import { useBlocker } from '@tanstack/react-router';
import { Confirm } from '../kit/dialog.tsx';
import { useWords } from '../words/words.ts';
import { uploadWords } from './words.ts';

/** Asks before a page is left by whose end files would not be sent to theirs. */
export function LeaveGuard({ isOn }: { readonly isOn: boolean }) {
  const w = useWords(uploadWords);
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => isOn && current.pathname !== next.pathname,
    enableBeforeUnload: false,
    withResolver: true,
  });
  return (
    <Confirm
      title={w.leaveTitle}
      body={w.leaveBody}
      action={w.leave}
      isOpen={status === 'blocked'}
      onClose={() => reset?.()}
      onConfirm={async () => proceed?.()}
    />
  );
}
