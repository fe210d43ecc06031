import type { ReactNode } from 'react';

export type Tab<T extends string> = { readonly value: T; readonly label: ReactNode; readonly count?: number | null };

/** Tabs whose choice is held by the address: pass what the search parameter says and set it. */
export function Tabs<T extends string>({
  label,
  tabs,
  value,
  onValue,
  children,
}: {
  readonly label: string;
  readonly tabs: readonly Tab<T>[];
  readonly value: T;
  onValue(value: NoInfer<T>): void;
  readonly children: ReactNode;
}) {
  const move = (event: React.KeyboardEvent, at: number) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    const next = (at + step + tabs.length) % tabs.length;
    onValue(tabs[next].value);
    (event.currentTarget.parentElement?.children[next] as HTMLElement | undefined)?.focus();
  };
  return (
    <div>
      <div
        role="tablist"
        aria-label={label}
        className="flex gap-4 overflow-x-auto overflow-y-hidden shadow-[inset_0_-1px_0_var(--line)]"
      >
        {tabs.map((tab, at) => (
          <button
            key={tab.value}
            type="button"
            role="tab"
            id={`tab-${tab.value}`}
            aria-selected={tab.value === value}
            aria-controls={`panel-${tab.value}`}
            tabIndex={tab.value === value ? 0 : -1}
            onClick={() => onValue(tab.value)}
            onKeyDown={(event) => move(event, at)}
            className={`whitespace-nowrap border-b-2 py-2 text-body ${tab.value === value ? 'border-ink font-medium text-ink' : 'border-transparent text-ink2 hover:text-ink'}`}
          >
            {tab.label}
            {tab.count !== undefined && tab.count !== null && <span className="ml-1.5 text-ink3">{tab.count}</span>}
          </button>
        ))}
      </div>
      <div
        role="tabpanel"
        id={`panel-${value}`}
        aria-labelledby={`tab-${value}`}
        tabIndex={0}
        className="pt-4 outline-none"
      >
        {children}
      </div>
    </div>
  );
}
