import type { Uuid } from '../../domain/uuid.js';
import type { Issue } from '../../errors/service-error.js';
import type { NdjsonLine } from './ndjson-lines.js';
import { parseImportLine } from './parse-import-line.js';
import type { PreparedEvent } from './prepare-event.js';
import { prepareEvent } from './prepare-event.js';

/** A line of an import, ready to be written or to be rejected. */
export type ImportEntry =
  | { readonly kind: 'event'; readonly line: NdjsonLine; readonly event: PreparedEvent }
  | {
      readonly kind: 'rejected';
      readonly line: NdjsonLine;
      readonly id: string | undefined;
      readonly issues: readonly Issue[];
    };

const MOST_LINES = 250;
const MOST_CHARACTERS = 1024 * 1024;

/** Lines that are written in one transaction: so many, and so much text, that memory is bounded. */
export class ImportBatch {
  readonly entries: ImportEntry[] = [];
  private readonly ids = new Set<Uuid>();
  private characters = 0;

  static entry(line: NdjsonLine): ImportEntry {
    const read = parseImportLine(line);
    return read.kind === 'event'
      ? { kind: 'event', line, event: prepareEvent(read.event) }
      : { kind: 'rejected', line, id: read.id, issues: read.issues };
  }

  /** An id that comes again waits for the next batch: whether the earlier line was taken shows only then. */
  hasRoomFor(entry: ImportEntry): boolean {
    if (this.entries.length === 0) return true;
    return (
      this.entries.length < MOST_LINES &&
      this.characters + entry.line.text.length <= MOST_CHARACTERS &&
      !(entry.kind === 'event' && this.ids.has(entry.event.id))
    );
  }

  add(entry: ImportEntry): void {
    this.entries.push(entry);
    this.characters += entry.line.text.length;
    if (entry.kind === 'event') this.ids.add(entry.event.id);
  }

  events(): readonly PreparedEvent[] {
    return this.entries.flatMap((entry) => (entry.kind === 'event' ? [entry.event] : []));
  }

  /** Bytes of the source up to the end of the batch. */
  get end(): number {
    return this.entries.at(-1)?.line.end ?? 0;
  }
}
