import { AsyncLocalStorage } from 'node:async_hooks';
import type { LoggerService } from '@nestjs/common';
import { destination, type DestinationStream, type Level, type Logger, pino, stdTimeFunctions } from 'pino';
import { MIB } from '../../kernel/domain/bytes.js';
import { errorCode } from '../../kernel/errors/service-error.js';
import type { Config } from '../../platform/config/config.js';

interface RequestContext {
  /** In the answer, and in every log line (G-5). */
  readonly correlationId: string;
}

/** Everything that `run` begins is within the request, however late it follows. */
export const requestContexts = new AsyncLocalStorage<RequestContext>();

/** The request that the running code belongs to; undefined outside of any. */
export const currentRequest = (): RequestContext | undefined => requestContexts.getStore();

/** Nest's messages about its own start are only for those who look for them. */
const FRAMEWORK = new Set(['NestFactory', 'InstanceLoader', 'RoutesResolver', 'RouterExplorer', 'NestApplication']);

/**
 * Nest's `Logger`, written to pino: the message or its fields, an error among the parameters as `err`, the last text as
 * the name of the logging class.
 */
export class NestLog implements LoggerService {
  constructor(private readonly sink: Logger) {}

  log(message: unknown, ...parameters: readonly unknown[]): void {
    this.write('info', message, parameters);
  }

  fatal(message: unknown, ...parameters: readonly unknown[]): void {
    this.write('fatal', message, parameters);
  }

  error(message: unknown, ...parameters: readonly unknown[]): void {
    this.write('error', message, parameters);
  }

  warn(message: unknown, ...parameters: readonly unknown[]): void {
    this.write('warn', message, parameters);
  }

  debug(message: unknown, ...parameters: readonly unknown[]): void {
    this.write('debug', message, parameters);
  }

  verbose(message: unknown, ...parameters: readonly unknown[]): void {
    this.write('trace', message, parameters);
  }

  private write(level: Level, message: unknown, parameters: readonly unknown[]): void {
    const texts = parameters.filter((parameter) => typeof parameter === 'string');
    const context = texts.at(-1);
    const err = [message, ...parameters].find((parameter) => parameter instanceof Error);
    const quiet = level === 'info' && context !== undefined && FRAMEWORK.has(context);
    this.sink[quiet ? 'debug' : level](
      { ...fieldsOf(message), ...(context !== undefined && { context }), ...(err !== undefined && { err }) },
      // In a line made of fields, the text comes before the name.
      typeof message === 'string' ? message : (err?.message ?? texts.at(-2)),
    );
  }
}

const fieldsOf = (message: unknown): object =>
  typeof message === 'object' && message !== null && !(message instanceof Error) ? message : {};

interface LoggedError {
  readonly type: string;
  readonly message: string;
  readonly code?: string;
  readonly stack?: string;
  readonly cause?: LoggedError;
}

const MOST_CAUSES = 5;

/**
 * An error for a log line. Of a database error, its name, message and SQLSTATE: the driver's detail and the statement's
 * parameters are personal data.
 */
function errorForLog(error: unknown, depth = 0): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error) };
  const code = errorCode(error);
  return {
    type: error.name,
    message: error.message,
    ...(code !== undefined && { code }),
    ...(error.stack !== undefined && { stack: error.stack }),
    ...(error.cause !== undefined && depth < MOST_CAUSES && { cause: errorForLog(error.cause, depth + 1) }),
  };
}

/**
 * Standard output with buffering: the lines of some milliseconds are written together, since writing each separately
 * costs a busy process more than creating it. What is buffered is written when the process ends, unless it is killed.
 */
const standardOutput = (): DestinationStream =>
  destination({ dest: process.stdout.fd, sync: false, minLength: 8_192, periodicFlush: 20, maxLength: 16 * MIB });

/** The log: one JSON object a line, with the id of the request that the line belongs to (G-5). */
export const createLog = (level: Config['LOG_LEVEL'], output = standardOutput()): Logger =>
  pino(
    {
      level,
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: errorForLog },
      mixin: () => {
        const request = currentRequest();
        return request === undefined ? {} : { correlationId: request.correlationId };
      },
    },
    output,
  );
