import { useState } from 'react';
import { Checkbox, Field, Input } from '../kit/field.tsx';
import { useWords } from '../words/words.ts';
import { signInWords } from './words.ts';

/** A field in which a new password is chosen, that can be looked at. */
export function NewPasswordField({
  label,
  value,
  onValue,
}: {
  readonly label: string;
  readonly value: string;
  onValue(value: string): void;
}) {
  const w = useWords(signInWords);
  const [isShown, setShown] = useState(false);
  return (
    <div className="flex flex-col gap-1.5">
      <Field label={label} hint={w.passwordHint}>
        <Input
          type={isShown ? 'text' : 'password'}
          autoComplete="new-password"
          required
          maxLength={1000}
          spellCheck={false}
          value={value}
          onChange={(event) => onValue(event.target.value)}
        />
      </Field>
      <Checkbox label={w.showPassword} checked={isShown} onChange={(event) => setShown(event.target.checked)} />
    </div>
  );
}
