import { parseUuid, type Uuid } from '../../../kernel/domain/uuid.js';
import type { EventView } from './event-view.js';

interface NamingAction {
  readonly content?: Readonly<Record<string, unknown>>;
}

/** Potential duplicates, and the record it duplicates. */
export const duplicatesNamedIn = (view: EventView): readonly Uuid[] =>
  [
    ...new Set(actionsOf(view).flatMap(({ content = {} }) => [...listed(content).map(idOf), content['duplicateOf']])),
  ].flatMap((id) => parseUuid(id) ?? []);

/** Removes references to unknown events. */
export function namingOnly(view: EventView, known: ReadonlySet<string>): EventView {
  const isKnown = (id: unknown): boolean => typeof id === 'string' && known.has(id);
  const shown = (action: NamingAction): NamingAction => {
    const { content } = action;
    if (content === undefined) return action;
    const { duplicateOf, ...others } = content;
    return {
      ...action,
      content: {
        ...others,
        ...(isKnown(duplicateOf) && { duplicateOf }),
        ...('duplicates' in content && { duplicates: listed(content).filter((entry) => isKnown(idOf(entry))) }),
      },
    };
  };
  return { ...view, actions: actionsOf(view).map(shown) };
}

const actionsOf = ({ actions }: EventView): readonly NamingAction[] =>
  Array.isArray(actions) ? (actions as readonly NamingAction[]) : [];

const listed = ({ duplicates }: Readonly<Record<string, unknown>>): readonly unknown[] =>
  Array.isArray(duplicates) ? duplicates : [];

const idOf = (entry: unknown): unknown =>
  typeof entry === 'object' && entry !== null && 'id' in entry ? entry.id : undefined;
