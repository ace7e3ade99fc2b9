import type { EventConfiguration } from '../../../kernel/domain/event-configuration/event-configuration.js';
import { isConfigured } from '../../../kernel/domain/event-configuration/action-settings.js';
import { INVALID_INPUT } from '../../../kernel/errors/faults.js';
import { ServiceError } from '../../../kernel/errors/service-error.js';
import { faultsOfAnnotation } from '../../records/forms/faults-of-annotation.js';
import { faultsOfDeclaration } from '../../records/forms/faults-of-declaration.js';
import type { CurrentEvent } from '../../write/current-event.js';
import type { AskedAction } from '../asked-action.js';
import { declarationBefore } from './declaration-before.js';

/** Throws 400 for an unknown custom action, and with faults of both forms (E-3, E-17); a new event has no state. */
export function requireForms(
  configuration: EventConfiguration,
  eventType: string,
  asked: AskedAction,
  event?: Pick<CurrentEvent, 'document' | 'record'>,
): void {
  const type = configuration.typeOf(eventType);
  if (!isConfigured(type, asked)) {
    const name = asked.customActionType ?? '';
    throw new ServiceError('BAD_REQUEST', `Custom action configuration not found with name: ${name}`);
  }
  const before = event === undefined ? {} : declarationBefore(event, asked);
  const declared = { action: asked.type, before, change: asked.declaration };
  const issues = [...faultsOfDeclaration(type, declared), ...faultsOfAnnotation(type, asked, asked.annotation)];
  if (issues.length > 0) throw new ServiceError('BAD_REQUEST', INVALID_INPUT, { issues });
}
