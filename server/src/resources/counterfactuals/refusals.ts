import { choicesMax, type Unchangeable } from '../../ml/counterfactuals/domains.ts';

/** Why inputs cannot be changed. */
export const refusals: Readonly<Record<Unchangeable['unchangeable'], string>> = {
  known_entity:
    'this version is asked about an entity of the data by its key, and answers from the rows that are known of it: no input says what could be otherwise. Versions that are asked about new rows can be searched',
  protected: 'holds a protected trait, which no answer may rest on a change of',
  personal: 'is marked as personal data, which no change is proposed of',
  key: 'names the row, and is nothing that could be otherwise',
  reference: 'names another row, and is nothing that could be otherwise',
  reference_date: 'says as of when is asked: ask as of another day instead',
  dates_row: 'says when the row is: ask about another day instead',
  type: 'has values of a type that is not searched',
  many_values: `has more than ${choicesMax} different texts in the data, which are not searched`,
  no_values: 'has no value that enough rows of the data have as of then, so that nothing is known to be possible',
};
