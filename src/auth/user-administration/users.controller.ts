import { OptionalMember } from '../../platform/dto/members.js';
import { Body, Controller, Get, HttpCode, Patch, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { IsIn, MaxLength } from 'class-validator';
import type { Caller } from '../../kernel/domain/scopes/caller.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { CountedQuery } from '../../platform/dto/page.js';
import { IsText, IsUuid } from '../../platform/dto/validators.js';
import { Accepts } from '../../platform/dto/accepts.js';
import { closedObject, dateTime, text, uuid } from '../../platform/dto/schemas.js';
import { Allow, ApiErrorAnswer, CREDENTIALS_LIMIT_BYTES, CurrentCaller, InTurn, PathId } from '../access/decorators.js';
import { EMAIL, IsEmailAddress, IsMobile, IsUsername, MOBILE, USERNAME } from '../users/user-members.js';
import { USER_STATUSES, type UserView } from '../users/user-view.js';
import { IsPersonName, NewUserDto, PersonNameDto } from './new-user.dto.js';
import { UserAdministration } from './user-administration.js';

const USER_SCHEMA = closedObject({
  id: { ...uuid, description: '`sub` of the user’s tokens' },
  username: text,
  name: { ...closedObject({ firstname: text, surname: text }), description: 'A part that they do not have is empty' },
  role: { ...text, description: 'The id of a role' },
  primaryOfficeId: uuid,
  status: {
    type: 'string',
    enum: [...USER_STATUSES],
    description: 'pending: no password has been set yet; only active users get in',
  },
  email: { ...EMAIL, type: ['string', 'null'] },
  mobile: { ...MOBILE, type: ['string', 'null'] },
  createdAt: dateTime,
  updatedAt: dateTime,
});
const USERS_SCHEMA = closedObject({
  results: { type: 'array', items: USER_SCHEMA },
  total: { type: 'integer', description: 'How many match' },
});

const MOST_USERS = 1_000;

/** Omitted members stay. */
class UserChangeDto {
  @OptionalMember(USERNAME, IsUsername())
  username?: string;

  @OptionalMember({ type: PersonNameDto, description: 'The whole name: one part at least' }, IsPersonName())
  name?: PersonNameDto;

  @OptionalMember({ maxLength: 64, description: 'The id of a role' }, MaxLength(64), IsText())
  role?: string;

  @OptionalMember({ format: 'uuid', description: 'The location where the user works' }, IsUuid())
  primaryOfficeId?: Uuid;

  @OptionalMember({ ...EMAIL, type: String, nullable: true }, IsEmailAddress({ orNull: true }))
  email?: string | null;

  @OptionalMember({ ...MOBILE, type: String, nullable: true }, IsMobile({ orNull: true }))
  mobile?: string | null;
}

class ListUsersDto extends CountedQuery(MOST_USERS, 100) {
  @OptionalMember({ maxLength: 64 }, MaxLength(64), IsText())
  role?: string;

  @OptionalMember(uuid, IsUuid())
  officeId?: Uuid;

  @OptionalMember({ enum: USER_STATUSES }, IsIn(USER_STATUSES))
  status?: UserView['status'];
}

const TAKEN = 'Another user has this user name, e-mail address or mobile number';

/** User administration, on the internal port (U-6). */
@ApiTags('Users')
@Controller('users')
@InTurn('administration')
export class UsersController {
  constructor(private readonly administration: UserAdministration) {}

  @Post()
  @HttpCode(201)
  @Allow('user.create')
  @Accepts(['json'], CREDENTIALS_LIMIT_BYTES)
  @ApiOperation({
    operationId: 'users-create',
    summary: 'Create a user',
    description:
      'With a password the user is active; without, pending, and sent a link to set one. Nobody gives a role with a scope that he does not hold.',
  })
  @ApiResponse({ status: 201, description: 'The user', schema: USER_SCHEMA })
  @ApiErrorAnswer('CONFLICT', TAKEN)
  create(@Body() body: NewUserDto, @CurrentCaller() caller: Caller): Promise<UserView> {
    return this.administration.create(body, caller);
  }

  @Get()
  @Allow('user.read')
  @ApiOperation({
    operationId: 'users-list',
    summary: 'List users',
    description:
      'Those whom the caller may read, by their user names. A page ends early at 1 MiB: the next one is at `skip` plus the number of its results.',
  })
  @ApiResponse({ status: 200, description: 'A page of the users, and how many there are', schema: USERS_SCHEMA })
  list(@Query() query: ListUsersDto, @CurrentCaller() caller: Caller): Promise<object> {
    return this.administration.list(query, caller);
  }

  @Get(':id')
  @Allow('user.read')
  @ApiOperation({
    operationId: 'users-get',
    summary: 'Get a user',
    description: 'A user whom the caller may not read is not found.',
  })
  @ApiResponse({ status: 200, description: 'The user', schema: USER_SCHEMA })
  get(@PathId() id: Uuid, @CurrentCaller() caller: Caller): Promise<UserView> {
    return this.administration.find(id, caller);
  }

  @Patch(':id')
  @Allow('user.update')
  @ApiOperation({
    operationId: 'users-update',
    summary: 'Change a user',
    description:
      'What is left out stays. A role and an office hold at the next request of the user’s open sessions. With an address or a number, links and codes that were sent to the former one end.',
  })
  @ApiResponse({ status: 200, description: 'The user', schema: USER_SCHEMA })
  @ApiErrorAnswer('CONFLICT', TAKEN)
  update(@PathId() id: Uuid, @Body() change: UserChangeDto, @CurrentCaller() caller: Caller): Promise<UserView> {
    return this.administration.update(id, change, caller);
  }

  @Post(':id/deactivate')
  @HttpCode(200)
  @Allow('user.update')
  @ApiOperation({
    operationId: 'users-deactivate',
    summary: 'Deactivate a user, and end his sessions',
    description: 'His tokens are refused from then on, and he cannot log in. Doing it twice changes nothing.',
  })
  @ApiResponse({ status: 200, description: 'The user', schema: USER_SCHEMA })
  deactivate(@PathId() id: Uuid, @CurrentCaller() caller: Caller): Promise<UserView> {
    return this.administration.setStatus(id, 'deactivated', caller);
  }

  @Post(':id/activate')
  @HttpCode(200)
  @Allow('user.update')
  @ApiOperation({
    operationId: 'users-activate',
    summary: 'Activate a user again',
    description:
      'He can log in with the password that he had; one who never had any is pending. Doing it twice changes nothing.',
  })
  @ApiResponse({ status: 200, description: 'The user', schema: USER_SCHEMA })
  activate(@PathId() id: Uuid, @CurrentCaller() caller: Caller): Promise<UserView> {
    return this.administration.setStatus(id, 'active', caller);
  }

  @Post(':id/reset-password')
  @HttpCode(200)
  @Allow('user.update')
  @ApiOperation({
    operationId: 'users-resetPassword',
    summary: 'Take a user’s password, and send a link to set another',
    description:
      'The password, the security questions, all sessions and earlier links of the user end. For a pending user the invitation is sent again.',
  })
  @ApiResponse({ status: 200, description: 'The user', schema: USER_SCHEMA })
  @ApiErrorAnswer('CONFLICT', 'The user is deactivated')
  resetPassword(@PathId() id: Uuid, @CurrentCaller() caller: Caller): Promise<UserView> {
    return this.administration.resetPassword(id, caller);
  }
}
