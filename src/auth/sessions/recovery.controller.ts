import { Body, Controller, Ip } from '@nestjs/common';
import { ApiOperation, ApiPropertyOptional, ApiResponse, ApiTags } from '@nestjs/swagger';
import { IsIn, Length } from 'class-validator';
import { Faults } from '../../kernel/errors/faults.js';
import { Member, OptionalMember, PassedOn } from '../../platform/dto/members.js';
import { IsText, Typed } from '../../platform/dto/validators.js';
import { closedObject, text } from '../../platform/dto/schemas.js';
import { ApiErrorAnswer, CredentialsPost } from '../access/decorators.js';
import { RequestThrottle } from '../secrets/failed-credential-limit.js';
import { EMAIL, IsEmailAddress, IsMobile, IsPassword, MOBILE, PASSWORD_LENGTH } from '../users/user-members.js';
import {
  type AnsweredQuestion,
  type BegunRecovery,
  MOST_QUESTIONS,
  QUESTION_KEY,
  readSecurityAnswers,
  Recoveries,
  type RecoveryRequest,
  RecoveryRequests,
} from './recoveries.js';

const FLOWS = ['password', 'username'] as const;
const IsFlow = IsIn(FLOWS, { message: 'must be password or username' });
const ONE_OF_BOTH = 'This or the other one';

/** `recoveryRequestOf` checks which members belong together. */
export class VerifyUserDto {
  @OptionalMember({ ...EMAIL, description: ONE_OF_BOTH }, Typed(), IsEmailAddress())
  email?: string;

  @OptionalMember({ ...MOBILE, description: ONE_OF_BOTH }, Typed(), IsMobile())
  mobile?: string;

  @OptionalMember({ enum: FLOWS, description: 'What is to be recovered; required under one of its names' }, IsFlow)
  retrieveFlow?: (typeof FLOWS)[number];

  @OptionalMember({ enum: FLOWS, description: 'The same as `retrieveFlow`' }, IsFlow)
  retrievalFlow?: (typeof FLOWS)[number];
}

export class RecoveryTokenDto {
  @Member({ minLength: 1, maxLength: 64, description: 'From the link' }, IsText(), Length(1, 64))
  token: string;
}

export class SendUserNameDto {
  @Member({ minLength: 1, maxLength: 64, description: 'From `verifyRecoveryToken`' }, IsText(), Length(1, 64))
  nonce: string;
}

export class SecurityAnswerDto extends SendUserNameDto {
  @Member(
    { minLength: 1, maxLength: 256, description: 'Letter case, and how many spaces, make no difference' },
    ...[IsText(), Length(1, 256)],
  )
  answer: string;
}

export class ChangePasswordDto extends SendUserNameDto {
  @Member({ minLength: PASSWORD_LENGTH.least, maxLength: PASSWORD_LENGTH.most }, IsPassword())
  newPassword: string;

  @ApiPropertyOptional({
    type: 'array',
    minItems: 1,
    maxItems: MOST_QUESTIONS,
    description: 'Replace the questions that the user has; none changes nothing',
    items: closedObject({
      questionKey: { type: 'string', pattern: QUESTION_KEY.source, description: '`BIRTH_TOWN`' },
      answer: { type: 'string', minLength: 1, maxLength: 256 },
    }),
  })
  @PassedOn()
  securityQuestions?: unknown;
}

/** Throws 400 unless the body names one address or number, and one flow. */
function recoveryRequestOf({
  email,
  mobile,
  retrieveFlow,
  retrievalFlow,
}: VerifyUserDto): Omit<RecoveryRequest, 'address'> {
  const faults = new Faults();
  const flow = retrieveFlow ?? retrievalFlow;
  if ((email === undefined) === (mobile === undefined)) faults.add('', 'must have either email or mobile');
  if (flow === undefined) faults.add('retrieveFlow', 'is required');
  else if (retrievalFlow !== undefined && retrievalFlow !== flow) {
    faults.add('retrievalFlow', 'must be the same as retrieveFlow');
  }
  faults.throwIfAny();
  const by = email === undefined ? { mobile: mobile ?? '' } : { email };
  return { by, flow: flow ?? 'password' };
}

const NONCE_SCHEMA = { ...text, description: 'Stands for this recovery in the requests that follow' };
const FLOW = { type: 'string', enum: ['password', 'username'] };

const BEGUN_RECOVERY_SCHEMA = closedObject({
  nonce: NONCE_SCHEMA,
  securityQuestionKey: {
    type: 'string',
    nullable: true,
    description: 'To be answered next; null: there is nothing to be',
  },
  retrieveFlow: FLOW,
});

const ANSWERED_QUESTION_SCHEMA = closedObject(
  {
    matched: { type: 'boolean' },
    nonce: NONCE_SCHEMA,
    securityQuestionKey: { ...text, description: 'To be answered next, after a wrong answer' },
  },
  { required: ['matched', 'nonce'] },
);

const WRONG_NONCE = 'The nonce is unknown or has expired, or a step before this one is missing';

/** Password and user name recovery, and first passwords (U-2, U-4). */
@ApiTags('Auth')
@Controller()
export class RecoveryController {
  constructor(
    private readonly requests: RecoveryRequests,
    private readonly recoveries: Recoveries,
    private readonly throttle: RequestThrottle,
  ) {}

  @CredentialsPost('verifyUser')
  @ApiOperation({
    operationId: 'auth-verifyUser',
    summary: 'Ask for a recovery link',
    description:
      'The answer is the same whether or not there is such a user. If there is one, a link is sent, which is good once: ' +
      'at most three of a flow are good at a time, and no more are sent meanwhile.',
  })
  @ApiResponse({ status: 200, description: 'A link is sent if there is such a user' })
  async verifyUser(@Body() body: VerifyUserDto, @Ip() address: string): Promise<void> {
    const request = recoveryRequestOf(body);
    await this.throttle.take('verifyUser', 'email' in request.by ? request.by.email : request.by.mobile, address);
    await this.requests.add({ ...request, address });
  }

  @CredentialsPost('verifyRecoveryToken')
  @ApiOperation({
    operationId: 'auth-verifyRecoveryToken',
    summary: 'Follow a recovery link',
    description: 'Uses the link up. What follows is the security question, if the user has any.',
  })
  @ApiResponse({ status: 200, description: 'The recovery has begun', schema: BEGUN_RECOVERY_SCHEMA })
  @ApiErrorAnswer('UNAUTHORIZED', 'The token is unknown, was used, or has expired')
  async verifyRecoveryToken(@Body() { token }: RecoveryTokenDto, @Ip() address: string): Promise<BegunRecovery> {
    await this.throttle.take('verifyRecoveryToken', '', address);
    return this.recoveries.verifyToken(token);
  }

  @CredentialsPost('verifySecurityAnswer')
  @ApiOperation({
    operationId: 'auth-verifySecurityAnswer',
    summary: 'Answer a security question',
    description: 'After a wrong answer another question is asked. At most five answers a link.',
  })
  @ApiResponse({ status: 200, description: 'Whether the answer is right', schema: ANSWERED_QUESTION_SCHEMA })
  @ApiErrorAnswer('UNAUTHORIZED', `${WRONG_NONCE}, or its answers are used up`)
  async verifySecurityAnswer(
    @Body() { nonce, answer }: SecurityAnswerDto,
    @Ip() address: string,
  ): Promise<AnsweredQuestion> {
    await this.throttle.take('verifySecurityAnswer', nonce, address);
    return this.recoveries.answer(nonce, answer, address);
  }

  @CredentialsPost('changePassword')
  @ApiOperation({
    operationId: 'auth-changePassword',
    summary: 'Set a password',
    description:
      'Once the security question is answered, if the user has any. All sessions of the user end. The first password makes a pending user active.',
  })
  @ApiResponse({ status: 200, description: 'The password is set' })
  @ApiErrorAnswer('UNAUTHORIZED', WRONG_NONCE)
  async changePassword(
    @Body() { nonce, newPassword, securityQuestions }: ChangePasswordDto,
    @Ip() address: string,
  ): Promise<void> {
    await this.throttle.take('changePassword', nonce, address);
    const order = { nonce, newPassword, securityQuestions: readSecurityAnswers(securityQuestions) };
    await this.recoveries.changePassword(order, address);
  }

  @CredentialsPost('sendUserName')
  @ApiOperation({
    operationId: 'auth-sendUserName',
    summary: 'Have the user name sent',
    description: 'Once the security question is answered, if the user has any.',
  })
  @ApiResponse({ status: 200, description: 'The user name is being sent' })
  @ApiErrorAnswer('UNAUTHORIZED', WRONG_NONCE)
  async sendUserName(@Body() { nonce }: SendUserNameDto, @Ip() address: string): Promise<void> {
    await this.throttle.take('sendUserName', nonce, address);
    await this.recoveries.sendUserName(nonce);
  }
}
