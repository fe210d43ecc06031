import type { Usage } from './arguments.ts';

export const rfmTrainUsage = {
  usage: 'rfm train <folder> --entity <table> --out <encoder> [--gfm <graph model>] [--until <date>] [--gap <days>]',
  about: `Learns without labels what the events of a table's rows usually lead to: an encoder to vectors of 1024 numbers.

  <folder>  holds tables/ (CSV, Parquet, JSONL) and contract.yaml (inferred when there is none)
  --entity  the table whose rows are encoded; dated events of other tables lead to it
  --out     a folder to make: the encoder, also as ONNX, and report.json
  --gfm     a version of the graph model, whose vectors of the entities that rows are linked to are inputs too: by the columns
            marked graphKey in the contract. The encoder then always needs the same
  --gfm-key the column (table.column) that links rows to the graph, where several do or none is marked
  --until   learn from what was known at the end of this day (UTC); default: today
  --gap     how old the data may be when vectors are asked for; 0 by default`,
  positionals: 1,
  options: { entity: 'value', out: 'value', gfm: 'value', 'gfm-key': 'value', until: 'value', gap: 'value' },
  required: ['entity', 'out'],
} as const satisfies Usage;

export const rfmExportUsage = {
  usage:
    'rfm export <encoder> [<version folder> …] --out <folder> [--gfm <graph model>] [--time-zone UTC] [--language en|pt-BR]',
  about: `Puts an encoder and models of tasks into one folder that embeds and scores where the tables are, with lastro rfm serve. An encoder of
the service, with the models it serves, is exported by GET /v1/api/rfm-versions/{id}/export.

  <encoder>         what rfm train wrote
  <version folder>  what fit wrote; asked as <task>/<name of the folder>, the first of a task also as <task>/production
  --out             a folder to make
  --gfm             the graph model that they were trained with, where they were; a copy goes with them
  --time-zone       where days end
  --language        of the reasons, en or pt-BR`,
  positionals: 'some',
  options: { out: 'value', gfm: 'value', 'time-zone': 'value', language: 'value' },
  required: ['out'],
} as const satisfies Usage;

export const rfmServeUsage = {
  usage:
    'rfm serve <export> --data <folder> [--port 8090] [--in <file> --out <file> [--model <model>/<alias>|--encoder <snapshot>]]',
  about: `Embeds and scores a customer's own tables with an export, and asks nothing of any network. Answers on this machine alone, as the
service does, without a key: POST /v1/api/embeddings, /v1/api/embeddings/neighbors, /v1/api/prediction/{model}/{alias}.

  <export>  what rfm export wrote, or the service's archive unpacked
  --data    the folder of tables to read (CSV, Parquet, JSONL); they are read once, when it starts
  --port    on 127.0.0.1; 0 for a free one, which is said
  --in      do this file and end: rows with the entity's key and optionally reference_date, or a model's inputs (CSV, Parquet, JSONL)
  --out     the vectors, float32 in base64, or with --model the answers; .parquet, .csv or .jsonl
  --model   score by this model
  --encoder embed by the encoder that a model of the export has of its own, named by its snapshot`,
  positionals: 1,
  options: { data: 'value', port: 'value', in: 'value', out: 'value', model: 'value', encoder: 'value' },
  required: ['data'],
} as const satisfies Usage;

export const rfmEvaluateUsage = {
  usage:
    'rfm evaluate <folder> --task <name> [--labels 200] [--draws 20] [--positives <share>] [--from YYYY-MM-DD] [--gfm <graph model>] [--out report.json]',
  about: `Says what a pre-trained encoder adds where labels are few: learns a task from many small draws of its labels, from features
alone and with an encoder, and evaluates both by the same later rows.

  <folder>     holds tables/, contract.yaml (inferred when there is none) and tasks/<name>/ with train.csv and val.csv
  --labels     how many labels a model learns from
  --draws      how many times so many are drawn
  --positives  the share of them that are a yes, as when those are all known and of the others a sample is; as they occur by default
  --from       rows from this day on are evaluated, and labels known by then learned from; default: the first of val.csv
  --gfm        a version of the graph model, which the encoder is composed with; --gfm-key as of rfm train
  --out        all figures (JSON)`,
  positionals: 1,
  options: {
    ...{ task: 'value', labels: 'value', draws: 'value', positives: 'value', from: 'value', out: 'value' },
    ...{ gfm: 'value', 'gfm-key': 'value' },
  },
  required: ['task'],
} as const satisfies Usage;

export const rfmFeedbackUsage = {
  usage:
    'rfm feedback <encoder> --data <folder> --task <name> --out <encoder> [--gfm <graph model>] [--until <date>] [--tolerance 0.02] [--report report.json]',
  about: `Fine-tunes a copy of an encoder on the closed labels of a task, beside what it predicted before, and writes it only if no other head
falls: by more than the tolerance, in shares of a constant's loss, on moments later than what was learned from.

  <encoder>    what rfm train or rfm feedback wrote
  --data       holds tables/, contract.yaml and tasks/<name>/ with label files or a target
  --task       a task about rows of the encoder's table: yes or no, or a number
  --out        a folder to make: the encoder that goes on from it, naming its parent
  --gfm        the graph model that the encoder was trained with, where it was
  --until      read nothing after the end of this day (UTC), nor labels known later; default: as the encoder
  --tolerance  how far a head may fall
  --report     every head before and after (JSON), also where it is refused; exit code 3 then`,
  positionals: 1,
  options: {
    ...{ data: 'value', task: 'value', out: 'value', gfm: 'value' },
    ...{ until: 'value', tolerance: 'value', report: 'value' },
  },
  required: ['data', 'task', 'out'],
} as const satisfies Usage;
