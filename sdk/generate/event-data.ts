/** The types of what events tell, from the catalog as the service answers it. */

type Schema = {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
};
type EventType = {
  readonly name: string;
  readonly description: string;
  readonly webhook: boolean;
  readonly payload: Schema;
};

/** Writes sdk/src/event-data.ts. */
export function writeEventData(types: readonly EventType[]): string {
  const webhook = types.filter((type) => type.webhook).map(({ name }) => `\n  | '${name}'`);
  const fields = types.map(({ name, description, payload }) => {
    return `  /** ${description} */\n  readonly '${name}': ${typeOf(payload)};\n`;
  });
  return [
    '// Made from GET /v1/api/event-types by `npm test -- sdk/tests/event-data.test.ts -u`: change the catalog.\n',
    `\n/** What events tell beside the id of what they are about, by type. */\nexport type EventData = {\n${fields.join('')}};\n`,
    `\n/** Types that webhooks can subscribe to. */\nexport type WebhookType =${webhook.join('')};\n`,
  ].join('');
}

/** Throws for a form that no event has yet. */
function typeOf(schema: Schema): string {
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(' | ');
  if (schema.enum) return schema.enum.map((value) => `'${value}'`).join(' | ');
  if (schema.type === 'integer' || schema.type === 'number') return 'number';
  if (schema.type === 'string' || schema.type === 'boolean' || schema.type === 'null') return schema.type;
  if (schema.type === 'array' && schema.items) return `readonly ${inBrackets(typeOf(schema.items))}[]`;
  if (schema.type !== 'object') throw new Error(`say how ${JSON.stringify(schema)} is written as a type`);
  const { required = [], properties = {} } = schema;
  const fields = Object.entries(properties).map(
    ([name, field]) => `readonly ${name}${required.includes(name) ? '' : '?'}: ${typeOf(field)}`,
  );
  return fields.length === 0 ? '{}' : `{ ${fields.join('; ')} }`;
}

function inBrackets(type: string): string {
  return type.includes('|') ? `(${type})` : type;
}
