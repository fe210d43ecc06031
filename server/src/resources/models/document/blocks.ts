/** What a section of a document says. Texts are plain: whoever writes them out escapes them. */
export type Block =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'list'; readonly items: readonly string[] }
  /** Names with their values. */
  | { readonly kind: 'facts'; readonly facts: readonly (readonly [name: string, value: string])[] }
  | {
      readonly kind: 'table';
      readonly title?: string;
      readonly head: readonly string[];
      readonly rows: readonly (readonly string[])[];
    };

/** A document: its title, what stands below it, and its sections in order. */
export type ModelDocument = {
  readonly language: 'en' | 'pt-BR';
  readonly title: string;
  readonly about: readonly Block[];
  readonly sections: readonly { readonly heading: string; readonly blocks: readonly Block[] }[];
};

export const text = (said: string): Block => ({ kind: 'text', text: said });
export const list = (items: readonly string[]): Block => ({ kind: 'list', items });
export const facts = (of: readonly (readonly [string, string])[]): Block => ({ kind: 'facts', facts: of });
export const table = (head: readonly string[], rows: readonly (readonly string[])[], title?: string): Block => ({
  kind: 'table',
  ...(title !== undefined && { title }),
  ...{ head, rows },
});
