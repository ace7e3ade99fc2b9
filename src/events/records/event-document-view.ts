import type { EventAction, EventDocument } from '../../domain/event-action.js';

/** An event document as upstream writes it, ready to be serialised: members without a value are absent. */
export const eventDocumentView = ({ actions, ...event }: EventDocument): Readonly<Record<string, unknown>> => ({
  ...event,
  actions: actions.map(eventActionView),
});

/** One action as upstream writes it: duplicates stand in `content`. `parseEventAction` takes it back. */
export function eventActionView({ duplicates, ...action }: EventAction): Readonly<Record<string, unknown>> {
  const content = action.type === 'DUPLICATE_DETECTED' ? { ...action.content, duplicates } : action.content;
  return Object.fromEntries(Object.entries({ ...action, content }).filter(([, value]) => value !== null));
}
