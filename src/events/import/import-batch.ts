import type { KnownVocabulary } from '../index/terms/known-vocabulary.js';
import { MIB } from '../../kernel/domain/bytes.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import type { PreparedEvent } from '../records/prepare-event.js';
import { sizeOfRow } from '../records/record-row.js';
import type { ImportEntry } from './import-entry.js';

const MOST_LINES = 500;
const MOST_CHARACTERS = MIB;

/** Lines that are written in one transaction, limited in number and text, so that memory is bounded. */
export class ImportBatch {
  readonly entries: ImportEntry[] = [];
  private readonly ids = new Set<Uuid>();
  private characters = 0;
  private derived = 0;

  /** `mostDerived`: characters; the last event may exceed it. */
  constructor(private readonly mostDerived = Infinity) {}

  /**
   * A repeated id waits for the next batch, and overwrites the result of the earlier line: the last one counts.
   */
  hasRoomFor(entry: ImportEntry): boolean {
    if (this.entries.length === 0) return true;
    return (
      this.entries.length < MOST_LINES &&
      this.derived < this.mostDerived &&
      this.characters + entry.line.text.length <= MOST_CHARACTERS &&
      !(entry.kind === 'event' && this.ids.has(entry.event.id))
    );
  }

  add(entry: ImportEntry): void {
    this.entries.push(entry);
    this.characters += entry.line.text.length;
    if (entry.kind !== 'event') return;
    this.ids.add(entry.event.id);
    this.derived += sizeOfRow(entry.event.row);
  }

  /** Removes known entries from the vocabulary. */
  leaveOut(known: KnownVocabulary): void {
    this.entries.forEach((entry, at) => {
      if (entry.kind === 'event') this.entries[at] = { ...entry, event: withoutKnown(entry.event, known) };
    });
  }

  events(): readonly PreparedEvent[] {
    return this.entries.flatMap((entry) => (entry.kind === 'event' ? [entry.event] : []));
  }

  /** Bytes of the source up to the end of the batch. */
  get end(): number {
    return this.entries.at(-1)?.line.end ?? 0;
  }
}

function withoutKnown(event: PreparedEvent, known: KnownVocabulary): PreparedEvent {
  const { paths, terms } = event.row.vocabulary;
  if (paths.length === 0 && terms.length === 0) return event;
  return { ...event, row: { ...event.row, vocabulary: known.missing(event.row.vocabulary) } };
}
