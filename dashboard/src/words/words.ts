import { currentLanguage, type Language, useLanguage } from './language.ts';

/** A dictionary of the same entries: texts, and functions of the same parameters that return a text. */
type Alike<T> = {
  readonly [K in keyof T]: T[K] extends (...given: infer A) => string
    ? (...given: A) => string
    : T[K] extends string
      ? string
      : Alike<T[K]>;
};

export type Words<T> = Readonly<Record<Language, T>>;

/** The words of a page or part in both languages. An entry that one language lacks is refused by the compiler. */
export function words<const T extends object>(en: T, pt: NoInfer<Alike<T>>): Words<Alike<T>> {
  return { en: en as Alike<T>, 'pt-BR': pt };
}

/** The words in the language of the page. */
export function useWords<T>(dictionary: Words<T>): T {
  return dictionary[useLanguage()];
}

/** The same outside of a component: for what is said once, such as a message. */
export function wordsNow<T>(dictionary: Words<T>): T {
  return dictionary[currentLanguage()];
}
