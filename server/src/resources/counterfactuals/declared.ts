import { type ErrorCode, refuse } from '../../errors.ts';
import { readJsonValue } from '../../lib/files/json-value.ts';
import { shorten } from '../../lib/files/values.ts';
import type { Declared } from '../../ml/counterfactuals/candidates.ts';
import type { Domain, Unchangeable } from '../../ml/counterfactuals/domains.ts';
import { formOf } from '../../ml/version/input-requests.ts';
import { namesOf } from '../../ml/version/other-names.ts';
import type { Field } from '../../ml/version/schema.ts';
import type { AskedInput } from './counterfactual.ts';
import { refusals } from './refusals.ts';

/**
 * The inputs that a caller wants changed, in their order. Throws Failure 'unknown_input', 'invalid_input'.
 */
export function fieldsAsked(asked: readonly AskedInput[], inputs: readonly Field[]): Field[] {
  const fields = asked.map(({ input }, i) => {
    const field = inputs.find((one) => namesOf(one).includes(input));
    if (!field) throw at(i, 'input', 'unknown_input', `${shorten(input)} is not an input of this version`);
    return field;
  });
  fields.forEach(({ name }, i) => {
    if (fields.findIndex((one) => one.name === name) < i)
      throw at(i, 'input', 'invalid_input', `${name} is named twice: name each input once`);
  });
  return fields;
}

/** Reads what is declared of an input, as `candidatesOf` takes it. Throws Failure 'not_changeable', 'invalid_input'. */
export function readDeclared(
  { direction = 'any', minimum, maximum, step, values, cost }: AskedInput,
  field: Field,
  domain: Domain | Unchangeable,
  i: number,
): { readonly domain: Domain; readonly declared: Declared } {
  const { name, type } = field;
  if ('unchangeable' in domain)
    throw at(i, 'input', 'not_changeable', `${name} ${refusals[domain.unchangeable]}`, domain.unchangeable);
  const isOrdered = domain.kind === 'number' || domain.kind === 'moment';
  const ordering = { direction: direction === 'any' ? undefined : direction, minimum, maximum, step };
  for (const [field, given] of Object.entries(ordering))
    if (!isOrdered && given !== undefined)
      throw at(i, field, 'invalid_input', `${name} is neither a number nor a date: it has values, and no ${field}`);
  const isWhole = type === 'integer' || domain.kind === 'moment';
  if (isWhole && step !== undefined && !Number.isInteger(step))
    throw at(i, 'step', 'invalid_input', `${name} changes by whole ${type === 'integer' ? 'numbers' : 'days'}`);
  const read = (value: number | string | boolean, place: string): number | string => {
    if (type === 'string') {
      const text = String(value);
      if (domain.kind === 'choice' && !domain.values.includes(text))
        throw at(i, place, 'invalid_input', `${shorten(text)} is no value of ${name} that the data have by then`);
      return text;
    }
    const number = readJsonValue(type, value, formOf(field).form);
    if (Number.isNaN(number))
      throw at(i, place, 'invalid_input', `${shorten(String(value))} is no ${type}, which ${name} is`);
    return number;
  };
  const bound = (value: number | string | undefined, place: string) =>
    value === undefined ? undefined : (read(value, place) as number);
  const [least, most] = [bound(minimum, 'minimum'), bound(maximum, 'maximum')];
  if (least !== undefined && most !== undefined && least > most)
    throw at(i, 'minimum', 'invalid_input', `the minimum of ${name} is above its maximum`);
  const listed = values?.map((value, k) => read(value, `values/${k}`));
  return {
    domain,
    declared: {
      direction,
      ...(least !== undefined && { minimum: least }),
      ...(most !== undefined && { maximum: most }),
      ...(step !== undefined && { step }),
      ...(listed && { values: listed }),
      ...(cost !== undefined && { cost }),
    },
  };
}

function at(i: number, place: string, code: ErrorCode, message: string, because?: string) {
  const problem = { at: `/changeable/${i}/${place}`, message, ...(because && { because: { code: because } }) };
  return refuse(code, message, { problems: [problem] });
}
