import type { Version } from '../version/version.ts';
import { describeNaive } from './naive.ts';
import { describeSureness, type FitReport } from './report.ts';

const featuresListed = 30;

/** Writes the model document, in Markdown: what is predicted, from which inputs, how well, and with which limits. */
export function writeModelDocument(version: Version, report: FitReport): string {
  const { task, inputFields, outputFields } = version;
  const { features } = report;
  const number = (value: number) => (Number.isNaN(value) ? '–' : value.toFixed(4));
  const lines = [
    `# ${task.name}`,
    '',
    `Predicts for ${version.fresh ? `new rows of ${task.entity}` : task.entity}${task.windowDays === undefined ? '' : `, up to ${task.windowDays} days ahead`}. Learned from ${report.training_rows} rows; reads ${features.length} features.`,
    '',
    ...report.warnings.flatMap(({ message }) => [`> **Warning:** ${message}`, '']),
    '## How well',
    '',
    'On rows later than what the scoring models had learned from; features and recipe were chosen with these rows in sight.',
    '',
    '| output | model | rows | measure | value |',
    '|---|---|---|---|---|',
    ...report.outputs.flatMap(({ name, recipe, out_of_fold: measures }) =>
      measures === null
        ? [`| ${name} | ${recipe} | 0 | too few rows to tell | |`]
        : Object.entries(measures.others).map(
            ([metric, value]) => `| ${name} | ${recipe} | ${measures.rows} | ${metric} | ${number(value)} |`,
          ),
    ),
    '',
    ...report.outputs.flatMap(({ name, metric, naive }) =>
      naive ? [`- ${name}, ${metric} ${describeNaive(naive)}`] : [],
    ),
    '',
    ...howSure(report),
    '## Inputs',
    '',
    '| name | type | required | description |',
    '|---|---|---|---|',
    ...inputFields.map(
      (field) => `| ${field.name} | ${field.type} | ${field.required ? 'yes' : 'no'} | ${field.description} |`,
    ),
    '',
    '## Outputs',
    '',
    '| name | type | description |',
    '|---|---|---|',
    ...outputFields.map((field) => `| ${field.name} | ${field.type} | ${field.description} |`),
    '',
    `## What it reads (first ${Math.min(featuresListed, features.length)} of ${features.length}, best first)`,
    '',
    '| share of the gain | rows that have it | what |',
    '|---|---|---|',
    ...features
      .slice(0, featuresListed)
      .map(
        ({ importance, coverage, description, columns }) =>
          `| ${percent(importance)} | ${percent(coverage)} | ${description ?? `protected: ${columns.join(', ')}`} |`,
      ),
    '',
    '## Limits',
    '',
    ...report.notes.map((note) => `- ${note}`),
    ...(report.notes.length === 0 ? ['- none noted'] : []),
    '',
  ];
  return lines.join('\n');
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}

function howSure({ outputs }: FitReport): string[] {
  const lines = outputs.flatMap(({ name, out_of_fold: measures }) =>
    measures ? describeSureness(measures).map((line) => `- ${name}: ${line}`) : [],
  );
  if (lines.length === 0) return [];
  return [
    '## How sure',
    '',
    'On rows later than what models, calibrator and bounds had learned from. Errors are those of independent rows.',
    '',
    ...lines,
    '',
  ];
}
