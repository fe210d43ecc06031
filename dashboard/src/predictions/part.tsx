import type { ReactNode } from 'react';

/** A part of an answer under its heading. */
export function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section>
      <h3 className="mb-1.5 font-semibold text-section">{title}</h3>
      {children}
    </section>
  );
}
