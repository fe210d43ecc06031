import type { Field } from '../../../../ml/version/schema.ts';
import { type Block, facts, list, table, text } from '../blocks.ts';
import type { Say } from '../say.ts';
import type { Told } from '../told.ts';

/** What is asked of the model, and what it answers. */
export function purpose({ model, version, task, aliases }: Told, say: Say): Block[] {
  const { words, language } = say;
  const w = words.purpose;
  const question = task?.question?.[language];
  const outputs = (version.outputs as readonly Field[]).filter(({ name }) => name !== 'as_of');
  const meaningOf = (name: string) => question?.outputs.find((one) => one.name === name)?.meaning ?? '';
  const hasMeanings = question !== undefined && question.outputs.length > 0;
  return [
    facts([
      [w.model, `${model.name} (${model.id})`],
      [w.version, `${version.number} (${version.id})`],
      [w.status, words.statuses[version.status] ?? version.status],
      [w.aliases, aliases.length === 0 ? words.none : aliases.join(', ')],
      [w.task, task?.name ?? words.unknown],
      [w.kind, model.kind],
      [w.question, question?.sentence ?? w.noQuestion],
    ]),
    ...(task ? [table([w.definition], [[task.query ?? task.definition]])] : []),
    table(
      [words.output, w.type, w.range, ...(hasMeanings ? [w.meaning] : [])],
      outputs.map((field) => [
        field.name,
        field.type,
        rangeOf(field, say),
        ...(hasMeanings ? [meaningOf(field.name)] : []),
      ]),
      w.outputs,
    ),
  ];
}

/** What values a field takes, as far as it is declared. */
export function rangeOf({ enum: values, minimum, maximum, unit }: Field, { number }: Say): string {
  const bounds = minimum === undefined && maximum === undefined ? [] : [`${bound(minimum)} – ${bound(maximum)}`];
  function bound(value: number | undefined): string {
    return value === undefined ? '…' : number(value);
  }
  return [...(values ? [values.join(', ')] : bounds), ...(unit === undefined ? [] : [unit])].join(' ');
}

/** How it was learned. */
export function methodology({ report, run }: Told, say: Say): Block[] {
  const { words, number } = say;
  const w = words.methodology;
  return [
    text(w.body),
    table(
      [words.output, w.metric, w.recipe, w.trials],
      report.outputs.map(({ name, metric, recipe, trials }) => [name, metric, recipe, number(trials.length)]),
    ),
    facts([
      [w.features, number(report.features.length)],
      ...(run
        ? ([
            [w.encoder, say.yesNo(run.pretrain)],
            [w.feedback, say.yesNo(run.feedback)],
          ] as const)
        : []),
    ]),
    ...report.outputs.flatMap(({ name, layers }) =>
      layers && layers.length > 0
        ? [
            table(
              [w.layer, words.value],
              layers.map(({ layer, value }) => [layer, number(value)]),
              `${w.layers}: ${name}`,
            ),
          ]
        : [],
    ),
    ...trialsOf(report, say),
  ];
}

function trialsOf({ outputs }: Told['report'], { words }: Say): Block[] {
  // A report lists the trials of `learnOutput`, of which each has its recipe.
  const names = outputs.map(({ name, trials }) => {
    const tried = (trials as readonly { readonly recipe: string }[]).map(({ recipe }) => recipe);
    return `${name}: ${tried.join('; ')}`;
  });
  return names.length === 0 ? [] : [text(`${words.methodology.trials}:`), list(names)];
}
