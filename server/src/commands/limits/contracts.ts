import { missingLengthMax, missingTextsMax } from '../../ml/contract/contract.ts';
import { patternInstructionsMax, patternLengthMax, patternTextMax } from '../../ml/contract/pattern.ts';
import { contractColumnsMax, nameLengthMax, tableColumnsMax, tablesMax } from '../../ml/contract/size.ts';
import {
  aliasesFollowedMax,
  yamlDepthMax,
  yamlProblemsMax,
  yamlReferencesMax,
  yamlTokensMax,
} from '../../ml/contract/yaml.ts';
import { classesMax as labelClassesMax } from '../../ml/tasks/examples.ts';
import { classesMax as rowClassesMax } from '../../ml/tasks/layout.ts';
import { depthMax } from '../../ml/tasks/parse-condition.ts';
import { monthsMax } from '../../ml/tasks/parse-delinquency.ts';
import { pathLengthMax } from '../../ml/tasks/resolve.ts';
import { anchorMomentsMax, daysMax, horizonsMax } from '../../ml/tasks/target.ts';
import { rowsMax } from '../../ml/trees/grow.ts';
import { documentLengthMax } from '../../resources/contracts/routes.ts';
import { definitionLengthMax } from '../../resources/tasks/routes.ts';
import { taskNameLengthMax } from '../../resources/tasks/task.ts';
import type { LimitCode, LimitSection } from './limit.ts';
import { characters, count } from './units.ts';

const ofText: readonly LimitCode[] = ['invalid_contract', 'invalid_task'];

export const contractLimits: LimitSection = {
  title: 'Contracts and tasks',
  about:
    'A contract that was accepted before a limit goes on to be read. `invalid` and `limit_exceeded` are codes of the failure of a training run here.',
  limits: [
    ['A contract', characters(documentLengthMax), ['schema_mismatch'], 'Leave out tables that no question is about.'],
    ['Tables of a contract', count(tablesMax), ['invalid_contract'], 'Leave out those that no question is about.'],
    [
      'Columns of a table of a contract',
      count(tableColumnsMax),
      ['invalid_contract'],
      'Make several tables of it that share its key.',
    ],
    [
      'Columns of all tables of a contract',
      count(contractColumnsMax),
      ['invalid_contract'],
      'Leave out those that tell nothing.',
    ],
    [
      'Name of a table or column in a contract',
      characters(nameLengthMax),
      ['invalid_contract'],
      'Take a shorter name, in the files too.',
    ],
    [
      'Pattern of a column',
      characters(patternLengthMax),
      ['invalid_contract'],
      'Write it shorter, or list the values in an enum.',
    ],
    [
      'Steps of a compiled pattern',
      count(patternInstructionsMax),
      ['invalid_contract'],
      'Repeat less: each repetition is written out.',
    ],
    [
      'A value that a pattern looks at',
      characters(patternTextMax),
      ['wrong_pattern'],
      'A longer value matches no pattern: leave the pattern out, or shorten the value.',
    ],
    [
      'Texts of a column that stand for nothing (missingValues)',
      count(missingTextsMax),
      ['invalid_contract'],
      'Leave such cells empty in the files.',
    ],
    ['One such text', characters(missingLengthMax), ['invalid_contract'], 'Leave such cells empty in the files.'],
    ['Definition of a task', characters(definitionLengthMax), ['schema_mismatch'], 'Write it as a query.'],
    ['Name of a task or model', characters(taskNameLengthMax), ['schema_mismatch'], 'Take a shorter one.'],
    ['Tokens of a contract or definition in YAML', count(yamlTokensMax), ofText, 'Make it smaller.'],
    ['Levels of lists and maps in YAML', count(yamlDepthMax), ofText, 'Write it flatter.'],
    [
      'Anchors, aliases, tags and directives in YAML',
      count(yamlReferencesMax),
      ofText,
      'Write out what they stand for.',
    ],
    [
      'Aliases that are followed in YAML, those within what they stand for too',
      count(aliasesFollowedMax),
      ofText,
      'Write out what they stand for.',
    ],
    [
      'Faults of one text that a refusal names',
      count(yamlProblemsMax),
      [],
      'Correct those that are named, and send it again.',
    ],
    ['Levels of a condition', count(depthMax), ['invalid_task'], 'Write it with fewer brackets and NOT.'],
    ['References on a path between tables', count(pathLengthMax), ['invalid_task'], 'Ask about a nearer table.'],
    ['Horizons of a task', count(horizonsMax), ['invalid_task'], 'Define several tasks.'],
    [
      'Days that a task looks ahead or back, or lie between its anchors',
      count(daysMax),
      ['invalid_task'],
      'Take fewer.',
    ],
    ['Month on book of a delinquency', count(monthsMax), ['invalid_task'], 'Take an earlier month.'],
    [
      'Moments at which a task asks',
      count(anchorMomentsMax),
      ['invalid_task', 'invalid'],
      'Ask less often (anchors.every), or over a shorter time.',
    ],
    [
      'Classes of labels that are read from tables',
      count(rowClassesMax),
      ['invalid'],
      'Predict a column with fewer values, or a number.',
    ],
    [
      'Classes of labels in files',
      count(labelClassesMax),
      ['invalid'],
      'Name fewer classes, or predict a number (kind: regression).',
    ],
    ['Rows with labels that a model learns from', count(rowsMax - 1), ['limit_exceeded'], 'Send fewer labels.'],
  ],
};
