import { type Ref, useImperativeHandle, useRef, useState } from 'react';

export type YamlEditorHandle = { goTo(line: number): void };

const lineHeight = 18;

/** A text with numbered lines, of which some are marked. */
export function YamlEditor({
  ref,
  label,
  value,
  badLines,
  onValue,
}: {
  readonly ref: Ref<YamlEditorHandle>;
  readonly label: string;
  readonly value: string;
  readonly badLines: ReadonlySet<number>;
  onValue(value: string): void;
}) {
  const area = useRef<HTMLTextAreaElement>(null);
  const [top, setTop] = useState(0);
  const lines = value.split('\n');
  useImperativeHandle(ref, () => ({
    goTo(line) {
      const from = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0);
      area.current?.focus();
      area.current?.setSelectionRange(from, from + (lines[line - 1]?.length ?? 0));
      area.current?.scrollTo({ top: Math.max(0, (line - 6) * lineHeight) });
    },
  }));
  return (
    <div className="flex h-[min(60vh,560px)] overflow-hidden rounded-[8px] border border-line2/50 bg-panel focus-within:outline-2 focus-within:outline-accent">
      <div aria-hidden="true" className="w-12 shrink-0 select-none overflow-hidden border-line border-r bg-sunken py-2">
        <div style={{ transform: `translateY(${-top}px)` }}>
          {lines.map((_, at) => (
            <div
              key={at}
              className={`pr-2 text-right font-mono text-micro leading-[18px] ${badLines.has(at + 1) ? 'bg-bad-soft font-semibold text-bad' : 'text-ink3'}`}
            >
              {at + 1}
            </div>
          ))}
        </div>
      </div>
      <textarea
        ref={area}
        aria-label={label}
        aria-invalid={badLines.size > 0 || undefined}
        value={value}
        wrap="off"
        spellCheck={false}
        onChange={({ target }) => onValue(target.value)}
        onScroll={({ currentTarget }) => setTop(currentTarget.scrollTop)}
        className="min-w-0 flex-1 resize-none bg-transparent px-3 py-2 font-mono text-ink text-meta leading-[18px] outline-none"
      />
    </div>
  );
}
