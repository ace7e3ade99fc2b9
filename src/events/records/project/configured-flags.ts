import { utcDayOf } from '../../../kernel/domain/calendar.js';
import { settingsOf } from '../../../kernel/domain/event-configuration/action-settings.js';
import type { EventType, FlagChange } from '../../../kernel/domain/event-configuration/event-type.js';
import { flagConditionHolds, type FlagSituation } from '../../../kernel/domain/event-configuration/conditions.js';
import { type Declaration, ownValue } from '../../../kernel/domain/declaration.js';
import type { EventAction } from '../../../kernel/domain/event-action.js';
import type { ActionHistory } from './action-history.js';
import { annotateBy, type ReplayedFields, replayOn } from './replay-declaration.js';

/**
 * Flag changes configured by a country (E-3). Tracks declaration and annotations, since conditions see them as they
 * were.
 */
export class ConfiguredFlags {
  private readonly declaration: ReplayedFields;
  private readonly annotations: ReplayedFields = {};

  constructor(
    private readonly type: EventType,
    declarationBefore: Declaration,
    private readonly history: ActionHistory,
  ) {
    this.declaration = type.actions.size === 0 ? {} : { ...declarationBefore };
  }

  /** Call it for each accepted action in order. */
  changesBy(action: EventAction): readonly FlagChange[] {
    if (this.type.actions.size === 0) return [];
    replayOn(this.declaration, action, this.history);
    annotateBy(this.annotations, action, this.history);
    const changes = settingsOf(this.type, action)?.flags ?? [];
    if (changes.length === 0) return [];
    const situation = this.situationOf(action, this.history.originalOf(action) ?? action);
    return changes.filter(({ condition }) => condition === undefined || flagConditionHolds(condition, situation));
  }

  private situationOf({ createdAt }: EventAction, author: EventAction): FlagSituation {
    return {
      valueOf: (fieldId) => ownValue(this.declaration, fieldId) ?? ownValue(this.annotations, fieldId),
      role: author.createdByRole,
      userType: author.createdByUserType,
      day: utcDayOf(createdAt),
    };
  }
}
