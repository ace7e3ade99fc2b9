import { ValidateBy } from 'class-validator';

import { parseCalendarDate } from '../../kernel/domain/calendar.js';

/** `2026-01-31`. */
export const IsCalendarDate = (): PropertyDecorator =>
  ValidateBy({
    name: 'isCalendarDate',
    validator: {
      validate: (value: unknown) => parseCalendarDate(value) !== undefined,
      defaultMessage: () => 'must be a calendar date such as 2026-01-31',
    },
  });
