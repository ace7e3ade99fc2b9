import type { KnownVocabulary } from '../../derived/words/known-vocabulary.js';
import type { EventConfiguration } from '../../domain/event-configuration/event-configuration.js';
import type { Issue } from '../../errors/service-error.js';
import type { NdjsonLine } from '../../input/ndjson-lines.js';
import type { PreparedEvent } from '../../records/prepare-event.js';
import { prepareEvent } from '../../records/prepare-event.js';
import { parseImportLine } from './parse-import-line.js';

/** A line of an import, to be written or rejected. */
export type ImportEntry =
  | { readonly kind: 'event'; readonly line: NdjsonLine; readonly event: PreparedEvent }
  | {
      readonly kind: 'rejected';
      readonly line: NdjsonLine;
      readonly id: string | undefined;
      readonly issues: readonly Issue[];
    };

/**
 * The content of a line, with everything computed that can be before it is written; of its vocabulary, only unknown
 * entries.
 */
export function importEntry(line: NdjsonLine, configuration: EventConfiguration, known: KnownVocabulary): ImportEntry {
  const read = parseImportLine(line);
  if (read.kind === 'rejected') return { kind: 'rejected', line, id: read.id, issues: read.issues };
  return { kind: 'event', line, event: prepareEvent(read.event, configuration, known) };
}
