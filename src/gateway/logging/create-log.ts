import type { DestinationStream, Logger } from 'pino';
import { destination, pino, stdTimeFunctions } from 'pino';

import type { Config } from '../../platform/config/config.js';
import { MIB } from '../../kernel/domain/bytes.js';
import { errorForLog } from './error-for-log.js';
import { currentRequest } from './request-context.js';

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
