import type { Usage } from './arguments.ts';

export const rfmTrainUsage = {
  usage: 'rfm train <folder> --entity <table> --out <encoder> [--until <date>] [--gap <days>]',
  about: `Learns without labels what the events of a table's rows usually lead to: an encoder to vectors of 1024 numbers.

  <folder>  holds tables/ (CSV, Parquet, JSONL) and contract.yaml (inferred when there is none)
  --entity  the table whose rows are encoded; dated events of other tables lead to it
  --out     a folder to make: the encoder, also as ONNX, and report.json
  --until   learn from what was known at the end of this day (UTC); default: today
  --gap     how old the data may be when vectors are asked for; 0 by default`,
  positionals: 1,
  options: { entity: 'value', out: 'value', until: 'value', gap: 'value' },
  required: ['entity', 'out'],
} as const satisfies Usage;

export const rfmExportUsage = {
  usage: 'rfm export <encoder> [<version folder> …] --out <folder> [--time-zone UTC] [--language en|pt-BR]',
  about: `Puts an encoder and models of tasks into one folder that embeds and scores where the tables are, with lastro rfm serve. An encoder of
the service, with the models it serves, is exported by GET /v1/api/rfm-versions/{id}/export.

  <encoder>         what rfm train wrote
  <version folder>  what fit wrote; asked as <task>/<name of the folder>, the first of a task also as <task>/production
  --out             a folder to make
  --time-zone       where days end
  --language        of the reasons, en or pt-BR`,
  positionals: 'some',
  options: { out: 'value', 'time-zone': 'value', language: 'value' },
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
