import type { Logger } from 'pino';
import { pino, stdTimeFunctions } from 'pino';

import type { Config } from '../../config/config.js';
import { errorForLog } from './error-for-log.js';
import { gatheredOutput } from './gathered-output.js';
import { currentRequest } from './request-context.js';

/** The log: one JSON object a line, with the id of the request that the line belongs to (G-5). */
export const createLog = (level: Config['LOG_LEVEL'], destination = gatheredOutput()): Logger =>
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
    destination,
  );
