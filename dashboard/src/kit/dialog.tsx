import { Dialog as Base } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import { type FormEvent, type ReactNode, useState } from 'react';
import { withProof } from '../api/proof.ts';
import { common } from '../words/common.ts';
import { useWords } from '../words/words.ts';
import { Button, IconButton } from './button.tsx';
import { Field, Input } from './field.tsx';
import { Refusal } from './states.tsx';

/** A dialog over the page. It closes by Escape, by the close button, and by `onClose`. */
export function Dialog({
  title,
  description,
  isOpen,
  onClose,
  children,
  width = 'max-w-lg',
}: {
  readonly title: ReactNode;
  readonly description?: ReactNode;
  readonly isOpen: boolean;
  onClose(): void;
  readonly children: ReactNode;
  readonly width?: string;
}) {
  const w = useWords(common);
  return (
    <Base.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-40 bg-black/30" />
        <Base.Popup
          className={`enter fixed top-[12vh] left-1/2 z-50 max-h-[80vh] w-[calc(100vw-32px)] -translate-x-1/2 overflow-auto rounded-[8px] border border-line bg-panel p-5 shadow-float ${width}`}
        >
          <div className="mb-3 flex items-start justify-between gap-4">
            <div className="min-w-0">
              <Base.Title className="font-semibold text-section">{title}</Base.Title>
              {description && <Base.Description className="mt-1 text-body text-ink2">{description}</Base.Description>}
            </div>
            <Base.Close render={<IconButton label={w.close} icon={<X size={16} />} />} />
          </div>
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
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
        {typed !== undefined && (
          <Field label={w.typeToConfirm(typed)}>
            <Input
              value={text}
              onChange={(event) => setText(event.target.value)}
              autoComplete="off"
              spellCheck={false}
            />
          </Field>
        )}
        {refusal !== null && <Refusal error={refusal} />}
        <div className="flex justify-end gap-2">
          <Button onClick={close}>{w.cancel}</Button>
          <Button
            submits
            kind={isDanger ? 'danger' : 'primary'}
            isBusy={isBusy}
            disabled={typed !== undefined && text !== typed}
          >
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
