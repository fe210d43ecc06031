import { Link, type LinkProps } from '@tanstack/react-router';
import { ChevronLeft } from 'lucide-react';
import { type ReactNode, useEffect } from 'react';
import { common } from '../words/common.ts';
import { useWords } from '../words/words.ts';

/**
 * The frame of a page: title, what leads back, actions, content. `isWide`: for tables, graphs and maps; others keep the
 * width in which text is read well. `progress` (0 to 1) and `hasFailed` are told in the title of the tab.
 */
export function Page({
  title,
  tab,
  back,
  description,
  actions,
  isWide,
  progress,
  children,
}: {
  readonly title: ReactNode;
  /** The title of the tab, where `title` is no text. */
  readonly tab?: string;
  readonly back?: { readonly label: string } & Pick<LinkProps, 'to' | 'params'>;
  readonly description?: ReactNode;
  readonly actions?: ReactNode;
  readonly isWide?: boolean;
  readonly progress?: number | null;
  readonly children: ReactNode;
}) {
  const w = useWords(common);
  const name = tab ?? (typeof title === 'string' ? title : '');
  useEffect(() => {
    const share = progress === undefined || progress === null ? '' : `${Math.floor(100 * progress)} % · `;
    document.title = `${share}${name ? `${name} · ` : ''}Lastro`;
  }, [name, progress]);
  return (
    <div className={`w-full px-4 pb-16 sm:px-6 ${isWide ? 'max-w-none' : 'max-w-[1160px]'}`}>
      <header className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3 pt-5 pb-4">
        <div className="min-w-0">
          {back && (
            <nav aria-label={w.breadcrumb} className="mb-0.5 flex items-center gap-0.5 text-ink3 text-meta">
              <ChevronLeft size={12} aria-hidden="true" />
              <Link to={back.to} params={back.params as never} className="rounded py-1 hover:text-ink hover:underline">
                {back.label}
              </Link>
            </nav>
          )}
          <h1 id="title" className="break-words font-semibold text-title tracking-[-0.015em]">
            {title}
          </h1>
          {description && <div className="mt-0.5 max-w-3xl text-body text-ink2">{description}</div>}
        </div>
        {actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
      </header>
      {children}
    </div>
  );
}

/** A part of a page under a heading. */
export function Section({
  title,
  description,
  actions,
  children,
  id,
  className = '',
}: {
  readonly title: ReactNode;
  readonly description?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
  /** Where links of other pages lead. */
  readonly id?: string;
  readonly className?: string;
}) {
  return (
    <section id={id} className={`mt-6 scroll-mt-4 ${className}`}>
      <div className="mb-2 flex flex-wrap items-end justify-between gap-3">
        <div>
          <h2 className="font-semibold text-section">{title}</h2>
          {description && <p className="max-w-3xl text-body text-ink2">{description}</p>}
        </div>
        {actions && <div className="flex items-center gap-2">{actions}</div>}
      </div>
      {children}
    </section>
  );
}

export function Panel({ children, className = '' }: { readonly children: ReactNode; readonly className?: string }) {
  return <div className={`rounded-[8px] border border-line bg-panel ${className}`}>{children}</div>;
}

/** Pairs of a name and a value, such as the facts of one object. */
export function Facts({
  of,
  columns = 3,
}: {
  readonly of: readonly (readonly [label: string, value: ReactNode] | null | false)[];
  readonly columns?: 1 | 2 | 3 | 4;
}) {
  const grid = { 1: '', 2: 'sm:grid-cols-2', 3: 'sm:grid-cols-2 lg:grid-cols-3', 4: 'sm:grid-cols-2 lg:grid-cols-4' };
  return (
    <dl className={`grid gap-x-8 gap-y-3 ${grid[columns]}`}>
      {of.map(
        (fact) =>
          fact && (
            <div key={fact[0]} className="min-w-0">
              <dt className="text-ink3 text-meta">{fact[0]}</dt>
              <dd className="break-words text-body text-ink">{fact[1]}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
