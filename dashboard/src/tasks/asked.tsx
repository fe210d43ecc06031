import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useClient } from '../api/session.tsx';
import { useKey } from '../api/use-data.ts';
import { useLanguage } from '../words/language.ts';
import { useWords } from '../words/words.ts';
import { taskWords } from './words.ts';

/** How long a text has stood still before it is read. */
const pauseMs = 400;
/** What every definition names: whom it asks about. Without it there is nothing to be read yet. */
const hasSubject = /\bFOR\s+\S|^\s*entity\s*:/im;

/** What is being written asks, in one plain sentence: as the service reads it, once it is whole. */
export function Asked({ definition }: { readonly definition: string }) {
  const w = useWords(taskWords);
  const language = useLanguage();
  const client = useClient();
  const text = useSettled(definition.trim());
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

/** A text once it has stood still for a moment. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), pauseMs);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
