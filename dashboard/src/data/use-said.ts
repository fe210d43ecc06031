import { common } from '../words/common.ts';
import { useWords } from '../words/words.ts';
import { correctionWords } from './correction-words.ts';
import type { ColumnField, TableField } from './corrections.ts';
import { useTypeName } from './types.tsx';
import { dataWords } from './words.ts';

/** Says in words what a field of a table or a column says. */
export function useSaid(): (field: ColumnField | TableField, value: string | boolean) => string {
  const kinds: Readonly<Record<string, string>> = useWords(dataWords).kinds;
  const { unsaid } = useWords(correctionWords);
  const { yes, no } = useWords(common);
  const typeName = useTypeName();
  return (field, value) => {
    if (typeof value === 'boolean') return (value ? yes : no).toLowerCase();
    if (value === '') return unsaid;
    if (field === 'entityKind') return kinds[value] ?? value;
    return field === 'type' ? typeName(value) : value;
  };
}
