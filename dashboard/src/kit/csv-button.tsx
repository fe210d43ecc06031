import { ChevronDown } from 'lucide-react';
import type { ReactNode } from 'react';
import { common } from '../words/common.ts';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import { Button, type ButtonProps, buttonClass, Hint, Spinner } from './button.tsx';
import type { CsvDialect } from './csv.ts';
import { Menu } from './menu.tsx';

/** Saves something as CSV. In Portuguese, in which Excel reads decimal commas, there are two forms to choose from. */
export function CsvButton({
  label,
  name,
  kind,
  size,
  icon,
  isBusy,
  disabled,
  className = '',
  onSave,
}: Pick<ButtonProps, 'kind' | 'size' | 'icon' | 'isBusy' | 'disabled' | 'className'> & {
  readonly label: ReactNode;
  /** The name of the button, where its label is not all of it. */
  readonly name?: string;
  onSave(dialect: CsvDialect): unknown;
}) {
  const c = useWords(common);
  const { language } = useFormat();
  if (language === 'en')
    return (
      <Hint text={c.csvNames}>
        <Button
          {...{ kind, size, icon, isBusy, disabled, className }}
          aria-label={name}
          onClick={() => onSave('standard')}
        >
          {label}
        </Button>
      </Hint>
    );
  return (
    <Menu
      {...(name === undefined ? {} : { label: name })}
      align="end"
      hint={c.csvNames}
      disabled={disabled || isBusy}
      triggerClass={`${buttonClass(kind, size)} ${className}`}
      trigger={
        <>
          {isBusy ? <Spinner /> : icon}
          {label}
          <ChevronDown size={12} aria-hidden="true" />
        </>
      }
      items={[
        { key: 'excel', label: c.csvForExcel, onChoose: () => onSave('excel_semicolon') },
        { key: 'standard', label: 'CSV', onChoose: () => onSave('standard') },
      ]}
    />
  );
}
