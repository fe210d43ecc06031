import { common } from '../words/common.ts';
import { useWords } from '../words/words.ts';

/** A switch by which a page follows what happens. */
export function Live({ isOn, onChange }: { readonly isOn: boolean; onChange(isOn: boolean): void }) {
  const w = useWords(common);
  return (
    <button
      type="button"
      role="switch"
      aria-checked={isOn}
      onClick={() => onChange(!isOn)}
      className={`inline-flex h-8 items-center gap-1.5 rounded-[6px] border px-3 font-medium text-body ${isOn ? 'border-accent bg-accent-soft text-accent' : 'border-line2/50 bg-panel text-ink hover:bg-sunken'}`}
    >
      <span className={`size-2 rounded-full ${isOn ? 'animate-pulse bg-accent' : 'bg-line2'}`} aria-hidden="true" />
      {w.live}
    </button>
  );
}
