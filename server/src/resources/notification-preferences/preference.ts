import { Type } from 'typebox';
import type { Permission } from '../../access/authorize.ts';
import { answerOf, objectOf } from '../../api/named.ts';
import { nullable } from '../../api/nullable.ts';
import { shortTextMax } from '../../api/texts.ts';
import { type EventType, eventTypeNames, eventTypes } from '../../trail/catalog.ts';

/** The ways by which people are told. */
export const notificationChannels = ['email', 'in_app'] as const;
export type NotificationChannel = (typeof notificationChannels)[number];

/** The settings of a type: which of the channels are on. */
export const channelSettings = {
  none: { email: false, in_app: false },
  email: { email: true, in_app: false },
  in_app: { email: false, in_app: true },
  both: { email: true, in_app: true },
} as const satisfies Readonly<Record<string, Readonly<Record<NotificationChannel, boolean>>>>;
export type ChannelSetting = keyof typeof channelSettings;

/** What somebody has chosen: the channels of types that they have said something of. */
export type Choices = ReadonlyMap<EventType, Partial<Readonly<Record<NotificationChannel, boolean>>>>;

/** Whose choice a channel follows, the strongest first. */
export const choiceSources = ['mandatory', 'user', 'default', 'product'] as const;
type Cell = { readonly on: boolean; readonly source: (typeof choiceSources)[number] };
export type Cells = Readonly<Record<NotificationChannel, Cell>>;

/**
 * By which channels a user is told of events of a type, and whose choice each is. `isMandatory`: of an event about the
 * user's own account or key, or which people always have to know, no choice counts.
 */
export function resolveChannels(
  type: EventType,
  { own, defaults, isMandatory }: { readonly own: Choices; readonly defaults: Choices; readonly isMandatory: boolean },
): Cells {
  const cell = (channel: NotificationChannel): Cell => {
    if (isMandatory) return { on: true, source: 'mandatory' };
    const chosen = own.get(type)?.[channel];
    if (chosen !== undefined) return { on: chosen, source: 'user' };
    const given = defaults.get(type)?.[channel];
    if (given !== undefined) return { on: given, source: 'default' };
    return { on: eventTypes[type].byDefault, source: 'product' };
  };
  return { email: cell('email'), in_app: cell('in_app') };
}

/** The types of which somebody with these permissions may be told. */
export function readableTypes(permissions: ReadonlySet<Permission>): EventType[] {
  return eventTypeNames.filter((type) => permissions.has(eventTypes[type].readBy));
}

/** How long mails gather: not at all, or until they go out as one. */
export const mailWindows = ['none', '15m', '1h', 'daily'] as const;
export type MailWindow = (typeof mailWindows)[number];
export type MailSettings = { readonly mail_window: MailWindow; readonly time_zone: string | null };
export const settingsByDefault: MailSettings = { mail_window: 'none', time_zone: null };

const settingNames = Object.keys(channelSettings) as ChannelSetting[];
const cellSchema = objectOf('NotificationChoice', {
  on: Type.Boolean(),
  source: Type.String({
    enum: choiceSources,
    description:
      'Whose choice it is: mandatory (nobody may choose), user, default (of the workspace, or of the organization as a whole), or product.',
  }),
});
const example = {
  type: 'data-contract-deviation',
  means: 'A file deviates from the contract.',
  is_mandatory: false,
  email: { on: true, source: 'product' },
  in_app: { on: true, source: 'product' },
} as const;
const preferenceSchema = Type.Object(
  {
    type: Type.String({ enum: eventTypeNames }),
    means: Type.String(),
    is_mandatory: Type.Boolean({
      description:
        'Whether you are told of it whatever anybody chooses, or at least of what concerns your own account or keys.',
    }),
    email: cellSchema,
    in_app: cellSchema,
  },
  { title: 'NotificationPreference' },
);

const windowSchema = Type.String({
  enum: mailWindows,
  description:
    'How long mails gather: none sends each at once, 15m and 1h one for all of that time, daily one in the morning.',
});
const timeZoneSchema = nullable(
  Type.String({ maxLength: shortTextMax, description: "Whose morning it is: the workspace's zone when null." }),
);

/** What reaches the person who asks, as it is now. */
export const preferencesSchema = answerOf(
  'NotificationPreferences',
  { mail_window: 'none', time_zone: null, preferences: [example] },
  { mail_window: windowSchema, time_zone: timeZoneSchema, preferences: Type.Array(preferenceSchema) },
);

export const defaultsSchema = answerOf(
  'NotificationDefaults',
  { preferences: [example] },
  { preferences: Type.Array(preferenceSchema) },
);

const changesSchema = Type.Array(
  Type.Object(
    {
      type: Type.String({ enum: eventTypeNames }),
      channels: nullable(
        Type.String({ enum: settingNames, description: 'By which channels; null to follow the defaults again.' }),
      ),
    },
    { title: 'NotificationChange', additionalProperties: false },
  ),
  { maxItems: eventTypeNames.length, description: 'Types that are not named stay as they are.' },
);
const changesExample = [{ type: 'batch-lifecycle', channels: 'in_app' }];

export const preferencesChange = Type.Object(
  {
    mail_window: Type.Optional(windowSchema),
    time_zone: Type.Optional(timeZoneSchema),
    preferences: Type.Optional(changesSchema),
  },
  {
    ...{ title: 'NotificationPreferencesChange', additionalProperties: false },
    examples: [{ mail_window: '15m', preferences: changesExample }],
  },
);

export const defaultsChange = Type.Object(
  { preferences: changesSchema },
  {
    ...{ title: 'NotificationDefaultsChange', additionalProperties: false },
    examples: [{ preferences: changesExample }],
  },
);

/** Changes as a request has them, which its schema has checked. */
export type AskedChange = { readonly type: string; readonly channels: string | null };

export type ChoiceChange = {
  readonly type: EventType;
  /** Null takes the choice back. */
  readonly channels: Partial<Readonly<Record<NotificationChannel, boolean>>> | null;
};

/** The changes of a request; of a type that is named twice, the last one. */
export function readChanges(asked: readonly AskedChange[]): ChoiceChange[] {
  const byType = new Map(
    asked.map(({ type, channels }) => [
      type,
      { type: type as EventType, channels: channels === null ? null : channelSettings[channels as ChannelSetting] },
    ]),
  );
  return [...byType.values()];
}

export function presentPreference(type: EventType, cells: Cells) {
  const { means, mandatory } = eventTypes[type];
  return { type, means, is_mandatory: mandatory !== null, ...cells };
}
