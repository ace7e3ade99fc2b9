import { type Instant, toInstant } from '../../kernel/domain/calendar.js';
import type { ActionType, EventAction, EventDocument } from '../../kernel/domain/event-action.js';
import type { EventConfiguration } from '../../kernel/domain/event-configuration/event-configuration.js';
import type { EventRecord } from '../../kernel/domain/event-record.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import type { AuditEntry } from '../../platform/audit/audit-entry.js';
import { notifierOf, type ProjectedEvent, projectEvent } from '../records/project-event.js';
import { ActionHistory } from '../records/replay.js';
import type { UniqueValue } from '../records/write-records.js';
import { projectionOnImport, type StoredEvent, storedRecord } from '../records/stored-events.js';
import type { FilesByPath } from './event-publisher.js';

/** A stored event; each part is read on demand. */
export class CurrentEvent {
  private whole: EventDocument | undefined;
  private known: ProjectedEvent | undefined;

  constructor(
    readonly stored: StoredEvent,
    private readonly configuration: EventConfiguration,
  ) {}

  get document(): EventDocument {
    const { id, type, trackingId, createdAt, updatedAt, actions } = this.stored;
    this.whole ??= {
      id,
      type,
      trackingId,
      createdAt: toInstant(createdAt),
      updatedAt: toInstant(updatedAt),
      actions,
    };
    return this.whole;
  }

  /** For searches; a draft's future record. */
  get projected(): ProjectedEvent {
    this.known ??= this.project();
    return this.known;
  }

  get record(): EventRecord {
    return this.projected.record;
  }

  /** The event itself if there are none. */
  after(added: readonly EventAction[]): Pick<CurrentEvent, 'document' | 'projected'> {
    if (added.length === 0) return this;
    const updatedAt = lastChange(this.stored, added);
    const document = { ...this.document, updatedAt, actions: [...this.document.actions, ...added] };
    const project = (): ProjectedEvent => projectionOnImport(document, this.stored.imported, this.configuration);
    let known: ProjectedEvent | undefined;
    return {
      document,
      get projected() {
        return (known ??= project());
      },
    };
  }

  /** Undefined where an imported record covers more actions. */
  recordAfter(count: number): EventRecord | undefined {
    const { imported } = this.stored;
    if (imported !== undefined && count < imported.actions) return undefined;
    const document = { ...this.document, actions: this.document.actions.slice(0, count) };
    return projectionOnImport(document, imported, this.configuration).record;
  }

  private project(): ProjectedEvent {
    const { body, actions } = this.stored;
    if (body === null) return projectEvent(this.document, this.configuration);
    return { record: storedRecord(body), notified: notifierOf(ActionHistory.of(actions)) };
  }
}

/** Reading an event is no change. */
export const lastChange = ({ updatedAt }: StoredEvent, added: readonly EventAction[]): Instant =>
  added.findLast(({ type }) => type !== 'READ')?.createdAt ?? toInstant(updatedAt);

/** Memory of a waiting command without content, in bytes. */
export const SMALLEST_COMMAND = 2_048;

/** Copies of a JSON text: as sent, read and written. */
const BYTES_PER_UNIT = 3;

/** Approximate waiting memory, in bytes. */
export const sizeOfCommand = (text: string): number => SMALLEST_COMMAND + BYTES_PER_UNIT * text.length;

/** Identifies a repeated operation (E-12). */
export interface OperationKey {
  /** SHA-256 of caller, operation and `transactionId`. */
  readonly key: Buffer;
  /** SHA-256 of the request. */
  readonly content: Buffer;
}

export interface EventState {
  /** Locked; undefined if there is none. */
  readonly event: CurrentEvent | undefined;
  /** `otherwise`: the key was used with another content. */
  readonly performed: 'not yet' | 'before' | 'otherwise';
  /** Never before the event's last action. */
  readonly now: Instant;
  /** Free; undefined unless the command needs one. */
  readonly trackingId: string | undefined;
  readonly registrationNumber: string | undefined;
}

export interface Decision<T> {
  readonly answer: T;
  readonly change?: EventWrite;
  readonly audit?: AuditEntry;
  /** For the country configuration (E-15): see `Outgoing`. */
  readonly outgoing?: readonly EventAction[];
}

export type EventWrite =
  | { readonly kind: 'create'; readonly document: EventDocument }
  | { readonly kind: 'append'; readonly actions: readonly EventAction[] }
  /** An external document: known actions are skipped. */
  | { readonly kind: 'merge'; readonly document: EventDocument }
  | { readonly kind: 'delete' };

export interface Command<T> {
  /** The `sub` of the caller, for fair turns. */
  readonly client: string;
  readonly eventId: Uuid;
  /** Undefined for idempotent operations. */
  readonly key?: OperationKey;
  /** Approximate memory while it waits, in bytes. */
  readonly size: number;
  /** Their notifications enclose files (W-13). */
  readonly publishes?: readonly ActionType[] | undefined;
  /** Read by the writer before the command waits. */
  readonly files?: FilesByPath;
  readonly needs?: 'trackingId' | 'registrationNumber';
  /** The originating request's (G-5); absent: the submitting one's. */
  readonly correlationId?: string | undefined;
  /** A pure function, may be called again. Throws the caller's `ServiceError`. */
  readonly decide: (state: EventState) => Decision<T>;
  /** For a taken unique value; by default a 409 that names it. */
  readonly whenTaken?: (value: UniqueValue) => Error;
}
