import { LastroError } from '@lastro/sdk';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useClient } from '../api/session.tsx';
import { useKey } from '../api/use-data.ts';
import { useLanguage } from '../words/language.ts';
import { useWords } from '../words/words.ts';
import { taskWords } from './words.ts';
import { Wrong } from './wrong.tsx';

/** How long a text has stood still before it is read. */
const pauseMs = 400;
/** After so long it is told what is wrong: whoever is still writing knows that it is not whole. */
const wrongAfterMs = 1_200;
/** What every definition names: whom it asks about. Without it there is nothing to be read yet. */
const hasSubject = /\bFOR\s+\S|^\s*entity\s*:/im;

/** What is being written asks, in one plain sentence: as the service reads it, once it is whole. */
export function Asked({
  definition,
  isRefused,
  onCorrect,
}: {
  readonly definition: string;
  /** What is wrong is told elsewhere. */
  readonly isRefused: boolean;
  onCorrect(definition: string): void;
}) {
  const w = useWords(taskWords);
  const language = useLanguage();
  const client = useClient();
  const text = useSettled(definition.trim(), pauseMs);
  const still = useSettled(definition.trim(), wrongAfterMs);
  const read = useQuery({
    queryKey: useKey(['tasks', 'asked', text]),
    queryFn: ({ signal }) => client.tasks.checkDefinition({ definition: text }, { signal }),
    enabled: hasSubject.test(text),
    placeholderData: keepPreviousData,
    // What is no question yet is none a second later.
    retry: false,
    gcTime: 0,
  });
  const sentence = hasSubject.test(text) && !read.error ? read.data?.question?.[language].sentence : undefined;
  const isCurrent = text === definition.trim() && !read.isPlaceholderData;
  if (read.error && !isRefused && still === definition.trim() && isAboutIt(read.error))
    return <Wrong error={read.error} definition={definition} onCorrect={onCorrect} />;
  return (
    <div className="rounded-[6px] border border-line bg-panel px-3 py-2" aria-live="polite">
      <p className="text-ink3 text-meta">{w.asked}</p>
      {sentence ? (
        <p className={`max-w-3xl break-words ${isCurrent ? '' : 'opacity-60'}`}>{sentence}</p>
      ) : (
        <p className="text-ink3">{w.askedLater}</p>
      )}
    </div>
  );
}

/** Whether a refusal is about the definition, and not about who asks, or how often. */
const isAboutIt = (error: unknown): boolean =>
  error instanceof LastroError && error.errors.some(({ pointer }) => pointer === '/definition');

/** A text once it has stood still for a moment. */
function useSettled(text: string, pauseMs: number): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), pauseMs);
    return () => clearTimeout(timer);
  }, [text, pauseMs]);
  return settled;
}
