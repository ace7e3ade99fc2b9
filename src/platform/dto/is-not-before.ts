import { ValidateBy } from 'class-validator';

import { parseDateTime } from '../../kernel/domain/calendar.js';

/** A member that is not before another one; reports nothing if that is absent, or has a fault of its own. */
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
