import { Body, Controller, Param } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import { type Asker, CurrentAsker } from '../../auth/access/decorators.js';
import type { ActionType } from '../../kernel/domain/event-action.js';
import { type Dto, Takes } from '../../platform/dto/members.js';
import {
  ActionDto,
  ActionWithContentDto,
  ApproveCorrectionDto,
  AssignmentDto,
  NotifyDto,
  ReasonedActionDto,
  RejectCorrectionDto,
} from './decisions/action.dto.js';
import { askedAction, CUSTOM_ACTION_TYPE, customActionTypeOf, eventIdOf } from './decisions/asked-action.js';
import type { EventView } from './decisions/event-view.js';
import { ActionOperation } from './event-operation.js';
import { EventOperations } from './event-operations.js';

export interface ActionRoute {
  readonly path: string;
  /** Below `event.` in the document; upstream's name below `event.actions`, for tRPC (I-4). */
  readonly names: readonly [operation: string, procedure: string];
  readonly body: Dto<ActionDto>;
  readonly summary: string;
  readonly description?: string;
  readonly tag?: 'Notify';
}

/** Actions on one event (E-4). */
export const ACTION_ROUTES = {
  NOTIFY: {
    path: 'notify',
    names: ['notify', 'notify'],
    body: NotifyDto,
    tag: 'Notify',
    summary: 'Notify an event',
    description: 'Of a draft, of a record that was rejected, or of one that is being edited.',
  },
  DECLARE: {
    path: 'actions/declare',
    names: ['actions-declare', 'declare'],
    body: ActionDto,
    summary: 'Declare an event',
  },
  EDIT: {
    path: 'actions/edit',
    names: ['actions-edit', 'edit'],
    body: ActionWithContentDto,
    summary: 'Begin to edit a notified or declared record',
  },
  REGISTER: {
    path: 'actions/register',
    names: ['actions-register', 'register'],
    body: ActionDto,
    summary: 'Register a declared record',
  },
  REJECT: {
    path: 'actions/reject',
    names: ['actions-reject', 'reject'],
    body: ReasonedActionDto,
    summary: 'Send a record back for updates: `content.reason` is required',
  },
  ARCHIVE: {
    path: 'actions/archive',
    names: ['actions-archive', 'archive'],
    body: ReasonedActionDto,
    summary: 'Archive a record: `content.reason` is required',
  },
  UNARCHIVE: {
    path: 'actions/unarchive',
    names: ['actions-unarchive', 'unarchive'],
    body: ActionWithContentDto,
    summary: 'Restore an archived record',
  },
  PRINT_CERTIFICATE: {
    path: 'actions/print-certificate',
    names: ['actions-printCertificate', 'printCertificate'],
    body: ActionWithContentDto,
    summary: 'Note that a certificate was printed: `content.templateId` names its template',
  },
  REQUEST_CORRECTION: {
    path: 'correction/request',
    names: ['requestCorrection', 'correction.request'],
    body: ActionWithContentDto,
    summary: 'Request a correction of a registered record',
    description: 'The declaration holds the fields that change; they change when the request is approved.',
  },
  APPROVE_CORRECTION: {
    path: 'correction/approve',
    names: ['approveCorrection', 'correction.approve'],
    body: ApproveCorrectionDto,
    summary: 'Approve a requested correction',
  },
  REJECT_CORRECTION: {
    path: 'correction/reject',
    names: ['rejectCorrection', 'correction.reject'],
    body: RejectCorrectionDto,
    summary: 'Reject a requested correction',
    description: '`content.reason` is required.',
  },
  MARK_AS_DUPLICATE: {
    path: 'actions/mark-as-duplicate',
    names: ['actions-markAsDuplicate', 'duplicate.markAsDuplicate'],
    body: ActionWithContentDto,
    summary: 'Mark a record as a duplicate: `content.duplicateOf` may name of which',
  },
  MARK_AS_NOT_DUPLICATE: {
    path: 'actions/mark-as-not-duplicate',
    names: ['actions-markAsNotDuplicate', 'duplicate.markNotDuplicate'],
    body: ActionDto,
    summary: 'Mark a record as no duplicate',
  },
  REVOKE_REGISTRATION: {
    path: 'actions/revoke-registration',
    names: ['actions-revokeRegistration', 'revocation.revoke'],
    body: ActionWithContentDto,
    summary: 'Revoke a registration',
  },
  REINSTATE_REGISTRATION: {
    path: 'actions/reinstate-registration',
    names: ['actions-reinstateRegistration', 'revocation.reinstate'],
    body: ActionWithContentDto,
    summary: 'Reinstate a revoked registration',
  },
  DEACTIVATE_REGISTRATION: {
    path: 'actions/deactivate-registration',
    names: ['actions-deactivateRegistration', 'deactivateRegistration'],
    body: ActionWithContentDto,
    summary: 'Make a registration inactive',
  },
  REACTIVATE_REGISTRATION: {
    path: 'actions/reactivate-registration',
    names: ['actions-reactivateRegistration', 'reactivateRegistration'],
    body: ActionWithContentDto,
    summary: 'Make an inactive registration active again',
  },
  ASSIGN: {
    path: 'actions/assign',
    names: ['actions-assign', 'assignment.assign'],
    body: AssignmentDto,
    summary: 'Take an event',
    description: 'An event that nobody has; one that the caller has stays as it is.',
  },
  UNASSIGN: {
    path: 'actions/unassign',
    names: ['actions-unassign', 'assignment.unassign'],
    body: AssignmentDto,
    summary: 'Give an event back',
    description: 'What another user has needs `record.unassign-others`; what nobody has stays as it is.',
  },
  CUSTOM: {
    path: 'actions/custom/:customActionType',
    names: ['actions-custom', 'custom'],
    body: ActionWithContentDto,
    summary: 'Take a custom action, such as SEAL',
    description: 'The scope must permit the type of the custom action; `content` may hold anything.',
  },
} as const satisfies Readonly<
  Record<Exclude<ActionType, 'CREATE' | 'READ' | 'DELETE' | 'DUPLICATE_DETECTED'>, ActionRoute>
>;

export type RoutedAction = keyof typeof ACTION_ROUTES;

const RoutedOperation = (type: RoutedAction): MethodDecorator => {
  const { path, names, ...operation }: ActionRoute = ACTION_ROUTES[type];
  return ActionOperation(type, { ...operation, path: `:eventId/${path}`, operationId: `event-${names[0]}` });
};

function actionController(type: RoutedAction) {
  @Controller('events')
  class ActionController {
    constructor(private readonly operations: EventOperations) {}

    @Takes(ACTION_ROUTES[type].body)
    @RoutedOperation(type)
    act(@Body() body: ActionDto, @Param('eventId') eventId: string, @CurrentAsker() asker: Asker): Promise<EventView> {
      const id = eventIdOf(eventId);
      return this.operations.act(id, askedAction(type, body, { eventId: id }), asker);
    }
  }
  return ActionController;
}

@Controller('events')
class CustomActionController {
  constructor(private readonly operations: EventOperations) {}

  @RoutedOperation('CUSTOM')
  @ApiParam({
    name: 'customActionType',
    schema: { type: 'string', pattern: CUSTOM_ACTION_TYPE.source },
    example: 'SEAL',
  })
  act(
    @Body() body: ActionWithContentDto,
    @Param('eventId') eventId: string,
    @Param('customActionType') customActionType: string,
    @CurrentAsker() asker: Asker,
  ): Promise<EventView> {
    const id = eventIdOf(eventId);
    const path = { eventId: id, customActionType: customActionTypeOf(customActionType) };
    return this.operations.act(id, askedAction('CUSTOM', body, path), asker);
  }
}

/** By type, each with its one route. */
export const ACTION_CONTROLLERS = new Map(
  (Object.keys(ACTION_ROUTES) as RoutedAction[]).map((type) => [
    type,
    type === 'CUSTOM' ? CustomActionController : actionController(type),
  ]),
);
