import { X } from 'lucide-react';
import { type FormEvent, type MouseEvent, type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react';
import { withProof } from '../api/proof.ts';
import { common } from '../words/common.ts';
import { useWords } from '../words/words.ts';
import { Button, IconButton } from './button.tsx';
import { Field, Input } from './field.tsx';
import { Refusal } from './states.tsx';
import { Toasts } from './toast.tsx';

type DialogProps = {
  readonly title: ReactNode;
  readonly description?: ReactNode;
  readonly isOpen: boolean;
  onClose(): void;
  readonly children: ReactNode;
  readonly width?: string;
};

/**
 * A dialog over the page, the browser's own: all else is out of reach meanwhile, and focus returns to where it was. It
 * closes by Escape, by the close button, by a click beside it, and by `onClose`.
 */
export function Dialog({ isOpen, ...rest }: DialogProps) {
  return isOpen && <OpenDialog {...rest} />;
}

function OpenDialog({ title, description, onClose, children, width = 'max-w-lg' }: Omit<DialogProps, 'isOpen'>) {
  const w = useWords(common);
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const element = dialog.current;
    if (!element) return;
    element.showModal();
    const first = element.querySelector<HTMLElement>('input:not([type="hidden"]), textarea, select');
    // A long dialog opens at its top.
    (first ?? element).focus({ preventScroll: true });
    return () => element.close();
  }, []);
  const closeBeside = (event: MouseEvent) => {
    const { left, right, top, bottom } = event.currentTarget.getBoundingClientRect();
    const { clientX: x, clientY: y } = event;
    // Keys press buttons without a place.
    if (event.target === event.currentTarget && (x < left || x > right || y < top || y > bottom)) onClose();
  };
  return (
    <dialog
      ref={dialog}
      tabIndex={-1}
      aria-labelledby={`${id}-title`}
      aria-describedby={description ? `${id}-description` : undefined}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onMouseDown={closeBeside}
      className={`enter mx-auto mt-[12vh] max-h-[80vh] w-[calc(100vw-32px)] scroll-py-16 overflow-auto rounded-[8px] border border-line bg-panel p-5 text-ink shadow-float outline-none backdrop:bg-black/30 ${width}`}
    >
      <div className="sticky -top-5 z-10 -mx-5 -mt-5 flex items-center justify-between gap-4 bg-panel px-5 pt-5 pb-2">
        <h2 id={`${id}-title`} className="min-w-0 font-semibold text-section">
          {title}
        </h2>
        <IconButton label={w.close} icon={<X size={16} />} onClick={onClose} />
      </div>
      {description && (
        <div id={`${id}-description`} className="mb-3 text-body text-ink2">
          {description}
        </div>
      )}
      {children}
      <Toasts />
    </dialog>
  );
}

/** The buttons of a dialog, with what is typed to confirm: they stay in sight where it is longer than the window. */
export function DialogFoot({ children }: { readonly children: ReactNode }) {
  return (
    <div className="sticky -bottom-5 z-10 -mx-5 -mb-5 flex flex-wrap justify-end gap-2 rounded-b-[8px] bg-panel px-5 pt-2 pb-5">
      {children}
    </div>
  );
}

/** The text that is typed to confirm what breaks what others use. */
export function TypedConfirmation({
  expected,
  value,
  onValue,
}: {
  readonly expected: string;
  readonly value: string;
  onValue(value: string): void;
}) {
  const w = useWords(common);
  return (
    <Field label={w.typeToConfirm(expected)} className="mb-2 w-full">
      <Input value={value} onChange={({ target }) => onValue(target.value)} autoComplete="off" spellCheck={false} />
    </Field>
  );
}

/**
 * Asks before something that cannot be taken back. `typed`: a text to be typed first, for what breaks what others use.
 * A refusal stays in the dialog and says why; where a fresh proof is wanted, that is asked for, and it goes on.
 */
export function Confirm({
  title,
  body,
  action,
  typed,
  isDanger = true,
  isOpen,
  onClose,
  onConfirm,
  children,
}: {
  readonly title: ReactNode;
  readonly body?: ReactNode;
  readonly action: string;
  readonly typed?: string;
  readonly isDanger?: boolean;
  readonly isOpen: boolean;
  onClose(): void;
  onConfirm(): Promise<unknown>;
  readonly children?: ReactNode;
}) {
  const w = useWords(common);
  const [text, setText] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<unknown>(null);
  const close = () => {
    setText('');
    setRefusal(null);
    onClose();
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setRefusal(null);
    try {
      await withProof(onConfirm);
      close();
    } catch (error) {
      setRefusal(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog title={title} description={body} isOpen={isOpen} onClose={close}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        {children}
        {refusal !== null && <Refusal error={refusal} />}
        <DialogFoot>
          {typed !== undefined && <TypedConfirmation expected={typed} value={text} onValue={setText} />}
          <Button onClick={close}>{w.cancel}</Button>
          <Button
            submits
            kind={isDanger ? 'danger' : 'primary'}
            isBusy={isBusy}
            disabled={typed !== undefined && text !== typed}
          >
            {action}
          </Button>
        </DialogFoot>
      </form>
    </Dialog>
  );
}
