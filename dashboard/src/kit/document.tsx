import { Eye, EyeOff } from 'lucide-react';
import { useState } from 'react';
import { common } from '../words/common.ts';
import { useWords, words } from '../words/words.ts';
import { documentKind, maskedCpf, punctuated } from './documents.ts';
import { sayRefusal } from './toast.tsx';

const text = words(
  { reveal: 'Show the CPF. That you looked is recorded in the audit log.', hide: 'Hide the CPF' },
  { reveal: 'Mostrar o CPF. Fica registrado na trilha de auditoria que você olhou.', hide: 'Ocultar o CPF' },
);

/** A key as it may stand in lists: a CPF masked, a CNPJ with its punctuation, all else as it is. */
export function KeyText({ text }: { readonly text: string }) {
  const kind = documentKind(text);
  return <>{kind === 'cpf' ? maskedCpf(text) : kind === 'cnpj' ? punctuated(text, 'cnpj') : text}</>;
}

/**
 * A key with a button that shows a masked CPF. `onReveal` tells the service first who looks at it; the CPF shows only
 * once that is recorded. Without it the mask stays.
 */
export function DocumentText({ of, onReveal }: { readonly of: string; onReveal?(): Promise<unknown> }) {
  const [isShown, setShown] = useState(false);
  if (documentKind(of) !== 'cpf')
    return (
      <span className="break-all font-mono text-meta">
        <KeyText text={of} />
      </span>
    );
  return (
    <span className="inline-flex items-center gap-1">
      <span className="whitespace-nowrap font-mono text-meta">{isShown ? punctuated(of, 'cpf') : maskedCpf(of)}</span>
      {onReveal && <RevealButton isShown={isShown} onReveal={onReveal} onShown={setShown} />}
    </span>
  );
}

/** Shows what is masked, after the service has recorded who looked. */
export function RevealButton({
  isShown,
  onReveal,
  onShown,
}: {
  readonly isShown: boolean;
  onReveal(): Promise<unknown>;
  onShown(isShown: boolean): void;
}) {
  const t = useWords(text);
  const c = useWords(common);
  const [isBusy, setBusy] = useState(false);
  const toggle = async () => {
    if (isShown) return onShown(false);
    setBusy(true);
    try {
      await onReveal();
      onShown(true);
    } catch (error) {
      sayRefusal(error);
    } finally {
      setBusy(false);
    }
  };
  const label = isShown ? t.hide : t.reveal;
  return (
    <button
      type="button"
      disabled={isBusy}
      aria-pressed={isShown}
      aria-label={label}
      title={label}
      onClick={toggle}
      className="inline-flex h-6 shrink-0 items-center gap-1 rounded px-1 text-ink2 text-meta hover:bg-sunken hover:text-ink"
    >
      {isShown ? <EyeOff size={12} aria-hidden="true" /> : <Eye size={12} aria-hidden="true" />}
      {isShown ? c.hide : c.reveal}
    </button>
  );
}
