import type { ReactNode } from 'react';

/** What the marks of a drawing mean: each mark as it is drawn, before its words. */
export function Legend({ of }: { readonly of: readonly (readonly [mark: ReactNode, meaning: string])[] }) {
  return (
    <ul className="mt-1.5 flex flex-wrap gap-x-4 gap-y-0.5 text-ink3 text-meta">
      {of.map(([mark, meaning]) => (
        <li key={meaning} className="flex items-center gap-1.5">
          <span className="flex w-4 shrink-0 justify-center" aria-hidden="true">
            {mark}
          </span>
          {meaning}
        </li>
      ))}
    </ul>
  );
}

export const tickMark = <span className="h-3.5 w-[3px] rounded-full bg-ink" />;
export const bracketMark = <span className="h-1.5 w-4 border-ink3 border-x border-t" />;
export const usualMark = <span className="h-3.5 w-0.5 rounded-full bg-accent" />;
export const whiskerMark = (
  <span className="relative h-px w-4 bg-ink">
    <span className="absolute -top-[3px] left-0 h-[7px] w-px bg-ink" />
    <span className="absolute -top-[3px] right-0 h-[7px] w-px bg-ink" />
  </span>
);
