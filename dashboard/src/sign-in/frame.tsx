import { type ReactNode, useEffect } from 'react';
import { bands } from '../kit/bands.tsx';
import { Segmented } from '../kit/field.tsx';
import { languages, setLanguage, useLanguage } from '../words/language.ts';
import { useWords, words } from '../words/words.ts';

const text = words({ language: 'Language' }, { language: 'Idioma' });

/** The frame of the pages before the sign-in. */
export function Frame({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const language = useLanguage();
  const w = useWords(text);
  useEffect(() => {
    document.title = `${title} · Lastro`;
  }, [title]);
  return (
    <div className="flex min-h-dvh flex-col">
      <div className="flex h-1.5 w-full" aria-hidden="true">
        {[...bands].reverse().map(({ name, color }) => (
          <span key={name} className="flex-1" style={{ background: color }} />
        ))}
      </div>
      <header className="flex items-center justify-between px-6 py-4">
        <span className="flex items-center gap-2 font-semibold text-section">
          <img src="/favicon.svg" alt="" className="size-6" /> Lastro
        </span>
        <Segmented label={w.language} options={languages} value={language} onValue={setLanguage} />
      </header>
      <main className="mx-auto flex w-full max-w-sm flex-1 flex-col px-6 pt-[10vh] pb-16">
        <h1 className="mb-5 font-semibold text-title tracking-[-0.015em]">{title}</h1>
        {children}
      </main>
    </div>
  );
}
