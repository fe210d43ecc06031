import { FileUp } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useWords } from '../words/words.ts';
import { uploadWords } from './words.ts';

/** A place to drop files on, which is a button to choose them as well. `isSmall`: where some have been chosen. */
export function DropZone({
  accept,
  hint,
  isSmall,
  onFiles,
}: {
  readonly accept: string;
  readonly hint: ReactNode;
  readonly isSmall?: boolean;
  onFiles(files: readonly File[]): void;
}) {
  const w = useWords(uploadWords);
  const [isOver, setOver] = useState(false);
  return (
    <label
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        onFiles([...event.dataTransfer.files]);
      }}
      className={`flex flex-col items-center justify-center gap-1 rounded-[8px] border border-dashed px-4 text-center transition-colors has-[:focus-visible]:outline-2 has-[:focus-visible]:outline-accent ${isSmall ? 'py-4' : 'py-10'} ${isOver ? 'border-accent bg-accent-soft' : 'border-line2 bg-panel hover:bg-sunken'}`}
    >
      {!isSmall && <FileUp size={20} className="mb-1 text-ink3" aria-hidden="true" />}
      <span className="text-body">
        {w.drop} {w.or} <span className="font-medium text-accent underline underline-offset-2">{w.choose}</span>
      </span>
      <span className="text-ink3 text-meta">{hint}</span>
      <input
        type="file"
        multiple
        accept={accept}
        aria-label={w.choose}
        className="sr-only"
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])]);
          // The same file chosen again is a choice, too.
          event.target.value = '';
        }}
      />
    </label>
  );
}
