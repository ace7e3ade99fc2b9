import type { Steps } from '../../platform/queue/time-slice.js';
import type { KnownVocabulary } from '../index/terms/known-vocabulary.js';
import type { EventConfiguration } from '../../kernel/domain/event-configuration/event-configuration.js';
import { type Issue, ServiceError } from '../../kernel/errors/service-error.js';
import type { NdjsonLine } from '../../kernel/input/ndjson-lines.js';
import { type PreparedEvent, prepareEventSteps } from '../records/prepare-event.js';
import { parseImportLine } from './parse-import-line.js';

/** A line of an import, to be written or rejected, with everything computed that can be before it is written. */
export type ImportEntry = { readonly line: NdjsonLine } & (
  | { readonly kind: 'event'; readonly event: PreparedEvent }
  | { readonly kind: 'rejected'; readonly id: string | undefined; readonly issues: readonly Issue[] }
);

/** A line, prepared; of its vocabulary, only unknown entries. */
export function* importEntry(
  line: NdjsonLine,
  configuration: EventConfiguration,
  known: KnownVocabulary,
): Steps<ImportEntry> {
  const read = parseImportLine(line);
  if (read.kind === 'rejected') return { line, ...read };
  yield;
  const { event } = read;
  try {
    return { line, kind: 'event', event: yield* prepareEventSteps(event, configuration, known) };
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
