import { Inject, Injectable, Optional } from '@nestjs/common';
import type { Asker } from '../../auth/access/decorators.js';
import type { Caller } from '../../kernel/domain/scopes/caller.js';
import { toInstant } from '../../kernel/domain/calendar.js';
import { EventConfiguration, noConfigurationFor } from '../../kernel/domain/event-configuration/event-configuration.js';
import type { ActionType } from '../../kernel/domain/event-action.js';
import { parseUuid, type Uuid } from '../../kernel/domain/uuid.js';
import { ServiceError } from '../../kernel/errors/service-error.js';
import { projectEvent } from '../records/project-event.js';
import { DuplicateSearch } from '../search/duplicate-search.js';
import { eventNotFound, RecordAccess } from '../search/stored-access.js';
import { type Command, type Decision, type EventState, SMALLEST_COMMAND } from '../write/command.js';
import { EventWriter } from '../write/event-writer.js';
import { beingChanged } from '../write/refusals.js';
import { AwaitedConfirmation, idOfNewEvent, operationKey } from './operation-key.js';
import {
  type Act,
  type Acted,
  decideAction,
  DuplicatesWanted,
  type Rules,
  type SearchedDuplicates,
} from './decisions/decide-action.js';
import {
  type Creation,
  decideAssignment,
  decideCreation,
  decideDeletion,
  decideReading,
  newEvent,
} from './decisions/decide-event.js';
import { type EventView, viewOf } from './decisions/event-view.js';
import { namedOther, requireOwnAssignment } from './decisions/requirements.js';
import { OperationPlaces } from './operation-places.js';
import type { CreateAndNotifyDto, CreateEventDto } from './decisions/action.dto.js';
import { type AskedAction, askedAction } from './decisions/asked-action.js';
import { ViewsWithoutHidden } from './views-without-hidden.js';

/** Operations on one event (E-4); each answers with the event, to those who may read it (E-13). */
@Injectable()
export class EventOperations {
  private readonly rules: Rules;

  constructor(
    private readonly writer: EventWriter,
    private readonly access: RecordAccess,
    private readonly configuration: EventConfiguration,
    @Inject(OperationPlaces) private readonly places: Pick<OperationPlaces, 'placeOf'>,
    @Inject(DuplicateSearch) private readonly search: Pick<DuplicateSearch, 'duplicatesOf'>,
    @Inject(ViewsWithoutHidden) private readonly views: Pick<ViewsWithoutHidden, 'shown' | 'isKnown'>,
    @Optional() private readonly confirmation?: AwaitedConfirmation,
  ) {
    this.rules = { access, configuration };
  }

  /** Creates a draft. */
  create({ transactionId, createdAtLocation, type }: Body<CreateEventDto>, asker: Asker): Promise<EventView> {
    const at = parseUuid(createdAtLocation) ?? null;
    return this.createWith({ operation: 'create', type, transactionId, at, notification: undefined }, asker);
  }

  /** Records, D.4. */
  createAndNotify(body: Body<CreateAndNotifyDto>, asker: Asker): Promise<EventView> {
    const notification = askedAction('NOTIFY', body);
    const { transactionId, createdAtLocation: at } = notification;
    return this.createWith(
      { operation: 'create-and-notify', type: body.eventType, transactionId, at, notification },
      asker,
    );
  }

  /** Appends READ (E-6). */
  async read(eventId: Uuid, { caller, hungUp }: Asker): Promise<EventView> {
    await this.access.current(caller);
    const decide = decideReading({ access: this.access }, caller, eventId);
    const view = await this.writer.submit({ client: caller.subject, eventId, size: SMALLEST_COMMAND, decide }, hungUp);
    return this.views.shown(view, caller);
  }

  async delete(eventId: Uuid, { caller, hungUp }: Asker): Promise<{ readonly id: Uuid }> {
    await this.access.current(caller);
    const decide = decideDeletion({ access: this.access }, caller, eventId);
    return this.writer.submit({ client: caller.subject, eventId, size: SMALLEST_COMMAND, decide }, hungUp);
  }

  /** Any other action. */
  async act(eventId: Uuid, asked: AskedAction, { caller, hungUp }: Asker): Promise<EventView> {
    requireOwnAssignment(caller, asked);
    const place = await this.places.placeOf(caller, asked.createdAtLocation);
    await this.access.current(caller);
    const { type, customActionType, transactionId } = asked;
    const isAwaited = this.isAwaited(type);
    const other = namedOther(asked);
    const namesUnknown = other !== undefined && !(await this.views.isKnown(other, caller));
    const act: Act = { caller, eventId, asked, place, isAwaited, namesUnknown };
    const operation = customActionType === null ? type : `${type} ${customActionType}`;
    const { size, ...key } = operationKey({ subject: caller.subject, operation, transactionId, content: asked });
    const isAssignment = type === 'ASSIGN' || type === 'UNASSIGN';
    const submit = (duplicates?: SearchedDuplicates): Promise<Acted> => {
      // Not registered with duplicates or before the search, so that no number is wasted.
      const isAccepted = !isAwaited && (type !== 'REGISTER' || duplicates?.found.length === 0);
      return this.writer.submit(
        {
          client: caller.subject,
          eventId,
          key,
          size,
          ...(isAccepted && { publishes: [type] }),
          ...(isAccepted && type === 'REGISTER' && { needs: 'registrationNumber' as const }),
          decide: isAssignment ? decideAssignment(this.rules, act) : decideAction(this.rules, { ...act, duplicates }),
        },
        hungUp,
      );
    };
    return this.outcomeOf(await this.searchingDuplicates(submit, { caller, hungUp }), act, hungUp);
  }

  /** Resubmits with the duplicates that the decision wants (E-9). */
  private async searchingDuplicates(
    submit: (duplicates?: SearchedDuplicates) => Promise<Acted>,
    { caller, hungUp }: Asker,
  ): Promise<Acted> {
    let duplicates: SearchedDuplicates | undefined;
    for (let left = MOST_DUPLICATE_SEARCHES; ; left -= 1) {
      try {
        return await submit(duplicates);
      } catch (error) {
        if (!(error instanceof DuplicatesWanted)) throw error;
        if (left === 0) throw beingChanged(error);
        const { record, isSettled } = error;
        const found = isSettled ? [] : await this.search.duplicatesOf(record, { client: caller.subject, hungUp });
        duplicates = { declaration: record.declaration, found };
      }
    }
  }

  private async createWith(
    { operation, type, transactionId, at, notification }: NewEvent,
    { caller, hungUp }: Asker,
  ): Promise<EventView> {
    if (!this.configuration.isKnown(type)) throw new ServiceError('BAD_REQUEST', noConfigurationFor(type));
    const content = notification === undefined ? { type, at } : { type, notification };
    const { size, ...key } = operationKey({ subject: caller.subject, operation, transactionId, content });
    const isAwaited = notification !== undefined && this.isAwaited('NOTIFY');
    const eventId = idOfNewEvent(key);
    const creation = { caller, eventId, type, transactionId, notification, isAwaited };
    await this.access.current(caller);
    this.requireCoverage({ ...creation, place: caller.userType === 'user' ? (caller.office ?? null) : at });
    const place = await this.places.placeOf(caller, at);
    const acted = await this.writer.submit(
      {
        client: caller.subject,
        eventId,
        key,
        size,
        needs: 'trackingId',
        decide: decideCreation(this.rules, { ...creation, place }),
      },
      hungUp,
    );
    return this.outcomeOf(acted, { caller, eventId, isAwaited }, hungUp);
  }

  /** Throws 403 unless scopes cover the new event and notification. */
  private requireCoverage(creation: Creation): void {
    const made = () => projectEvent(newEvent(creation, toInstant(new Date()), '000000'), this.configuration);
    const { caller, notification } = creation;
    const permissions = notification === undefined ? CREATE : CREATE_AND_NOTIFY;
    if (permissions.every((permission) => this.access.covers(caller, [permission], made))) return;
    throw new ServiceError('FORBIDDEN', 'Insufficient access', {
      issues: [{ message: `authorization: no scope for ${permissions.join(' and ')} covers the event` }],
    });
  }

  private isAwaited(type: ActionType): boolean {
    return this.confirmation?.isAwaited(type) ?? false;
  }

  /** Waits for a confirmation, then answers with the event. */
  private async outcomeOf(
    { view, requested }: Acted,
    { caller, eventId, isAwaited }: Pick<Act, 'caller' | 'eventId' | 'isAwaited'>,
    hungUp: AbortSignal,
  ): Promise<EventView> {
    if (!isAwaited || requested?.status !== 'Requested') return this.views.shown(view, caller);
    await this.confirmation?.outcomeOf(requested.id, hungUp);
    const look: Command<EventView> = {
      client: caller.subject,
      eventId,
      size: SMALLEST_COMMAND,
      decide: (state) => this.look(caller, eventId, state),
    };
    return this.views.shown(await this.writer.submit(look, hungUp), caller);
  }

  private look(caller: Caller, eventId: Uuid, { event }: EventState): Decision<EventView> {
    if (event === undefined) throw eventNotFound(eventId);
    return { answer: viewOf(this.access, caller, event) };
  }
}

type Body<T> = Pick<T, keyof T>;

interface NewEvent {
  readonly operation: string;
  readonly type: string;
  readonly transactionId: string;
  readonly at: Uuid | null;
  readonly notification: AskedAction | undefined;
}

/** Others may change the event between search and decision. */
const MOST_DUPLICATE_SEARCHES = 3;

const CREATE = ['record.create'] as const;
const CREATE_AND_NOTIFY = ['record.create', 'record.notify'] as const;
