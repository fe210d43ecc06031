import { useQuestion } from './use-question.ts';

/** What a task asks, in one plain sentence; nothing where it is not known. */
export function Question({ taskId, className = '' }: { readonly taskId: string; readonly className?: string }) {
  const question = useQuestion(taskId);
  return question && <p className={`max-w-3xl break-words ${className}`}>{question.sentence}</p>;
}
