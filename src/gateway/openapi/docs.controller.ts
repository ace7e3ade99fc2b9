import { Controller, Get, Header, Param, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { Allow } from '../../auth/access/allow.js';
import { ETAG, NOT_MODIFIED } from '../../auth/access/entity-tag.js';
import { ServiceError } from '../../kernel/errors/service-error.js';
import { ERROR_MESSAGES } from '../errors/error-messages.js';
import { DOCS_ASSETS, DOCS_PAGE, DOCS_START, docsAssets } from './docs-page.js';

const TEXT = { schema: { type: 'string' } };

/** G-9. */
@Controller('docs')
@ApiTags('Documentation')
@Allow('public')
export class DocsController {
  private readonly assets = docsAssets();

  @Get()
  @Header('Content-Type', 'text/html; charset=utf-8')
  @ApiOperation({
    operationId: 'docs',
    summary: 'Interactive documentation',
    description: 'A page on which every operation of the document can be read and tried.',
  })
  @ApiResponse({ status: 200, description: 'The page', content: { 'text/html': TEXT } })
  page(): string {
    return DOCS_PAGE;
  }

  @Get('start.js')
  @Header('Content-Type', 'text/javascript; charset=utf-8')
  @ApiOperation({
    operationId: 'docs-start',
    summary: 'Starts the page',
    description: 'A part of the page.',
  })
  @ApiResponse({ status: 200, description: 'Script', content: { 'text/javascript': TEXT } })
  start(): string {
    return DOCS_START;
  }

  @Get(':asset')
  @ApiOperation({
    operationId: 'docs-asset',
    summary: 'A file that the page needs',
    description: 'A part of the page.',
  })
  @ApiParam({ name: 'asset', schema: { type: 'string', enum: [...DOCS_ASSETS.keys()] } })
  @ApiResponse(NOT_MODIFIED)
  @ApiResponse({
    status: 200,
    description: 'The file',
    headers: ETAG,
    content: { 'text/css': TEXT, 'text/javascript': TEXT, 'application/javascript': TEXT, 'image/png': TEXT },
  })
  async asset(@Param('asset') name: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const asset = this.assets.get(name);
    if (asset === undefined) throw new ServiceError('NOT_FOUND', ERROR_MESSAGES.NOT_FOUND);
    await asset.send(request, reply);
  }
}
