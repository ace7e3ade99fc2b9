import { Member, MayBeAbsent, PassedOn } from '../../platform/dto/members.js';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsUUID, Length } from 'class-validator';

import { IsText } from '../../platform/dto/validators.js';
import { ActionMembersDto } from '../operations/decisions/action.dto.js';
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
