import { type Instant, toInstant } from '../../kernel/domain/calendar.js';
import type { EventConfiguration } from '../../kernel/domain/event-configuration/event-configuration.js';
import type { EventAction, EventDocument } from '../../kernel/domain/event-action.js';
import type { EventRecord } from '../../kernel/domain/event-record.js';
import { ActionHistory } from '../records/project/action-history.js';
import { notifierOf, type ProjectedEvent, projectEvent } from '../records/project/project-event.js';
import { type StoredEvent, storedRecord } from '../records/stored-events.js';
import { projectionOnImport } from '../records/stored-projection.js';

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
