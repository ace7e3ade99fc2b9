import { Controller, Get, Inject, Param, Query, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiQuery, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  Allow,
  ApiSharedError,
  CurrentCaller,
  InTurn,
  NoHead,
  OwnUrlKeys,
  UuidParam,
} from '../../auth/access/decorators.js';
import type { Caller } from '../../kernel/domain/scopes/caller.js';
import { publicAddress } from '../../auth/access/public-address.js';
import { type Config, CONFIG } from '../../platform/config/config.js';
import { ATTACHMENT_TYPES } from '../../kernel/domain/attachment-type.js';
import { requireUuid } from '../../kernel/input/readers.js';
import { closedObject } from '../../platform/dto/schemas.js';
import { FileAddresses, type SignedQuery } from './file-addresses.js';
import { ServedFiles } from './served-files.js';

const BYTES = { schema: { type: 'string', format: 'binary' } };

/** Files of records (F-3). */
@ApiTags('Files')
@Controller()
export class FilesController {
  constructor(
    private readonly addresses: FileAddresses,
    private readonly served: ServedFiles,
    @Inject(CONFIG) private readonly config: Pick<Config, 'PUBLIC_URL'>,
  ) {}

  @Get('events/:eventId/files/:fileId/url')
  @NoHead()
  @Allow('record.read')
  @InTurn('files')
  @ApiOperation({
    operationId: 'event-file-getPresignedUrl',
    summary: 'An address at which a file of a record can be read',
    description:
      'For a file that the record names. The address needs no token, and is good for `PRESIGNED_URL_SECONDS` (300).',
  })
  @UuidParam('eventId')
  @ApiParam({ name: 'fileId', description: 'The last segment of the path of the file' })
  @ApiResponse({
    status: 200,
    description: 'The address',
    schema: closedObject({ presignedURL: { type: 'string', format: 'uri' } }),
  })
  @ApiSharedError('CONFLICT', 'The record names several files whose paths end so')
  async url(
    @Param('eventId') eventId: string,
    @Param('fileId') fileId: string,
    @CurrentCaller() caller: Caller,
    @Req() request: FastifyRequest,
  ): Promise<{ readonly presignedURL: string }> {
    const id = requireUuid(eventId, 'eventId');
    const asker = { caller, publicAddress: publicAddress(request, this.config) };
    return { presignedURL: await this.addresses.ofFile(id, fileId, asker) };
  }

  @Get('files/:id')
  @Allow('public')
  @InTurn('files-served')
  @OwnUrlKeys('any')
  @ApiOperation({
    operationId: 'files-read',
    summary: 'Read a file by its address',
    description: 'The address is the answer of another operation; files in S3 have addresses there.',
  })
  @UuidParam('id')
  @ApiQuery({ name: 'expires', schema: { type: 'string' } })
  @ApiQuery({ name: 'signature', schema: { type: 'string' } })
  @ApiResponse({
    status: 200,
    description: 'The file, to be saved',
    content: Object.fromEntries(ATTACHMENT_TYPES.map((type) => [type, BYTES])),
    headers: {
      'Content-Disposition': { description: '`attachment`, with a name for the file', schema: { type: 'string' } },
    },
  })
  @ApiSharedError('FORBIDDEN')
  async read(@Param('id') id: string, @Query() query: SignedQuery, @Res() reply: FastifyReply): Promise<void> {
    const { headers, content } = await this.served.of(id, query);
    // Errors propagate both ways, so that half a file never looks complete.
    await reply.headers(headers).send(content);
  }
}
