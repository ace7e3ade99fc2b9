import { Inject, Injectable } from '@nestjs/common';
import type { Asker } from '../../auth/access/decorators.js';
import { MIB } from '../../kernel/domain/bytes.js';
import { EventConfiguration } from '../../kernel/domain/event-configuration/event-configuration.js';
import { inGroupsOf } from '../../kernel/domain/in-groups-of.js';
import { withoutSecuredFields } from '../../kernel/domain/secured-fields.js';
import type { EventDocument } from '../../kernel/domain/event-action.js';
import type { EventRecord } from '../../kernel/domain/event-record.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { ServiceError } from '../../kernel/errors/service-error.js';
import { WholeEvents } from '../records/stored-events.js';
import { eventNotFound, RecordAccess, StoredAccess } from '../search/stored-access.js';
import { type Decision, type EventState, SMALLEST_COMMAND } from '../write/command.js';
import { EventWriter } from '../write/event-writer.js';
import { decideReading } from './decisions/decide-event.js';
import type { EventView } from './decisions/event-view.js';
import { ViewsWithoutHidden } from './views-without-hidden.js';

const TOO_MUCH = 'The potential duplicates of the event have too many actions for one answer; read them one by one';

const REVIEW = ['record.review-duplicates'] as const;

/** Stored actions of all duplicates, which are answered whole. */
const MOST_BYTES = 16 * MIB;

/** Batch size: a record may name thousands, and the writer's queue must keep room for others. */
const AT_ONCE = 8;

/** Potential duplicates for reviewers (E-9). */
@Injectable()
export class DuplicateReview {
  constructor(
    @Inject(EventWriter) private readonly writer: Pick<EventWriter, 'submit'>,
    private readonly access: RecordAccess,
    private readonly configuration: EventConfiguration,
    private readonly stored: StoredAccess,
    private readonly events: WholeEvents,
    @Inject(ViewsWithoutHidden) private readonly views: Pick<ViewsWithoutHidden, 'shown'>,
  ) {}

  /**
   * Appends READ to each. Throws 404 for the record, or if any duplicate is inaccessible; 409 CONFLICT for a too large
   * answer.
   */
  async duplicatesOf(eventId: Uuid, asker: Asker): Promise<readonly EventView[]> {
    await this.access.current(asker.caller);
    const potentialDuplicates = await this.potentialDuplicatesOf(eventId, asker);
    const ids = [...new Set(potentialDuplicates.map(({ id }) => id))];
    // All are checked before any is marked as read.
    for (const group of inGroupsOf(ids, AT_ONCE)) {
      const covered = await Promise.all(group.map((id) => this.stored.covers(asker.caller, REVIEW, id)));
      if (covered.includes(false)) throw eventNotFound(eventId);
    }
    if ((await this.events.bytesOf(ids)) > MOST_BYTES) throw new ServiceError('CONFLICT', TOO_MUCH);
    return this.events.reading(ids, { client: asker.caller.subject, hungUp: asker.hungUp }, async () => {
      const views: EventView[] = [];
      for (const group of inGroupsOf(ids, AT_ONCE))
        views.push(...(await Promise.all(group.map((id) => this.read(id, asker)))));
      return views;
    });
  }

  private potentialDuplicatesOf(eventId: Uuid, { caller, hungUp }: Asker): Promise<EventRecord['potentialDuplicates']> {
    const decide = ({ event }: EventState): Decision<EventRecord['potentialDuplicates']> => {
      if (event === undefined || !this.access.covers(caller, REVIEW, () => event.projected)) {
        throw eventNotFound(eventId);
      }
      return { answer: event.record.potentialDuplicates };
    };
    return this.writer.submit({ client: caller.subject, eventId, size: SMALLEST_COMMAND, decide }, hungUp);
  }

  private async read(eventId: Uuid, { caller, hungUp }: Asker): Promise<EventView> {
    const shown = (document: EventDocument, mayRead: boolean): EventDocument =>
      mayRead ? document : this.withoutSecured(document);
    const decide = decideReading({ access: this.access }, caller, eventId, { permissions: REVIEW, shown });
    const view = await this.writer.submit({ client: caller.subject, eventId, size: SMALLEST_COMMAND, decide }, hungUp);
    return this.views.shown(view, caller);
  }

  private withoutSecured(document: EventDocument): EventDocument {
    const secured = this.configuration.secured.get(document.type);
    // Free annotations and custom actions may also have declaration fields.
    const actions = document.actions.map((action) => ({
      ...action,
      declaration: withoutSecuredFields(action.declaration, secured),
      annotation: action.annotation && withoutSecuredFields(action.annotation, secured),
      content: action.content && withoutSecuredFields(action.content, secured),
    }));
    return { ...document, actions };
  }
}
