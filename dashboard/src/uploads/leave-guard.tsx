import { useBlocker } from '@tanstack/react-router';
import { Confirm } from '../kit/dialog.tsx';
import { useWords } from '../words/words.ts';
import { uploadWords } from './words.ts';

/** Asks before a page is left with which something is lost: by itself, files that are still being sent. */
export function LeaveGuard({
  isOn,
  title,
  body,
}: {
  readonly isOn: boolean;
  readonly title?: string;
  readonly body?: string;
}) {
  const w = useWords(uploadWords);
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => isOn && current.pathname !== next.pathname,
    enableBeforeUnload: false,
    withResolver: true,
  });
  return (
    <Confirm
      title={title ?? w.leaveTitle}
      body={body ?? w.leaveBody}
      action={w.leave}
      isOpen={status === 'blocked'}
      onClose={() => reset?.()}
      onConfirm={async () => proceed?.()}
    />
  );
}
