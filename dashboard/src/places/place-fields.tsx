import { useMemo } from 'react';
import { Field, Input, Select } from '../kit/field.tsx';
import { languages } from '../words/language.ts';
import { useWords } from '../words/words.ts';
import { placeWords } from './words.ts';

export type PlaceValues = { readonly name: string; readonly language: 'en' | 'pt-BR'; readonly time_zone: string };

/** Name, language and time zone of a workspace. */
export function PlaceFields({
  values,
  onValues,
  isDisabled = false,
}: {
  readonly values: PlaceValues;
  onValues(values: PlaceValues): void;
  readonly isDisabled?: boolean;
}) {
  const w = useWords(placeWords);
  const zones = useMemo(() => {
    const known = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')];
    const all = known.includes(values.time_zone) ? known : [values.time_zone, ...known];
    return all.map((value) => ({ value, label: value.replaceAll('_', ' ') }));
  }, [values.time_zone]);
  return (
    <>
      <Field label={w.name}>
        <Input
          required
          maxLength={300}
          disabled={isDisabled}
          value={values.name}
          onChange={(event) => onValues({ ...values, name: event.target.value })}
        />
      </Field>
      <Field label={w.language} hint={w.languageHint}>
        <Select
          disabled={isDisabled}
          value={values.language}
          options={languages}
          onValue={(language) => onValues({ ...values, language })}
        />
      </Field>
      <Field label={w.timeZone} hint={w.timeZoneHint}>
        <Select
          disabled={isDisabled}
          value={values.time_zone}
          options={zones}
          onValue={(time_zone) => onValues({ ...values, time_zone })}
        />
      </Field>
    </>
  );
}
