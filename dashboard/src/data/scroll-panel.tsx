import type { ReactNode } from 'react';

/** A panel of what may be wider than the page, scrolled by keyboard too. */
export function ScrollPanel({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div
      role="region"
      aria-label={label}
      tabIndex={0}
      className="overflow-x-auto rounded-[8px] border border-line bg-panel"
    >
      {children}
    </div>
  );
}
