// Texts among the parts of a request, read as what they stand for in JSON.
import { refuse } from '../../errors.ts';
import { shorten } from '../../lib/files/values.ts';

/** True or false; any other text stays as it is, for the schema to refuse. */
export function booleanField(text: string): unknown {
  return text === 'true' ? true : text === 'false' ? false : text;
}

/** Throws Failure 'malformed_json'. */
export function jsonField(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw refuse('malformed_json', `the part ${name} is no JSON`, { cause });
  }
}

/** Refuses texts where files are meant, as they come without an @ before the path. Throws Failure 'schema_mismatch'. */
export function refuseTexts(texts: Readonly<Record<string, string>>): void {
  const names = Object.keys(texts);
  if (names.length === 0) return;
  const problems = names.map((name) => ({
    at: `/${name}`,
    message: `must be a file, not the text "${shorten(texts[name])}": with curl, write -F ${name}=@<path>`,
  }));
  throw refuse('schema_mismatch', `the part ${names[0]} ${problems[0].message}`, { problems });
}
