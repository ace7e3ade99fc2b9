import type { FilesByPath } from '../../events/write/event-publisher.js';
import type { Declaration } from '../../kernel/domain/declaration.js';
import type { EventRecord } from '../../kernel/domain/event-record.js';
import type { Topic } from '../../kernel/domain/life-cycle/topic.js';
import type { Uuid } from '../../kernel/domain/uuid.js';

const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g;

/** Trimmed; undefined if empty. */
export function textField(declaration: Declaration, fieldId: string): string | undefined {
  const value = Object.hasOwn(declaration, fieldId) ? declaration[fieldId] : undefined;
  return typeof value === 'string' ? nonEmpty(value) : undefined;
}

/** FHIR permits neither empty strings nor control characters, except tabs and line breaks. */
export function nonEmpty(text: unknown): string | undefined {
  const printable = typeof text === 'string' ? text.replace(FORBIDDEN, ' ').trim() : '';
  return printable === '' ? undefined : printable;
}

/** FHIR codes have single spaces between words. */
export const codeText = (text: unknown): string | undefined => nonEmpty(text)?.replace(/\s+/g, ' ');

export interface ContextInput {
  readonly topic: Topic;
  /** After the change. */
  readonly record: EventRecord;
  readonly actionId: Uuid;
  /** By `path`; other files are only referred to (W-13). */
  readonly files: FilesByPath;
  /** Null if unknown. */
  readonly areaOf: (office: Uuid) => Uuid | null;
  /** On the day of the event (L-2); null if unknown. */
  readonly nameOf: (place: Uuid) => string | null;
}
