import { type Issue, ServiceError } from '../../kernel/errors/service-error.js';
import { BoundedFaults } from '../../kernel/input/bounded-faults.js';
import { isObject } from '../../kernel/input/checks.js';
import { type NdjsonLine, valueOfLine } from '../../kernel/input/ndjson-lines.js';
import { TEXT } from '../../kernel/input/readers.js';
import type { Steps } from '../../platform/queue/time-slice.js';
import { checkEventSize, checkEventText } from '../records/forms/declaration-size.js';
import { checkNames } from '../records/parse/declaration-values.js';
import { parseEventDocument } from '../records/parse/parse-event-document.js';
import { parseEventRecord } from '../records/parse/parse-event-record.js';
import { type Derivation, type IncomingEvent, type PreparedEvent, prepareEventSteps } from '../records/event-change.js';

/** The content of an import line: an event, or all its faults. */
export type ImportLine =
  | { readonly kind: 'event'; readonly event: IncomingEvent }
  | { readonly kind: 'rejected'; readonly id: string | undefined; readonly issues: readonly Issue[] };

/** A line with `actions` is an event document, any other an event record. */
export function parseImportLine(line: Pick<NdjsonLine, 'text' | 'fault'>): ImportLine {
  const faults = new BoundedFaults();
  checkEventText(line.text, faults);
  const value = faults.none ? valueOfLine(line, faults) : undefined;
  const members = isObject(value) ? value : {};
  // It is kept with the fault: of a hundred lines, and each may be a megabyte of an id.
  const id = TEXT.read(members['id']);
  if (faults.none) checkEventSize(value, faults, line.text.length);
  if (!faults.none) return { kind: 'rejected', id, issues: faults.issues };
  if (Object.hasOwn(members, 'actions')) {
    const parsed = parseEventDocument(value);
    return parsed.kind === 'faulty'
      ? { kind: 'rejected', id, issues: parsed.issues }
      : { kind: 'event', event: { kind: 'document', document: parsed.value } };
  }
  const parsed = parseEventRecord(value);
  if (parsed.kind === 'faulty') return { kind: 'rejected', id, issues: parsed.issues };
  const unseen = new BoundedFaults();
  checkNames(parsed.value.declaration, 'declaration', unseen);
  if (!unseen.none) return { kind: 'rejected', id, issues: unseen.issues };
  return { kind: 'event', event: { kind: 'record', record: parsed.value } };
}

/** A line of an import, to be written or rejected, with everything computed that can be before it is written. */
export type ImportEntry = { readonly line: NdjsonLine } & (
  | { readonly kind: 'event'; readonly event: PreparedEvent }
  | { readonly kind: 'rejected'; readonly id: string | undefined; readonly issues: readonly Issue[] }
);

/** A line, prepared; of its vocabulary, only unknown entries. */
export function* importEntry(line: NdjsonLine, derivation: Derivation): Steps<ImportEntry> {
  const read = parseImportLine(line);
  if (read.kind === 'rejected') return { line, ...read };
  yield;
  const { event } = read;
  try {
    return { line, kind: 'event', event: yield* prepareEventSteps(event, derivation) };
  } catch (error) {
    const { id } = event.kind === 'record' ? event.record : event.document;
    return { line, kind: 'rejected', id, issues: issuesOf(error) };
  }
}

/** The faults for which an event is refused; throws everything else. */
function issuesOf(error: unknown): readonly Issue[] {
  if (error instanceof ServiceError && error.code === 'BAD_REQUEST') return error.issues;
  throw error;
}
