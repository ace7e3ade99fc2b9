import type { Caller } from '../../kernel/domain/scopes/caller.js';
import { parseUuid, type Uuid } from '../../kernel/domain/uuid.js';
import { ServiceError } from '../../kernel/errors/service-error.js';
import type { Subscription, Subscriptions } from './subscriptions.js';

/** Throws 403 for a caller that is not a system client. */
export function clientIdOf({ subject, userType }: Caller): Uuid {
  const clientId = userType === 'system' ? parseUuid(subject) : undefined;
  if (clientId === undefined) throw new ServiceError('FORBIDDEN', 'Only a system client has webhooks');
  return clientId;
}

/** Throws 404 for another client's subscription as for a missing one (W-3). */
export async function ownSubscription(subscriptions: Subscriptions, caller: Caller, id: string): Promise<Subscription> {
  const clientId = clientIdOf(caller);
  const given = parseUuid(id);
  const found = given === undefined ? undefined : await subscriptions.find(given);
  if (found?.clientId !== clientId) throw noSuchWebhook(id);
  return found;
}

export const noSuchWebhook = (id: string): ServiceError =>
  new ServiceError('NOT_FOUND', `Webhook not found with id: ${id}`);
