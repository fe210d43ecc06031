import type { Contract, TableContract } from '../contract/contract.ts';

type Described = {
  readonly modelSnapshot: string;
  readonly entity: string;
  readonly contract: Contract;
  readonly models: readonly {
    readonly modelId: string;
    readonly versionId: string;
    readonly aliases: readonly string[];
    /** The name of its task. */
    readonly task: string;
    /** The snapshot of its own encoder, or null. */
    readonly encoder: string | null;
  }[];
  /** The snapshot of the graph model, or null. */
  readonly graphModel: string | null;
  readonly timeZone: string;
  readonly language: string;
};

/** Writes the README.md of an export: its content and how to run it, with the names used in it. */
export function describeExport({
  modelSnapshot,
  entity,
  contract,
  models,
  graphModel,
  timeZone,
  language,
}: Described): string {
  const table = contract.tables.find(({ name }) => name === entity)!;
  const asked = models.map(({ modelId, versionId, aliases, task, encoder }) => ({
    task,
    encoder,
    version: `models/${modelId}/${versionId}`,
    address: `/v1/api/prediction/${modelId}/${aliases[0] ?? versionId}`,
  }));
  const scored = asked.flatMap(({ version, task, address }) => [
    `- ${task}: \`${address}\`, by \`${version}\` (inputs: its \`model.md\`)`,
  ]);
  const own = asked.flatMap(({ address, encoder }) =>
    encoder === null ? [] : [`- \`${encoder}\`, of \`${address}\``],
  );
  const ownEncoders =
    own.length === 0
      ? ''
      : `
Models with an encoder of their own, which \`"rfm_version_id"\` or \`--encoder\` names, to make vectors that they take in place of tables:

${own.join('\n')}
`;
  const graph =
    graphModel === null
      ? ''
      : `| \`gfm/\` | the graph model \`${graphModel}\`, whose vectors of your identifiers they read; made of facts that anybody may know |\n`;
  return `# The relational model of ${entity}, to run at home

Snapshot \`${modelSnapshot}\`. Everything that embeds${asked.length > 0 ? ' and scores' : ''} your own files is here; nothing is asked of any network.

| path | what it is |
|---|---|
| \`export.json\` | what this is, and the SHA-256 of every file |
| \`contract.yaml\` | by which your tables are read |
| \`rfm/\` | the encoder: \`program.json\` (its features), \`weights.bin\`, and \`encoder.onnx\`, the same network for other programs |
${asked.map(({ version, task }) => `| \`${version}/\` | the model of task ${task}, opened by \`lastro predict\` too |\n`).join('')}${graph}
## Run it

With Lastro on the machine, this folder, and a folder of your tables (CSV, Parquet or JSONL, named as below):

\`\`\`
lastro rfm serve <this folder> --data <folder of tables>
\`\`\`

It prints its address on this machine, http://127.0.0.1:8090 unless \`--port\` says otherwise, and answers as the service does, without a key. Days end in ${timeZone}; reasons are told in ${language}.

\`\`\`
curl -s http://127.0.0.1:8090/v1/api/embeddings -H 'Content-Type: application/json' -d '{"keys": ["<${table.key[0]}>"]}'
\`\`\`
${scored.length > 0 ? `\nScores, asked as the service is:\n\n${scored.join('\n')}\n` : ''}${ownEncoders}
A whole file at once, its rows with \`${table.key[0]}\` and optionally \`reference_date\`:

\`\`\`
lastro rfm serve <this folder> --data <folder of tables> --in rows.csv --out vectors.parquet
\`\`\`

The tables are read when it starts; start it again for newer ones. The same rows give the same numbers as in the service, bit for bit.

## Tables

| file | key | dated by | columns |
|---|---|---|---|
${contract.tables.map(describeTable).join('\n')}

## The encoder for other programs

\`rfm/encoder.onnx\` takes \`x\`, 64 rows of float32, and gives \`embedding\`, 64 rows of 1024 numbers of length 1. A row of \`x\` is what
\`rfm/program.json\` describes: each feature's score by its quantiles (\`inputs.maps\`), then a 1 for each of \`inputs.flags\` that is missing.
`;
}

function describeTable({ name, key, time, columns }: TableContract): string {
  const dated = time === undefined ? '' : 'column' in time ? time.column : `the row of ${time.reference}`;
  return `| \`${name}\` | ${key.join(', ')} | ${dated} | ${columns.map((column) => column.name).join(', ')} |`;
}
