import type { CalendarDate } from '../calendar.js';
import { parseCalendarDate } from '../calendar.js';
import type { DeclarationValue } from '../record/declaration.js';
import type { UserType } from '../record/user-type.js';
import type { FlagCondition } from './event-type.js';

/** What a condition is evaluated on. */
export interface FlagSituation {
  /** The value of a field: of the declaration, or else of an annotation so far. */
  readonly valueOf: (fieldId: string) => DeclarationValue | undefined;
  readonly role: string | null;
  readonly userType: UserType | null;
  /** The UTC day of the action. */
  readonly day: CalendarDate;
}

const DAY_MS = 86_400_000;

/** Whether the condition holds. A field without a value meets none. */
export function flagConditionHolds(condition: FlagCondition, situation: FlagSituation): boolean {
  switch (condition.type) {
    case 'and':
      return condition.clauses.every((clause) => flagConditionHolds(clause, situation));
    case 'or':
      return condition.clauses.some((clause) => flagConditionHolds(clause, situation));
    case 'not':
      return !flagConditionHolds(condition.clause, situation);
    case 'equals':
      return situation.valueOf(condition.field) === condition.value;
    case 'present': {
      const value = situation.valueOf(condition.field);
      return value !== undefined && value !== '';
    }
    case 'olderThan': {
      const date = parseCalendarDate(situation.valueOf(condition.field));
      return date !== undefined && Date.parse(situation.day) - Date.parse(date) > condition.days * DAY_MS;
    }
    case 'role':
      return situation.role !== null && condition.roles.includes(situation.role);
    case 'userType':
      return situation.userType === condition.userType;
  }
}
