import { applyDecorators, Catch, Controller, Get, HttpCode, Inject, Post, Req, Res, UseFilters } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiParam, ApiQuery, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Allow, type AuthenticatedRequest, NoHead, OwnUrlKeys } from '../../auth/access/decorators.js';
import { publicAddress } from '../../auth/access/public-address.js';
import { invalidInput } from '../../kernel/errors/faults.js';
import { ERROR_STATUS, type ErrorCode } from '../../kernel/errors/service-error.js';
import { type Config, CONFIG } from '../../platform/config/config.js';
import { hangUpOf } from '../../platform/queue/hang-up.js';
import { parseJson } from '../body/parse-json.js';
import { ERROR_MESSAGES, type ErrorObject } from '../errors/error-answer.js';
import { ErrorFilter } from '../errors/error.filter.js';
import { ERROR_HEADERS } from '../openapi/error-responses.js';
import { errorOf } from './envelope.js';
import { TrpcCalls } from './trpc-calls.js';

/** In prose: some generators cannot express an object or a list of such. */
const RESULT = '`{"result":{"data":{"json":…}}}`, with the answer of the operation';
const FAILED = '`{"error":{"json":{"message","code","data":{"code","httpStatus","path","issues"}}}}`';
const BATCH = 'for a batch a list of them, in the order of its calls';

/** Success: one call, or a batch. */
const TRPC_RESULT_SCHEMA = { description: `${RESULT}; ${BATCH}` };
/** Failure: one call, or a whole batch. */
const TRPC_FAILED_SCHEMA = { description: `${FAILED}; ${BATCH}` };
/** A failed call, or the gateway's refusal before routing. */
const TRPC_REFUSED_SCHEMA = { description: `${FAILED}; ${BATCH}. An ErrorObject, if no procedure is named` };
/** A partly failed batch. */
const TRPC_MIXED_SCHEMA = { type: 'array', items: { description: `${RESULT}, or ${FAILED}` } };

/** Answers refusals before a call in tRPC's envelope (E-17). */
@Catch()
class TrpcErrorFilter extends ErrorFilter {
  protected override readonly shown = (error: ErrorObject, { params }: FastifyRequest): object => {
    const { procedures = '' } = params as { readonly procedures?: string };
    return errorOf({ kind: 'failed', path: procedures, issues: [], ...error });
  };
}

type Asked = FastifyRequest<{
  Params: { readonly procedures: string };
  Querystring: { readonly batch?: unknown; readonly input?: unknown };
}> &
  AuthenticatedRequest;

const DESCRIPTION =
  'Under its upstream name, such as `/events/integrations.list`: the operation of the same name, with its permission, its input and its answer, in the envelope of tRPC 11 and superjson. Several between commas are a batch.';

const exampleOf = (code: ErrorCode): object =>
  errorOf({ kind: 'failed', path: 'event.search', code, message: ERROR_MESSAGES[code], issues: [] });

/** Gateway answers for no procedure, such as `/trpc/%00`, or no HTTP. */
const SEEN_BEFORE: ReadonlySet<number> = new Set([ERROR_STATUS.BAD_REQUEST, ERROR_STATUS.NOT_FOUND]);

const ApiEnvelope = (): MethodDecorator =>
  applyDecorators(
    OwnUrlKeys('any'),
    ApiParam({ name: 'procedures', schema: { type: 'string' }, description: '`event.search`, or several' }),
    ApiQuery({ name: 'batch', required: false, schema: { type: 'string' }, description: '`1` for a batch' }),
    ApiResponse({ status: 200, description: 'What was asked for', schema: TRPC_RESULT_SCHEMA }),
    ApiResponse({
      status: 207,
      description: 'A batch of which some failed',
      schema: TRPC_MIXED_SCHEMA,
      headers: Object.fromEntries(Object.values(ERROR_HEADERS).flatMap((each) => Object.entries(each))),
    }),
    ...Object.entries(ERROR_STATUS).map(([code, status]) =>
      ApiResponse({
        status,
        description: 'The calls failed',
        schema: SEEN_BEFORE.has(status) ? TRPC_REFUSED_SCHEMA : TRPC_FAILED_SCHEMA,
        example: exampleOf(code as ErrorCode),
        headers: ERROR_HEADERS[code as ErrorCode] ?? {},
      }),
    ),
  );

/** Upstream's tRPC protocol (I-4). */
@ApiTags('tRPC')
@Controller('trpc')
// Each procedure has its own rule.
@Allow('authenticated')
@UseFilters(TrpcErrorFilter)
export class TrpcController {
  constructor(
    private readonly calls: TrpcCalls,
    @Inject(CONFIG) private readonly config: Pick<Config, 'PUBLIC_URL'>,
  ) {}

  @Get(':procedures')
  @NoHead()
  @ApiOperation({ operationId: 'trpc-query', summary: 'Call a procedure that reads', description: DESCRIPTION })
  @ApiQuery({ name: 'input', required: false, schema: { type: 'string' }, description: '`{"json":{…}}`' })
  @ApiEnvelope()
  query(@Req() asked: Asked, @Res({ passthrough: true }) reply: FastifyReply): Promise<unknown> {
    return this.answer(asked, reply, 'query', inputOf(asked.query.input));
  }

  @Post(':procedures')
  @HttpCode(200)
  @ApiOperation({ operationId: 'trpc-mutate', summary: 'Call a procedure', description: DESCRIPTION })
  @ApiBody({ required: false, schema: { description: '`{"json":{…}}`; of a batch `{"0":{"json":{…}},…}`' } })
  @ApiEnvelope()
  mutate(@Req() asked: Asked, @Res({ passthrough: true }) reply: FastifyReply): Promise<unknown> {
    return this.answer(asked, reply, 'mutation', asked.body);
  }

  private async answer(
    asked: Asked,
    reply: FastifyReply,
    kind: 'query' | 'mutation',
    input: unknown,
  ): Promise<unknown> {
    const { params, query, caller } = asked;
    const hungUp = hangUpOf(reply);
    const { status, headers, body } = await this.calls.answer(
      { names: params.procedures, batch: query.batch, input, kind },
      { caller, hungUp, publicAddress: publicAddress(asked, this.config), sent: reply.raw },
    );
    hungUp.throwIfAborted();
    reply.status(status).headers(headers).type('application/json; charset=utf-8');
    return body;
  }
}

/** Throws 400 unless it is JSON as in a body. */
function inputOf(text: unknown): unknown {
  if (text === undefined) return undefined;
  if (typeof text === 'string') return parseJson(Buffer.from(text), 'input');
  throw invalidInput('input: must be given once');
}
