import { presentEventTypes } from '../resources/event-types/event-type.ts';
import type { Act } from '../trail/acts/act.ts';
import { type AuditAction, auditActions, catalog, isEventType } from '../trail/catalog.ts';
import { table } from './markdown-table.ts';

/** The reference of all events and of the acts that only the audit trail keeps, made of the catalog. */
export function eventsPage(): string {
  return `# Events

One catalog drives webhooks, notifications and the audit log: each name below is the type of a webhook, of a notification
and of an entry in the audit log. \`GET /v1/api/event-types\` answers the same, with a JSON Schema of each payload.
Types are added over time, and fields to payloads; no type changes its meaning, and no field goes. Take what you know, and pass over the rest.

- Webhook: whether webhooks of the workspace can subscribe to it.
- Told: who is told by inbox and mail: those who choose it (–), all who may read it unless they choose otherwise (by default), or,
  whatever they choose, the person whose account or key it is, or all who may read it.
- Payload: the fields of \`data\` beside \`id\`, which is that of the resource; those with ? may be missing.

${catalog.map(([group, acts]) => section(group, acts)).join('\n')}`;
}

function section(group: string, acts: Readonly<Record<string, Act>>): string {
  const names = Object.keys(acts) as AuditAction[];
  const events = names.filter(isEventType);
  const known = new Map(presentEventTypes().map((type) => [type.name, type]));
  const rows = events.map((name) => {
    const { description, webhook, mandatory, notified_by_default, readable_by, audit_class } = known.get(name)!;
    const told = { person: 'the person', readers: 'all who may read it' };
    return [
      ...[`\`${name}\``, description, webhook ? 'yes' : ''],
      mandatory === null ? (notified_by_default ? 'by default' : '–') : told[mandatory],
      ...[fields(auditActions[name]), readable_by.join(', ').replaceAll('_', ' '), audit_class],
    ];
  });
  const heads = ['Type', 'Meaning', 'Webhook', 'Told', 'Payload', 'Read by', 'Audit class'];
  const others = names.filter((name) => !isEventType(name));
  const alone = others.map((name) => [
    `\`${name}\``,
    auditActions[name].means,
    fields(auditActions[name]),
    auditActions[name].audit,
  ]);
  return [
    `## ${group}\n`,
    ...(rows.length > 0 ? [`${table(heads, rows)}\n`] : []),
    ...(alone.length > 0
      ? [`In the audit log alone:\n`, `${table(['Act', 'Meaning', 'Payload', 'Audit class'], alone)}\n`]
      : []),
  ].join('\n');
}

function fields({ payload }: Act): string {
  const required = new Set(payload.required ?? []);
  return Object.keys(payload.properties)
    .map((name) => `\`${name}\`${required.has(name) ? '' : '?'}`)
    .join(', ');
}
