import { useId, useLayoutEffect, useRef, useState } from 'react';
import type { ContractTable } from '../data/contract.ts';
import { TextArea } from '../kit/field.tsx';
import { useWords } from '../words/words.ts';
import { suggest } from './suggest.ts';
import { taskWords } from './words.ts';

/** A text of several lines that offers what may come where the caret is. Stands within a `Field`. */
export function QueryEditor({
  value,
  tables,
  isYaml,
  placeholder,
  onValue,
}: {
  readonly value: string;
  readonly tables: readonly ContractTable[];
  /** Definitions in YAML are written without suggestions, and Tab indents. */
  readonly isYaml: boolean;
  readonly placeholder?: string;
  onValue(value: string): void;
}) {
  const w = useWords(taskWords);
  const list = useId();
  const area = useRef<HTMLTextAreaElement>(null);
  const [caret, setCaret] = useState(value.length);
  const putCaret = useRef<number | null>(null);
  const [isHidden, setHidden] = useState(false);
  const [chosen, setChosen] = useState(0);
  // A text that comes from elsewhere is read from its end: the caret of the one before it is nowhere in it.
  const [written, setWritten] = useState(value);
  if (value !== written) {
    setWritten(value);
    setCaret(value.length);
    setChosen(0);
  }
  const { place, suggestions } = isYaml
    ? { place: { from: 0, to: 0 }, suggestions: [] }
    : suggest(value, caret, tables);
  const isOpen = !isHidden && suggestions.length > 0;
  const at = Math.min(chosen, suggestions.length - 1);
  const write = (text: string, next: number) => {
    setWritten(text);
    onValue(text);
    setCaret(next);
    setChosen(0);
    putCaret.current = next;
  };
  // At once with the text: what is typed next must not come before the caret is where it belongs.
  useLayoutEffect(() => {
    if (putCaret.current === null) return;
    area.current?.focus();
    area.current?.setSelectionRange(putCaret.current, putCaret.current);
    putCaret.current = null;
  });
  const take = (text: string) => {
    const isDone = /[(. ]$/.test(text);
    const put = isDone || text.includes('.') ? text : `${text} `;
    write(value.slice(0, place.from) + put + value.slice(place.to), place.from + put.length);
  };
  const onKeyDown = (event: React.KeyboardEvent) => {
    if (!isOpen) {
      if (event.key === ' ' && event.ctrlKey) setHidden(false);
      return;
    }
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0) {
      event.preventDefault();
      setChosen((at + step + suggestions.length) % suggestions.length);
    } else if (event.key === 'Tab' && !event.shiftKey) {
      event.preventDefault();
      take(suggestions[at].text);
    } else if (event.key === 'Escape') {
      event.preventDefault();
      setHidden(true);
    }
  };
  return (
    <div>
      <TextArea
        ref={area}
        rows={isYaml ? 14 : 4}
        spellCheck={false}
        autoComplete="off"
        autoCapitalize="off"
        className="font-mono !text-meta leading-5"
        value={value}
        placeholder={placeholder}
        aria-autocomplete={isYaml ? undefined : 'list'}
        aria-controls={isOpen ? list : undefined}
        aria-activedescendant={isOpen ? `${list}-${at}` : undefined}
        onChange={(event) => {
          setHidden(false);
          setChosen(0);
          setCaret(event.target.selectionStart);
          setWritten(event.target.value);
          onValue(event.target.value);
        }}
        onSelect={(event) => setCaret(event.currentTarget.selectionStart)}
        onKeyDown={onKeyDown}
      />
      {!isYaml && (
        <div id={list} role="listbox" aria-label={w.suggestions} hidden={!isOpen} className="mt-1 flex flex-wrap gap-1">
          {suggestions.map(({ text, what }, index) => (
            <div
              key={text}
              id={`${list}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === at}
              // The caret stays where it is.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => take(text)}
              onKeyDown={undefined}
              className={`inline-flex min-h-6 cursor-pointer items-center rounded-[4px] border px-1.5 font-mono text-meta ${index === at ? 'border-ink bg-panel text-ink' : 'border-line bg-panel text-ink2 hover:border-line2'} ${what === 'function' ? 'font-medium' : ''}`}
            >
              {text.trim()}
            </div>
          ))}
        </div>
      )}
    </div>
  );
}
