import type { Uuid } from '../../domain/uuid.js';

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

/** Whether a path is among the files of the event itself. */
export const isOfEvent = (path: string, eventId: Uuid): boolean => path.startsWith(`events/${eventId}/`);
