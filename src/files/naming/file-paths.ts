import type { EventAction } from '../../domain/record/event-action.js';
import type { Uuid } from '../../domain/uuid.js';
import type { StoredHistory } from '../../records/stored-events.js';

/** The members of a file value: interface, `declaration`. `option` is the mark of a member of a list of files. */
const MEMBERS = new Set(['path', 'originalFilename', 'type', 'option']);

/** The paths of all file values in a declaration or an annotation, however deep; each once. */
export function filePathsOf(values: unknown): readonly string[] {
  const found = new Set<string>();
  const open: unknown[] = [values];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value !== 'object' || value === null) continue;
    const { path, type } = value as { readonly path?: unknown; readonly type?: unknown };
    if (typeof path === 'string' && typeof type === 'string' && Object.keys(value).every((key) => MEMBERS.has(key))) {
      found.add(path);
    } else
      for (const member of Object.values(value) as readonly unknown[])
        if (typeof member === 'object') open.push(member);
  }
  return [...found].sort();
}

/** The same of actions, and of the declaration of a record that came with them. */
export const filePathsOfActions = (
  actions: readonly Pick<EventAction, 'declaration' | 'annotation' | 'content'>[],
  recorded?: unknown,
): readonly string[] =>
  filePathsOf([recorded, ...actions.map(({ declaration, annotation, content }) => [declaration, annotation, content])]);

/** The same of all that a stored event has named (F-1). */
export const filePathsOfHistory = ({
  actions,
  imported,
}: Pick<StoredHistory, 'actions' | 'imported'>): readonly string[] =>
  filePathsOfActions(actions, imported && (JSON.parse(imported.body) as { declaration?: unknown }).declaration);

/** Whether a path is among the files of the event itself. */
export const isOfEvent = (path: string, eventId: Uuid): boolean => path.startsWith(`events/${eventId}/`);

/** Whether a path is among the files of some event. */
export const isOfAnyEvent = (path: string): boolean => path.startsWith('events/');
