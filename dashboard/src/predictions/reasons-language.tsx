import { Link } from '@tanstack/react-router';
import { useSession } from '../api/session.tsx';
import { languages, useLanguage } from '../words/language.ts';
import { useWords, words } from '../words/words.ts';
import type { Outputs } from './answer-fields.ts';

const text = words(
  {
    written: (language: string) => `These reasons were written in ${language}, as was asked.`,
    ofWorkspace: (language: string) => `These reasons were written in the language of the workspace (${language}).`,
    change: 'Change it',
  },
  {
    written: (language: string) => `Estes motivos foram escritos em ${language}, como foi pedido.`,
    ofWorkspace: (language: string) => `Estes motivos foram escritos no idioma do workspace (${language}).`,
    change: 'Mudar',
  },
);

/** Says why reasons are of another language than the page, where they are, and where that is chosen. */
export function ReasonsLanguage({ of }: { readonly of: Outputs }) {
  const w = useWords(text);
  const language = useLanguage();
  const { workspace, has } = useSession();
  if (!workspace) return null;
  const written = typeof of.language === 'string' ? of.language : workspace.language;
  if (written === language) return null;
  const named = languages.find(({ value }) => value === written)?.label ?? written;
  const isOfWorkspace = written === workspace.language;
  return (
    <p className="mt-2 text-ink3 text-meta">
      {isOfWorkspace ? w.ofWorkspace(named) : w.written(named)}{' '}
      {isOfWorkspace && has('view_members') && (
        <Link to="/workspace" className="text-accent underline underline-offset-2">
          {w.change}
        </Link>
      )}
    </p>
  );
}
