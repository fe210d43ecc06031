import { facts, type ModelDocument, text } from './blocks.ts';
import { sayIn } from './say.ts';
import { sections } from './sections.ts';
import type { Told } from './told.ts';
import type { Language } from './words.ts';

/** Makes the document of a version, in a language, of what is told of it. */
export function makeDocument(told: Told, language: Language): ModelDocument {
  const say = sayIn(language);
  const { words } = say;
  return {
    language,
    title: words.title(told.model.name, say.number(told.version.number)),
    about: [text(words.about), facts([[words.madeAt, say.instant(told.madeAt)]])],
    sections: sections.map(({ heading, blocks }) => ({
      heading: words.headings[heading],
      blocks: blocks(told, say),
    })),
  };
}
