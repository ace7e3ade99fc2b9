import { Body, Controller, Get, HttpCode, Patch, Post, Query, Res } from '@nestjs/common';
import { ApiOperation, ApiQuery, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Accepts } from '../../platform/openapi/accepts.js';
import { Allow } from '../access/allow.js';
import { ApiErrorAnswer } from '../access/api-error-answer.js';
import type { Caller } from '../../kernel/domain/scopes/caller.js';
import { CurrentCaller } from '../access/current-caller.js';
import { InTurn } from '../access/in-turn.js';
import { PathId } from '../access/path-id.js';
import { UuidParam } from '../access/uuid-param.js';
import { uuid } from '../../platform/openapi/value-schemas.js';
import { NO_STORE } from '../access/no-store.js';
import { CREDENTIALS_LIMIT_BYTES } from '../throttling/credentials-limit.js';
import { NewUserDto } from './new-user.dto.js';
import { USER_STATUSES, type UserView } from '../users/user-view.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { ListUsersDto, MOST_USERS, UserChangeDto } from './user.dto.js';
import { UserAdministration } from './user-administration.js';
import { USER_SCHEMA, USERS_SCHEMA } from './users.schema.js';

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
  create(
    @Body() body: NewUserDto,
    @CurrentCaller() caller: Caller,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<UserView> {
    reply.headers(NO_STORE);
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
  @ApiQuery({ name: 'skip', required: false, schema: { type: 'integer', minimum: 0, default: 0 } })
  @ApiQuery({
    name: 'count',
    required: false,
    schema: { type: 'integer', minimum: 1, maximum: MOST_USERS, default: 100 },
  })
  @ApiQuery({ name: 'role', required: false, schema: { type: 'string' } })
  @ApiQuery({ name: 'officeId', required: false, schema: uuid })
  @ApiQuery({ name: 'status', required: false, schema: { type: 'string', enum: [...USER_STATUSES] } })
  @ApiResponse({ status: 200, description: 'A page of the users, and how many there are', schema: USERS_SCHEMA })
  list(
    @Query() query: ListUsersDto,
    @CurrentCaller() caller: Caller,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<object> {
    reply.headers(NO_STORE);
    return this.administration.list(query, caller);
  }

  @Get(':id')
  @Allow('user.read')
  @ApiOperation({
    operationId: 'users-get',
    summary: 'Get a user',
    description: 'A user whom the caller may not read is not found.',
  })
  @UuidParam('id')
  @ApiResponse({ status: 200, description: 'The user', schema: USER_SCHEMA })
  get(
    @PathId() id: Uuid,
    @CurrentCaller() caller: Caller,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<UserView> {
    reply.headers(NO_STORE);
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
  @UuidParam('id')
  @ApiResponse({ status: 200, description: 'The user', schema: USER_SCHEMA })
  @ApiErrorAnswer('CONFLICT', TAKEN)
  update(
    @PathId() id: Uuid,
    @Body() change: UserChangeDto,
    @CurrentCaller() caller: Caller,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<UserView> {
    reply.headers(NO_STORE);
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
  @UuidParam('id')
  @ApiResponse({ status: 200, description: 'The user', schema: USER_SCHEMA })
  deactivate(
    @PathId() id: Uuid,
    @CurrentCaller() caller: Caller,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<UserView> {
    reply.headers(NO_STORE);
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
  @UuidParam('id')
  @ApiResponse({ status: 200, description: 'The user', schema: USER_SCHEMA })
  activate(
    @PathId() id: Uuid,
    @CurrentCaller() caller: Caller,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<UserView> {
    reply.headers(NO_STORE);
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
  @UuidParam('id')
  @ApiResponse({ status: 200, description: 'The user', schema: USER_SCHEMA })
  @ApiErrorAnswer('CONFLICT', 'The user is deactivated')
  resetPassword(
    @PathId() id: Uuid,
    @CurrentCaller() caller: Caller,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<UserView> {
    reply.headers(NO_STORE);
    return this.administration.resetPassword(id, caller);
  }
}
