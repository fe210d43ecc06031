import { type ComponentProps, cloneElement, type ReactElement, type ReactNode } from 'react';

export type ButtonProps = Omit<ComponentProps<'button'>, 'type'> & {
  readonly kind?: 'primary' | 'secondary' | 'quiet' | 'danger';
  readonly size?: 'normal' | 'small';
  readonly icon?: ReactNode;
  readonly isBusy?: boolean;
  readonly submits?: boolean;
  /** Why it cannot be used: it is then disabled, and says this on hover and focus. */
  readonly blocked?: string | null | false;
};

const kinds = {
  primary: 'bg-ink text-canvas border-ink hover:opacity-90',
  secondary: 'bg-panel text-ink border-line2/50 hover:bg-sunken',
  quiet: 'bg-transparent text-ink2 border-transparent hover:bg-sunken hover:text-ink',
  danger: 'bg-panel text-bad border-bad/50 hover:bg-bad-soft',
};
const sizes = { normal: 'h-8 px-3 text-body', small: 'h-7 px-2 text-meta' };

export const buttonClass = (kind: keyof typeof kinds = 'secondary', size: keyof typeof sizes = 'normal'): string =>
  `inline-flex shrink-0 items-center justify-center gap-1.5 whitespace-nowrap rounded-[6px] border font-medium transition-colors disabled:opacity-50 ${kinds[kind]} ${sizes[size]}`;

export function Button({
  kind = 'secondary',
  size = 'normal',
  icon,
  isBusy,
  submits,
  blocked,
  disabled,
  className = '',
  children,
  ...rest
}: ButtonProps) {
  const button = (
    <button
      {...rest}
      type={submits ? 'submit' : 'button'}
      disabled={disabled || isBusy}
      aria-disabled={blocked ? true : undefined}
      aria-busy={isBusy || undefined}
      onClick={blocked ? (event) => event.preventDefault() : rest.onClick}
      className={`${buttonClass(kind, size)} ${blocked ? 'opacity-50' : ''} ${className}`}
    >
      {isBusy ? <Spinner /> : icon}
      {children}
    </button>
  );
  return blocked ? <Hint text={blocked}>{button}</Hint> : button;
}

/** A square button of one icon, whose label is said and shown on hover. */
export function IconButton({ label, icon, ...rest }: { readonly label: string } & ButtonProps) {
  const { kind = 'quiet', className = '', ...others } = rest;
  return (
    <Hint text={label}>
      <Button {...others} kind={kind} icon={icon} aria-label={label} className={`!w-8 !px-0 ${className}`} />
    </Hint>
  );
}

export function Spinner() {
  return (
    <svg viewBox="0 0 16 16" className="size-3.5 animate-spin" aria-hidden="true">
      <circle cx="8" cy="8" r="6" fill="none" stroke="currentColor" strokeOpacity="0.25" strokeWidth="2" />
      <path d="M14 8a6 6 0 0 0-6-6" fill="none" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />
    </svg>
  );
}

/** A text beside something on hover and focus, which is its description too (see `Hints`). */
export function Hint({ text, children }: { readonly text: string; readonly children: ReactElement }) {
  const { 'aria-label': name } = children.props as { 'aria-label'?: string };
  const hint = { 'data-hint': text, ...(name === text ? {} : { 'aria-description': text }) };
  return cloneElement(children, hint as object);
}
