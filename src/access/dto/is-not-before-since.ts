import { ValidateBy } from 'class-validator';

import { parseDateTime } from '../../domain/calendar.js';

/** A member that is not before the member `since`; reports nothing if that is absent, or has a fault of its own. */
export const IsNotBeforeSince = (): PropertyDecorator =>
  ValidateBy({
    name: 'isNotBeforeSince',
    validator: {
      validate: (until: unknown, given) => {
        const { since } = given?.object as { readonly since?: string };
        return since === undefined || parseDateTime(since) === undefined || String(until) >= since;
      },
      defaultMessage: () => 'must not be before `since`',
    },
  });
