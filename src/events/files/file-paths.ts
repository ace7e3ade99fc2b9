import { isFileValue } from '../../kernel/domain/declaration.js';
import type { EventAction } from '../../kernel/domain/event-action.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { type Sql, sql } from '../../kernel/sql/sql.js';
import type { StoredHistory } from '../records/stored-events.js';

/** Distinct, at any depth. */
export function filePathsOf(values: unknown): readonly string[] {
  const found = new Set<string>();
  const open: unknown[] = [values];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value !== 'object' || value === null) continue;
    if (isFileValue(value)) found.add(value.path);
    for (const member of Object.values(value) as readonly unknown[]) if (typeof member === 'object') open.push(member);
  }
  return [...found].sort();
}

/** Including the declaration of an imported record. */
export const filePathsOfActions = (
  actions: readonly Pick<EventAction, 'declaration' | 'annotation' | 'content'>[],
  recorded?: unknown,
): readonly string[] =>
  filePathsOf([
    valuesOf(recorded),
    ...actions.map(({ declaration, annotation, content }) => [valuesOf(declaration), valuesOf(annotation), content]),
  ]);

/** Without field ids, which may also be `path` or `type`. */
const valuesOf = (fields: unknown): readonly unknown[] => Object.values(fields ?? {});

/** All files that a stored event has named (F-1). */
export const filePathsOfHistory = ({
  actions,
  imported,
}: Pick<StoredHistory, 'actions' | 'imported'>): readonly string[] =>
  filePathsOfActions(actions, imported && (JSON.parse(imported.body) as { declaration?: unknown }).declaration);

export const isOfEvent = (path: string, eventId: Uuid): boolean => path.startsWith(`events/${eventId}/`);

export const isOfAnyEvent = (path: string): boolean => path.startsWith('events/');

/** Age at which unnamed uploads are deleted (F-2). */
export const UNNAMED_HOURS = 24;

/**
 * Condition on `upload`: named, or still nameable. Older files may be gone even if a restored or promoted database does
 * not know.
 */
export const IS_LASTING: Sql = sql`
  (named_by is not null or created_at > now() - make_interval(hours => ${UNNAMED_HOURS}::int))`;
