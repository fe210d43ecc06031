import { useWords } from '../words/words.ts';
import { dataWords } from './words.ts';

/** Says a type of the standard in words, as a text: with its own name where that is another one. */
export function useTypeName(): (type: string) => string {
  const { types } = useWords(dataWords);
  return (type) => {
    const said = (types as Readonly<Record<string, string>>)[type];
    return said === undefined || said === type ? type : `${said} (${type})`;
  };
}

/** The same in a table, where the words lead. */
export function TypeName({ of: type }: { readonly of: string }) {
  const { types } = useWords(dataWords);
  const said = (types as Readonly<Record<string, string>>)[type];
  if (said === undefined || said === type) return type;
  return (
    <>
      {said} <code className="font-mono text-ink3 text-micro">{type}</code>
    </>
  );
}
