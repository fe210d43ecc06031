import { personal } from '../api/leave.ts';
import type { Model } from './use-models.ts';

const storageKey = (workspaceId: string): string => `${personal}model.${workspaceId}`;

/** Notes that a model was asked, in this tab. */
export function keepUsualModel(workspaceId: string, modelId: string): void {
  try {
    sessionStorage.setItem(storageKey(workspaceId), modelId);
  } catch {
    // Without storage nothing is kept.
  }
}

/**
 * The model that is most likely meant where none is named: the one asked last in this tab, or else the oldest that has
 * an alias. `models` are newest first.
 */
export function usualModel(models: readonly Model[], workspaceId: string): Model | undefined {
  const kept = keptModel(workspaceId);
  return models.find(({ id }) => id === kept) ?? models.findLast(({ aliases }) => aliases.length > 0) ?? models[0];
}

function keptModel(workspaceId: string): string | null {
  try {
    return sessionStorage.getItem(storageKey(workspaceId));
  } catch {
    return null;
  }
}
