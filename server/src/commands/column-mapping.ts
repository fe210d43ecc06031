import { Failure, type Problem } from '../lib/failure.ts';
import { type LabelledVersion, labelledColumns } from '../ml/evaluation/labelled-columns.ts';
import type { ColumnMapping } from '../ml/version/other-names.ts';
import type { Field } from '../ml/version/schema.ts';
import { labelledFiles, mappingProblems } from '../serving/rows/column-mapping.ts';

const example = 'document=CNPJ,data_ref=data or {"document": "CNPJ"}';

/** Reads --column-mapping: `input=column` with commas between, or a JSON object. Throws Failure 'invalid'. */
export function readMapping(text: string | undefined): ColumnMapping {
  if (text === undefined) return {};
  return text.trimStart().startsWith('{') ? fromJson(text) : fromPairs(text);
}

/** Throws Failure 'invalid' where the mapping does not fit a version with these inputs. */
export function requireMapping(mapping: ColumnMapping, inputs: readonly Field[]): void {
  refuseMapping(mappingProblems(mapping, [inputs]));
}

/** The same of a labelled file of versions. */
export function requireLabelledMapping(mapping: ColumnMapping, versions: readonly LabelledVersion[]): void {
  const read = versions.map((version) => labelledColumns(version, ''));
  refuseMapping(mappingProblems(mapping, read, labelledFiles));
}

function refuseMapping(problems: readonly Problem[]): void {
  if (problems.length > 0)
    throw new Failure('invalid', `--column-mapping: ${problems.map(({ message }) => message).join('; ')}`, {
      problems,
    });
}

function fromJson(text: string): ColumnMapping {
  const value = parsed(text);
  const isMapping =
    typeof value === 'object' && value !== null && Object.values(value).every((column) => typeof column === 'string');
  if (!isMapping) throw new Failure('invalid', `--column-mapping must be like ${example}: ${text}`);
  return value as ColumnMapping;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function fromPairs(text: string): ColumnMapping {
  const pairs = text.split(',').map((pair) => {
    const at = pair.indexOf('=');
    const [input, column] = [pair.slice(0, at).trim(), pair.slice(at + 1).trim()];
    if (at < 1 || input === '' || column === '')
      throw new Failure('invalid', `--column-mapping must be like ${example}, not ${pair.trim()}`);
    return [input, column] as const;
  });
  const inputs = pairs.map(([input]) => input);
  const twice = inputs.find((input, at) => inputs.indexOf(input) !== at);
  if (twice !== undefined) throw new Failure('invalid', `--column-mapping names ${twice} twice`);
  return Object.fromEntries(pairs);
}
