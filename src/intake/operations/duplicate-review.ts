import { Injectable } from '@nestjs/common';

import { EventConfiguration } from '../../domain/event-configuration/event-configuration.js';
import { withoutSecuredFields } from '../../domain/record/secured-fields.js';
import type { EventDocument } from '../../domain/record/event-action.js';
import type { Uuid } from '../../domain/uuid.js';
import { eventNotFound, RecordAccess } from '../../search/record-access.js';
import type { Decision, EventState } from '../writer/command.js';
import type { CurrentEvent } from '../writer/current-event.js';
import { EventWriter } from '../writer/event-writer.js';
import { decideReading } from './decisions/decide-reading.js';
import type { EventView } from './decisions/event-view.js';
import type { Asker } from './event-operations.js';
import { SMALL } from './event-operations.js';
import { ViewsWithoutHidden } from './views-without-hidden.js';

/** The permission of those who decide whether records are duplicates. */
const REVIEW = ['record.review-duplicates'] as const;

/** Shows the potential duplicates of a record to those who review them (E-9). */
@Injectable()
export class DuplicateReview {
  constructor(
    private readonly writer: EventWriter,
    private readonly access: RecordAccess,
    private readonly configuration: EventConfiguration,
    private readonly views: ViewsWithoutHidden,
  ) {}

  /**
   * The events that the record may be a duplicate of, with all of their actions; appends READ to each of them. Throws
   * the 404 of a record that does not exist for the record, and as a whole if one of its duplicates is not accessible.
   */
  async duplicatesOf(eventId: Uuid, asker: Asker): Promise<readonly EventView[]> {
    await this.access.current(asker.caller);
    const { potentialDuplicates } = (await this.look(eventId, asker)).record;
    const ids = potentialDuplicates.map(({ id }) => id);
    // All are looked at before one of them is marked as read.
    await Promise.all(ids.map((id) => this.look(id, asker).catch(() => Promise.reject(eventNotFound(eventId)))));
    const views = await Promise.all(ids.map((id) => this.read(id, asker)));
    return Promise.all(views.map((view) => this.views.shown(view, asker.caller)));
  }

  private look(eventId: Uuid, { caller, hungUp }: Asker): Promise<CurrentEvent> {
    const decide = ({ event }: EventState): Decision<CurrentEvent> => {
      if (event === undefined || !this.access.covers(caller, REVIEW, () => event.projected))
        throw eventNotFound(eventId);
      return { answer: event };
    };
    return this.writer.submit({ client: caller.subject, eventId, size: SMALL, decide }, hungUp);
  }

  private read(eventId: Uuid, { caller, hungUp }: Asker): Promise<EventView> {
    const shown = (document: EventDocument, mayRead: boolean): EventDocument =>
      mayRead ? document : this.withoutSecured(document);
    const decide = decideReading({ access: this.access }, caller, eventId, { permissions: REVIEW, shown });
    return this.writer.submit({ client: caller.subject, eventId, size: SMALL, decide }, hungUp);
  }

  private withoutSecured(document: EventDocument): EventDocument {
    const secured = this.configuration.secured.get(document.type);
    const actions = document.actions.map((action) => ({
      ...action,
      declaration: withoutSecuredFields(action.declaration, secured),
    }));
    return { ...document, actions };
  }
}
