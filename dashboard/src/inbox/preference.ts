import type { Schemas } from '@lastro/sdk';

export type Preference = Schemas['NotificationPreference'];
export type Change = Schemas['NotificationChange'];

/** The channels of a change, which names both at once. */
export function channelsOf(isInApp: boolean, isMail: boolean): Change['channels'] {
  if (isInApp) return isMail ? 'both' : 'in_app';
  return isMail ? 'email' : 'none';
}

/**
 * Preferences as they will be after changes that are on their way, the later ones last. What a return to the default
 * comes to only the service knows: that stays as it was.
 */
export function applyChanges(preferences: readonly Preference[], changes: readonly Change[]): readonly Preference[] {
  return preferences.map((preference) => {
    const channels = changes.findLast(({ type }) => type === preference.type)?.channels ?? null;
    if (channels === null) return preference;
    const { in_app: inApp, email } = preference;
    return {
      ...preference,
      in_app: { ...inApp, on: channels === 'both' || channels === 'in_app' },
      email: { ...email, on: channels === 'both' || channels === 'email' },
    };
  });
}
