import { destination, type DestinationStream, type Logger, pino, stdTimeFunctions } from 'pino';
import { MIB } from '../../kernel/domain/bytes.js';
import { errorCode } from '../../kernel/errors/service-error.js';
import type { Config } from '../../platform/config/config.js';
import { currentRequest } from './request-context.js';

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
