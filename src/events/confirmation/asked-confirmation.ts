import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsUUID, Length } from 'class-validator';
import { ACTION_TYPES, type ActionType, type DeclarationChange } from '../../kernel/domain/event-action.js';
import { parseUuid, type Uuid } from '../../kernel/domain/uuid.js';
import type { Faults } from '../../kernel/errors/faults.js';
import { ServiceError } from '../../kernel/errors/service-error.js';
import { isLeftOut, isObject } from '../../kernel/input/checks.js';
import { BoundedFaults } from '../../kernel/input/input.js';
import { MayBeAbsent, Member, PassedOn } from '../../platform/dto/members.js';
import { IsText } from '../../platform/dto/validators.js';
import { ActionMembersDto } from '../operations/decisions/action.dto.js';
import { readContent } from '../operations/decisions/asked-action.js';
import { checkSize } from '../records/declaration-size.js';
import { readDeclarationChange, readDeclared } from '../records/declaration-values.js';
import { MOST_NUMBER_CHARACTERS } from './country-answer.js';

const CHANGE = { type: 'object', additionalProperties: true } as const;

/** E-8. */
class ConfirmationDto extends ActionMembersDto {
  @Member({ format: 'uuid', description: 'As in the path' }, IsUUID('all'))
  eventId: string;

  @ApiPropertyOptional({
    format: 'uuid',
    description:
      'Of the Requested action. It may be left out: the path says it, or it is the latest request of the type that the path says',
  })
  @MayBeAbsent()
  @IsUUID('all')
  actionId?: string;
}

/** Body of the acceptance of a requested action. */
export class AcceptDto extends ConfirmationDto {
  @ApiPropertyOptional({
    minLength: 1,
    maxLength: MOST_NUMBER_CHARACTERS,
    description: 'Of a REGISTER; left out: the service makes one',
  })
  @MayBeAbsent()
  @IsText()
  @Length(1, MOST_NUMBER_CHARACTERS)
  registrationNumber?: string;
}

/** Body of the rejection of a requested action. */
export class RejectDto extends ConfirmationDto {
  @ApiPropertyOptional({ ...CHANGE, description: 'Why: `reason`, and nothing else' })
  @PassedOn()
  content?: unknown;
}

/** Which action a path names: one, or the latest request of a type. */
export interface ConfirmedPath {
  readonly eventId: string;
  readonly actionId?: string;
  readonly type?: ActionType;
}

/** A confirmation as a system client asks for it, with everything checked that can be without the event. */
export interface AskedConfirmation {
  readonly verb: 'accept' | 'reject';
  readonly eventId: Uuid;
  /** Undefined: the latest request of `type`. */
  readonly actionId: Uuid | undefined;
  /** The type that the action must have; undefined: any. */
  readonly type: ActionType | undefined;
  readonly transactionId: string;
  readonly createdAtLocation: Uuid | null;
  readonly declaration: DeclarationChange;
  readonly annotation: DeclarationChange | null;
  /** In acceptances. */
  readonly registrationNumber: string | undefined;
  /** The reason, in rejections. */
  readonly content: Readonly<Record<string, unknown>> | null;
  readonly keepsAssignment: boolean;
}

/** An acceptance. Throws 400 with every fault. */
export const askedAcceptance = (path: ConfirmedPath, body: AcceptDto): AskedConfirmation =>
  asked(path, body, (faults) => ({
    verb: 'accept',
    declaration: isLeftOut(body.declaration) ? {} : readDeclared(body.declaration, 'declaration', faults),
    registrationNumber: body.registrationNumber,
    content: null,
    keepsAssignment: body.keepAssignment ?? body.keepAssignmentIfAccepted ?? false,
  }));

/** A rejection, of which nothing is applied. Throws 400 with every fault. */
export const askedRejection = (path: ConfirmedPath, body: RejectDto): AskedConfirmation =>
  asked(path, body, (faults) => {
    if (!isLeftOut(body.declaration) && !(isObject(body.declaration) && Object.keys(body.declaration).length === 0)) {
      faults.add('declaration', 'must be empty: a rejection changes nothing');
    }
    return {
      verb: 'reject',
      declaration: {},
      registrationNumber: undefined,
      content: isLeftOut(body.content) ? null : readContent('REJECT', body.content, faults),
      keepsAssignment: body.keepAssignment ?? body.keepAssignmentIfRejected ?? false,
    };
  });

/** The type of action that a path names: `register`, `print-certificate`. Throws 404 if there is none. */
export function actionTypeOf(name: string): ActionType {
  const type = ACTION_TYPES.find((candidate) => candidate.toLowerCase().replaceAll('_', '-') === name);
  if (type === undefined) throw new ServiceError('NOT_FOUND', 'Not found');
  return type;
}

type Specific = Pick<AskedConfirmation, 'verb' | 'declaration' | 'registrationNumber' | 'content' | 'keepsAssignment'>;

function asked(
  path: ConfirmedPath,
  body: AcceptDto | RejectDto,
  readSpecific: (faults: Faults) => Specific,
): AskedConfirmation {
  const faults = new BoundedFaults();
  const eventId = idInPath('eventId', path.eventId, faults);
  if (eventId !== undefined && parseUuid(body.eventId) !== eventId) faults.add('eventId', 'must be that of the path');
  const given = parseUuid(body.actionId);
  const named = path.actionId === undefined ? undefined : idInPath('actionId', path.actionId, faults);
  if (named !== undefined && given !== undefined && given !== named) faults.add('actionId', 'must be that of the path');
  const types = [path.type, body.type].filter((type) => type !== undefined);
  const type = ACTION_TYPES.find((candidate) => candidate === types[0]);
  if (types.some((one) => one !== type)) faults.add('type', `must be ${typeNames(path.type)}`);
  const specific = readSpecific(faults);
  const annotation = isLeftOut(body.annotation) ? null : readDeclarationChange(body.annotation, 'annotation', faults);
  checkSize(specific.declaration, 'declaration', faults);
  checkSize(annotation ?? {}, 'annotation', faults);
  faults.throwIfAny();
  if (eventId === undefined) throw new Error('a fault of the path was not reported');
  return {
    ...specific,
    eventId,
    actionId: named ?? given,
    type,
    annotation,
    transactionId: body.transactionId,
    createdAtLocation: parseUuid(body.createdAtLocation) ?? null,
  };
}

function idInPath(name: string, text: string, faults: Faults): Uuid | undefined {
  const id = parseUuid(text);
  if (id === undefined) faults.add(name, 'must be a UUID');
  return id;
}

const typeNames = (type: ActionType | undefined): string => (type === undefined ? 'a type of action' : `"${type}"`);
