import type { Steps } from '../../platform/queue/time-slice.js';
import type { KnownVocabulary } from '../index/terms/known-vocabulary.js';
import type { EventConfiguration } from '../../kernel/domain/event-configuration/event-configuration.js';
import { type Issue, ServiceError } from '../../kernel/errors/service-error.js';
import type { NdjsonLine } from '../../kernel/input/ndjson-lines.js';
import { type PreparedEvent, prepareEventSteps } from '../records/prepare-event.js';
import { parseImportLine } from './parse-import-line.js';

/** A line with everything computed that can be before it is written. */
type PreparedLine =
  | { readonly kind: 'event'; readonly event: PreparedEvent }
  | { readonly kind: 'rejected'; readonly id: string | undefined; readonly issues: readonly Issue[] };

/** A line of an import, to be written or rejected. */
export type ImportEntry = PreparedLine & { readonly line: NdjsonLine };

/** The content of a line, prepared; of its vocabulary, only unknown entries. */
export function* preparedLine(
  line: Pick<NdjsonLine, 'text' | 'fault'>,
  configuration: EventConfiguration,
  known: KnownVocabulary,
): Steps<PreparedLine> {
  const read = parseImportLine(line);
  if (read.kind === 'rejected') return read;
  yield;
  try {
    return { kind: 'event', event: yield* prepareEventSteps(read.event, configuration, known) };
  } catch (error) {
    const { event } = read;
    return {
      kind: 'rejected',
      id: (event.kind === 'record' ? event.record : event.document).id,
      issues: issuesOf(error),
    };
  }
}

/** The faults for which an event is refused; throws everything else. */
function issuesOf(error: unknown): readonly Issue[] {
  if (error instanceof ServiceError && error.code === 'BAD_REQUEST') return error.issues;
  throw error;
}

/** A line to be written or rejected. */
export function* importEntry(
  line: NdjsonLine,
  configuration: EventConfiguration,
  known: KnownVocabulary,
): Steps<ImportEntry> {
  return { line, ...(yield* preparedLine(line, configuration, known)) };
}
