import { ValidateBy } from 'class-validator';

import { parseDateTime } from '../../kernel/domain/calendar.js';

/** Not before another member; silent if that is absent or faulty. */
export const IsNotBefore = (earlier: string): PropertyDecorator =>
  ValidateBy({
    name: 'isNotBefore',
    validator: {
      validate: (until: unknown, given) => {
        const since = (given?.object as Readonly<Record<string, string | undefined>>)[earlier];
        return since === undefined || parseDateTime(since) === undefined || String(until) >= since;
      },
      defaultMessage: () => `must not be before \`${earlier}\``,
    },
  });
