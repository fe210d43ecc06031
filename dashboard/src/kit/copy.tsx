import { Check, CopyIcon } from 'lucide-react';
import { useState } from 'react';
import { common } from '../words/common.ts';
import { useWords } from '../words/words.ts';

/** A text in the machine's type, such as an id, with a button that copies it. `shown`: a shorter form of it. */
export function Copy({ text, shown = text }: { readonly text: string; readonly shown?: string }) {
  const w = useWords(common);
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), 1500);
  };
  return (
    <span className="inline-flex max-w-full items-center gap-1 align-bottom">
      <code className="truncate font-mono text-meta" title={text}>
        {shown}
      </code>
      <button
        type="button"
        onClick={copy}
        aria-label={`${w.copy} ${text}`}
        className="inline-flex size-6 shrink-0 items-center justify-center rounded text-ink3 hover:bg-sunken hover:text-ink"
      >
        {isCopied ? <Check size={12} className="text-good" /> : <CopyIcon size={12} />}
      </button>
      <span aria-live="polite" className="sr-only">
        {isCopied ? w.copied : ''}
      </span>
    </span>
  );
}

/** The end of an id, which tells two of them apart in a list; the whole one is copied. */
export function Id({ id }: { readonly id: string }) {
  const [prefix] = id.split('_', 1);
  return <Copy text={id} shown={`${prefix}_…${id.slice(-6)}`} />;
}
