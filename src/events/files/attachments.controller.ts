import type { IncomingHttpHeaders } from 'node:http';
import { applyDecorators, Controller, Header, HttpCode, Post, Req } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { Allow, ApiSharedError, CurrentCaller } from '../../auth/access/decorators.js';
import type { Caller } from '../../kernel/domain/scopes/caller.js';
import { invalidInput } from '../../kernel/errors/faults.js';
import { Accepts } from '../../platform/dto/accepts.js';
import { closedObject, uuid } from '../../platform/dto/schemas.js';
import type { PacedBody } from '../../platform/queue/body-places.js';
import { HangUp } from '../../platform/queue/hang-up.js';
import { Attachments } from './attachments.service.js';

const ATTACHMENT_FORM = closedObject(
  {
    file: { type: 'string', format: 'binary', description: 'JPEG, PNG, WebP or PDF; its name is not looked at' },
    transactionId: {
      type: 'string',
      pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$',
      description: 'Chosen by the client, such as a UUID; the last segment of the path',
    },
    eventId: { ...uuid, description: 'The record that the file is for' },
    path: { type: 'string', deprecated: true, description: '`events/{eventId}`, from clients of release 2.0' },
  },
  { required: ['file', 'transactionId'] },
);

/** Upstream's envelope. */
const ATTACHMENT_ANSWER = closedObject({
  result: closedObject({
    data: closedObject({
      json: {
        type: 'string',
        description: '`events/{eventId}/{transactionId}.{ext}`, or `uploads/…` without an event',
      },
    }),
  }),
});

/** The gateway does not read the body, which is absent if the request has none. */
interface StreamedRequest {
  readonly body?: PacedBody | null;
  readonly headers: IncomingHttpHeaders;
}

const Upload = (path: string, operationId: string, description: string): MethodDecorator =>
  applyDecorators(
    Post(path),
    HttpCode(200),
    Allow('attachment.upload'),
    Accepts(['multipart-stream'], 'ATTACHMENT_LIMIT_BYTES'),
    ApiOperation({ operationId, summary: 'Upload a file that a record will name', description }),
    ApiConsumes('multipart/form-data'),
    ApiBody({ schema: ATTACHMENT_FORM }),
    ApiSharedError('NOT_FOUND'),
    ApiSharedError('CONFLICT'),
  );

/** Uploads of attachments (F-1). */
@ApiTags('Files')
@Controller()
export class AttachmentsController {
  constructor(private readonly attachments: Attachments) {}

  @Upload(
    'attachments',
    'attachments-upload',
    'The type is told by the content of the file. The answer has the path by which a declaration names it; a file that no record names within 24 hours is deleted. The same file by the same transactionId has the same path.',
  )
  @ApiResponse({ status: 200, description: 'The path of the file', schema: ATTACHMENT_ANSWER })
  async upload(
    @Req() request: StreamedRequest,
    @CurrentCaller() caller: Caller,
    @HangUp() hungUp: AbortSignal,
  ): Promise<object> {
    return { result: { data: { json: await this.uploadAsText(request, caller, hungUp) } } };
  }

  @Upload('upload', 'attachments-uploadAsText', 'As `POST /attachments`, for clients that take the path as text (I-4).')
  @Header('Content-Type', 'text/plain; charset=utf-8')
  @ApiResponse({
    status: 200,
    description: 'The path of the file',
    content: { 'text/plain': { schema: { type: 'string' } } },
  })
  async uploadAsText(
    @Req() { body, headers }: StreamedRequest,
    @CurrentCaller() caller: Caller,
    @HangUp() hungUp: AbortSignal,
  ): Promise<string> {
    if (!body) {
      throw invalidInput('body: is required');
    }
    const contentType = headers['content-type'] ?? '';
    return this.attachments.upload(caller, { body, contentType, hungUp });
  }
}
