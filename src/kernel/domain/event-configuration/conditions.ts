import { type CalendarDate, DAY_MS, parseCalendarDate } from '../calendar.js';
import type { DeclarationValue, EventFlag, EventStatus, UserType } from '../event-record.js';
import type { ActionCondition, FlagCondition } from './event-type.js';

export interface FlagSituation {
  /** A field of the declaration, or else of an annotation so far. */
  readonly valueOf: (fieldId: string) => DeclarationValue | undefined;
  readonly role: string | null;
  readonly userType: UserType | null;
  /** The UTC day of the action. */
  readonly day: CalendarDate;
}

export interface ActionSituation extends FlagSituation {
  readonly status: EventStatus;
  readonly flags: readonly EventFlag[];
}

/** A field without a value meets no condition. */
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

export function actionConditionHolds(condition: ActionCondition, situation: ActionSituation): boolean {
  switch (condition.type) {
    case 'and':
      return condition.clauses.every((clause) => actionConditionHolds(clause, situation));
    case 'or':
      return condition.clauses.some((clause) => actionConditionHolds(clause, situation));
    case 'not':
      return !actionConditionHolds(condition.clause, situation);
    case 'flag':
      return situation.flags.includes(condition.flag);
    case 'status':
      return condition.statuses.includes(situation.status);
    default:
      return flagConditionHolds(condition, situation);
  }
}
