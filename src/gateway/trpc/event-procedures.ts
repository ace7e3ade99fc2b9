import { Injectable } from '@nestjs/common';
import { IsOptional } from 'class-validator';
import { IsText, IsUuid } from '../../platform/dto/validators.js';
import { readDto } from '../../platform/dto/read-dto.js';
import { LIFE_CYCLE } from '../../kernel/domain/life-cycle/life-cycle.js';
import type { ActionType } from '../../kernel/domain/event-action.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { FileAddresses } from '../../events/files/file-addresses.js';
import { FilesController } from '../../events/files/files.controller.js';
import { isObject } from '../../kernel/input/checks.js';
import { AcceptDto, askedAcceptance, askedRejection, RejectDto } from '../../events/confirmation/asked-confirmation.js';
import { IncomingConfirmations } from '../../events/confirmation/incoming-confirmations.js';
import {
  AcceptancesController,
  RejectionsController,
} from '../../events/confirmation/incoming-confirmations.controller.js';
import {
  ACTION_CONTROLLERS,
  ACTION_ROUTES,
  type ActionRoute,
  type RoutedAction,
} from '../../events/operations/actions.controller.js';
import { EventOperations } from '../../events/operations/event-operations.js';
import { EventsController } from '../../events/operations/events.controller.js';
import { CreateEventDto } from '../../events/operations/decisions/action.dto.js';
import { askedAction, customActionTypeOf, eventIdOf } from '../../events/operations/decisions/asked-action.js';
import { mutation, type Procedure, type Procedures, query, rulesOfRoute } from './procedure.js';

class EventIdDto {
  @IsUuid()
  eventId: Uuid;

  /** Upstream's wait for the index, which is always current here. */
  @IsOptional()
  waitFor?: unknown;

  @IsOptional()
  customActionType?: unknown;
}

class FilePathDto {
  @IsText()
  filePath: string;
}

/** Body and path parameters of the routes (I-4). */
@Injectable()
export class EventProcedures {
  constructor(
    private readonly operations: EventOperations,
    private readonly confirmations: IncomingConfirmations,
    private readonly addresses: FileAddresses,
  ) {}

  procedures(): Procedures {
    return {
      'event.get': query(rulesOfRoute(EventsController, 'get'), async (input, call) =>
        this.operations.read((await readDto(EventIdDto, input)).eventId, call),
      ),
      'event.file.getPresignedUrl': query(
        rulesOfRoute(FilesController, 'url'),
        async (input, { caller, publicAddress }) => {
          const { filePath } = await readDto(FilePathDto, input);
          return { presignedURL: await this.addresses.ofPath(filePath, { caller, publicAddress }) };
        },
      ),
      'event.create': mutation(rulesOfRoute(EventsController, 'create'), async (input, call) =>
        this.operations.create(await readDto(CreateEventDto, input), call),
      ),
      'event.delete': mutation(rulesOfRoute(EventsController, 'delete'), async (input, call) =>
        this.operations.delete((await readDto(EventIdDto, input)).eventId, call),
      ),
      ...Object.fromEntries((Object.keys(ACTION_ROUTES) as RoutedAction[]).flatMap((type) => this.proceduresOf(type))),
    };
  }

  /** The request, and its confirmations if any. */
  private proceduresOf(type: RoutedAction): readonly (readonly [string, Procedure])[] {
    const { names, body }: ActionRoute = ACTION_ROUTES[type];
    const path = `event.actions.${names[1]}`;
    const controller = ACTION_CONTROLLERS.get(type);
    if (controller === undefined) throw new Error(`${type} has no route`);
    const request = mutation(rulesOfRoute(controller, 'act'), async (input, call) => {
      const { members, customActionType } = apart(type, input);
      const asked = await readDto(body, members);
      const eventId = eventIdOf(asked.eventId ?? '');
      const custom = type === 'CUSTOM' ? { customActionType: customActionTypeOf(customActionType) } : {};
      return this.operations.act(eventId, askedAction(type, asked, custom), call);
    });
    if (!LIFE_CYCLE[type].isConfirmed) return [[path, request]];
    const accept = mutation(rulesOfRoute(AcceptancesController, 'ofType'), async (input, call) => {
      const asked = await readDto(AcceptDto, apart(type, input).members);
      return this.confirmations.confirm(askedAcceptance({ eventId: asked.eventId, type }, asked), call);
    });
    const reject = mutation(rulesOfRoute(RejectionsController, 'ofType'), async (input, call) => {
      const asked = await readDto(RejectDto, apart(type, input).members);
      return this.confirmations.confirm(askedRejection({ eventId: asked.eventId, type }, asked), call);
    });
    return [
      [`${path}.request`, request],
      [`${path}.accept`, accept],
      [`${path}.reject`, reject],
    ];
  }
}

/** A custom action's type is a member here. */
function apart(type: ActionType, input: unknown): { readonly members: unknown; readonly customActionType: string } {
  if (type !== 'CUSTOM' || !isObject(input)) return { members: input, customActionType: '' };
  const { customActionType, ...members } = input;
  return { members, customActionType: typeof customActionType === 'string' ? customActionType : '' };
}
