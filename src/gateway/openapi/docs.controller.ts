import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Controller, Get, Header, Param, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiResponse, ApiTags, type OpenAPIObject } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Allow } from '../../auth/access/decorators.js';
import { ETAG, namesEtag, NOT_MODIFIED } from '../../auth/access/request-target.js';
import { ServiceError } from '../../kernel/errors/service-error.js';
import { ERROR_MESSAGES } from '../errors/error-answer.js';
import { Listeners } from '../http/listeners.js';
import type { Listener } from '../http/routes.js';

/** Equal for all, and shared (G-11). */
class FixedAnswer {
  private readonly etag: string;

  constructor(
    private readonly bytes: Buffer,
    private readonly contentType: string,
  ) {
    this.etag = `"${hash('sha256', bytes, 'base64url')}"`;
  }

  /** 200, or 304 for a cached copy (RFC 9110 13.1.2). */
  async send(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    reply.headers({ 'cache-control': 'no-cache', etag: this.etag });
    if (namesEtag(request.headers['if-none-match'], this.etag)) await reply.status(304).send();
    else await reply.type(this.contentType).send(this.bytes);
  }
}

/** One for each port (G-9), set after the build. */
@Controller('openapi.json')
@ApiTags('Documentation')
@Allow('public')
export class OpenApiController {
  private readonly documents = new Map<Listener, OpenAPIObject>();
  private readonly answers = new Map<Listener, FixedAnswer>();

  constructor(private readonly listeners: Listeners) {}

  publish(listener: Listener, document: OpenAPIObject): void {
    this.documents.set(listener, document);
    const bytes = Buffer.from(JSON.stringify(document));
    this.answers.set(listener, new FixedAnswer(bytes, 'application/json; charset=utf-8'));
  }

  /** Undefined before it is published. */
  documentOf(listener: Listener): OpenAPIObject | undefined {
    return this.documents.get(listener);
  }

  @Get()
  @ApiOperation({
    operationId: 'openapi',
    summary: 'This document, OpenAPI 3.1',
    description: 'The public port describes what it serves; the internal port describes everything.',
  })
  @ApiResponse({ status: 200, description: 'OpenAPI 3.1', schema: { type: 'object' }, headers: ETAG })
  @ApiResponse(NOT_MODIFIED)
  async read(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const answer = this.answers.get(this.listeners.listenerOf(request.raw));
    if (answer === undefined) throw new ServiceError('SERVICE_UNAVAILABLE', ERROR_MESSAGES.SERVICE_UNAVAILABLE);
    await answer.send(request, reply);
  }
}

/** Relative addresses, for a prefix. */
const DOCS_PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Matricula</title>
    <link rel="icon" type="image/png" href="docs/favicon-32x32.png">
    <link rel="stylesheet" href="docs/swagger-ui.css">
  </head>
  <body>
    <div id="swagger-ui"></div>
    <script src="docs/swagger-ui-bundle.js"></script>
    <script src="docs/start.js"></script>
  </body>
</html>
`;

/** A separate file: the security headers forbid inline scripts. */
const DOCS_START = `window.addEventListener('load', () => {
  SwaggerUIBundle({ url: 'openapi.json', dom_id: '#swagger-ui', deepLinking: true, tryItOutEnabled: true });
});
`;

/** Files of Swagger UI with their types. */
const DOCS_ASSETS: ReadonlyMap<string, string> = new Map([
  ['favicon-32x32.png', 'image/png'],
  ['swagger-ui.css', 'text/css; charset=utf-8'],
  ['swagger-ui-bundle.js', 'text/javascript; charset=utf-8'],
]);

/** Read once, from @nestjs/swagger. */
function docsAssets(): ReadonlyMap<string, FixedAnswer> {
  const swagger = createRequire(import.meta.url).resolve('@nestjs/swagger');
  const directory = dirname(createRequire(swagger).resolve('swagger-ui-dist/package.json'));
  return new Map(
    [...DOCS_ASSETS].map(([name, type]) => [name, new FixedAnswer(readFileSync(join(directory, name)), type)]),
  );
}

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
