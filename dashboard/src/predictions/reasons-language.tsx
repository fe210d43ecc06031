import { Link } from '@tanstack/react-router';
import { useSession } from '../api/session.tsx';
import { languages, useLanguage } from '../words/language.ts';
import { useWords, words } from '../words/words.ts';

const text = words(
  {
    written: (language: string) =>
      `Reasons are written in the language of the workspace (${language}), for all readers.`,
    change: 'Change it',
  },
  {
    written: (language: string) =>
      `Os motivos são escritos no idioma do workspace (${language}), para todos os leitores.`,
    change: 'Mudar',
  },
);

/** Says why reasons are of another language than the page, where they are, and where that is chosen. */
export function ReasonsLanguage() {
  const w = useWords(text);
  const language = useLanguage();
  const { workspace, has } = useSession();
  if (!workspace || workspace.language === language) return null;
  const named = languages.find(({ value }) => value === workspace.language)?.label ?? workspace.language;
  return (
    <p className="mt-2 text-ink3 text-meta">
      {w.written(named)}{' '}
      {has('view_members') && (
        <Link to="/workspace" className="text-accent underline underline-offset-2">
          {w.change}
        </Link>
      )}
    </p>
  );
}
