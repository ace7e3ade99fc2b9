import type { Instant } from '../../kernel/domain/calendar.js';
import type { ContextInput } from './context-input.js';
import { CONTEXT_MAPPINGS } from './context-mapping.js';
import { documentReferencesOf } from './document-references-of.js';
import type { ContextBundle } from './fhir.js';
import { patientsOf } from './patients-of.js';
import { taskOf } from './task-of.js';

/**
 * `context[0]`: the Task, a Patient for each person, a DocumentReference for each supporting document (W-13). Throws
 * for an event type without topics.
 */
export function contextBundle(input: ContextInput): ContextBundle {
  const { record } = input;
  const mapping = CONTEXT_MAPPINGS.get(record.type);
  if (mapping === undefined) throw new Error(`events of the type ${record.type} have no context`);
  const meta = { lastUpdated: withOffset(record.updatedAt), versionId: input.actionId };
  const resources = [
    taskOf(input, mapping, meta),
    ...patientsOf(record, mapping, meta),
    ...documentReferencesOf(input, mapping, meta),
  ];
  const entry = resources.map((resource) => ({ fullUrl: `urn:uuid:${resource.id}`, resource }));
  return { resourceType: 'Bundle', type: 'document', entry };
}

const withOffset = (instant: Instant): string => instant.replace('Z', '+00:00');
