import { Member, OptionalMember, MayBeAbsent, PassedOn } from '../../../platform/dto/members.js';
import { type ApiPropertyOptions, ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsOptional, IsUUID, Length } from 'class-validator';

import { IsText } from '../../../platform/dto/validators.js';
import { readDeclarationChange } from '../../records/declaration-values.js';

const CHANGE = { type: 'object', additionalProperties: true } as const;
/** See `readContent`. */
const CONTENT =
  'By action. Text of 1 to 10,000 characters: `reason` (to unarchive, revoke, reinstate, deactivate and reactivate), `comment` (edit), `templateId` (print-certificate). Others: `duplicateOf`, a UUID (mark-as-duplicate), and `immediateCorrection`, a boolean (to request and to approve a correction). A custom action takes anything';
const REASONED: ApiPropertyOptions = {
  type: 'object',
  properties: { reason: { type: 'string', minLength: 1, maxLength: 10_000 } },
  selfRequired: true,
  required: ['reason'],
  additionalProperties: false,
  description: 'Why',
};
const NOT_USED = 'Taken for compatibility, and not used';
const EVENT_TYPE: ApiPropertyOptions = { type: 'string', description: NOT_USED };
const REQUEST_ID = { format: 'uuid', description: 'The id of the correction request, as Requested or as Accepted' };

class TransactionDto {
  @ApiProperty({
    minLength: 1,
    maxLength: 255,
    description: 'Of your choice: a repetition with the same id and content answers the same and changes nothing',
  })
  @IsText()
  @Length(1, 255)
  transactionId: string;

  @ApiPropertyOptional({
    format: 'uuid',
    description:
      'Where it is done: a location, which a system client must say unless it accepts or rejects what was requested. A user is at his office, and must not say it',
  })
  @MayBeAbsent()
  @IsUUID('all')
  createdAtLocation?: string;
}

/** E-4. */
export class CreateEventDto extends TransactionDto {
  @Member({ minLength: 1, maxLength: 255, example: 'birth' }, IsText(), Length(1, 255))
  type: string;

  @ApiPropertyOptional({ ...CHANGE, description: NOT_USED })
  @PassedOn()
  dateOfEvent?: unknown;
}

export class ActionMembersDto extends TransactionDto {
  @ApiPropertyOptional({ ...CHANGE, description: 'Field id to value; null removes the field' })
  @PassedOn(readDeclarationChange)
  declaration?: unknown;

  @ApiPropertyOptional({ ...CHANGE, nullable: true, description: 'What is said of this action alone' })
  @PassedOn((value, path, faults) => value === null || readDeclarationChange(value, path, faults))
  annotation?: unknown;

  @OptionalMember({ description: 'The type of the action, which the path says already' }, IsText())
  type?: string;

  @OptionalMember({ format: 'uuid', description: 'Taken for compatibility, and not used' }, IsUUID('all'))
  originalActionId?: string;

  @OptionalMember({ description: 'Whether a user who has the event keeps it', default: false }, IsBoolean())
  keepAssignment?: boolean;

  @ApiPropertyOptional({ description: 'The same, of what is accepted at once, and of an acceptance', default: false })
  @MayBeAbsent()
  @IsBoolean()
  keepAssignmentIfAccepted?: boolean;

  @OptionalMember({ description: 'The same, of a rejection; of a request without effect', default: false }, IsBoolean())
  keepAssignmentIfRejected?: boolean;

  @ApiPropertyOptional({
    description: 'Taken for compatibility: the next search finds what was answered',
    default: true,
  })
  @MayBeAbsent()
  @IsBoolean()
  waitFor?: boolean;
}

export class ActionDto extends ActionMembersDto {
  @OptionalMember({ format: 'uuid', description: 'The id in the path, which upstream’s clients repeat' }, IsUUID('all'))
  eventId?: string;
}

export class NotifyDto extends ActionDto {
  @ApiPropertyOptional(EVENT_TYPE)
  @PassedOn()
  eventType?: unknown;
}

/** Earlier name of notify. */
export class NotificationDto extends ActionMembersDto {
  @Member({ format: 'uuid' }, IsUUID('all'))
  eventId: string;

  @ApiPropertyOptional(EVENT_TYPE)
  @PassedOn()
  eventType?: unknown;
}

/** E-4. */
export class CreateAndNotifyDto extends ActionMembersDto {
  @ApiProperty({ minLength: 1, maxLength: 255, example: 'birth', description: 'The type of the new event' })
  @IsText()
  @Length(1, 255)
  eventType: string;
}

export class ActionWithContentDto extends ActionDto {
  @ApiPropertyOptional({ ...CHANGE, description: CONTENT })
  @PassedOn()
  content?: unknown;
}

/** `readContent` demands the reason. */
export class ReasonedActionDto extends ActionDto {
  @Member(REASONED, PassedOn())
  content: unknown;
}

/** E-4. */
export class ApproveCorrectionDto extends ActionWithContentDto {
  @Member(REQUEST_ID, IsUUID('all'))
  requestId: string;
}

/** E-4. */
export class RejectCorrectionDto extends ReasonedActionDto {
  @Member(REQUEST_ID, IsUUID('all'))
  requestId: string;
}

export class AssignmentDto extends ActionDto {
  @ApiPropertyOptional({
    type: String,
    nullable: true,
    minLength: 1,
    maxLength: 255,
    description: 'Who gets the event: the caller himself, and nobody else; of unassign, null',
  })
  @IsOptional()
  @IsText()
  @Length(1, 255)
  assignedTo?: string | null;
}
