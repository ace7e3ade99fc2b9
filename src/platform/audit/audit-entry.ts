import type { Caller } from '../../kernel/domain/scopes/caller.js';
import type { ActionType } from '../../kernel/domain/event-action.js';
import type { UserType } from '../../kernel/domain/user-type.js';

/** The logged operations, under the names of upstream's log where it has one (I-2, I-3). */
export type AuditOperation =
  | 'attachments.upload'
  | 'auth.token'
  | 'confirmations.replay'
  | 'event.create'
  | 'event.get'
  | 'event.file.getPresignedUrl'
  | 'event.reindex'
  | 'event.search'
  | ActionOperation
  | 'integrations.activate'
  | 'integrations.create'
  | 'integrations.deactivate'
  | 'integrations.delete'
  | 'integrations.refreshSecret'
  | 'integrations.rotateShaSecret'
  | 'integrations.setWebhookFormat'
  | 'administrativeAreas.create'
  | 'administrativeAreas.update'
  | 'administrativeAreas.withdrawVersion'
  | 'locations.create'
  | 'locations.import'
  | 'locations.update'
  | 'locations.withdrawVersion'
  | 'keys.reseal'
  | 'keys.rotate'
  | 'auth.login'
  | 'auth.logout'
  | 'auth.lostRotation'
  | 'auth.revoke'
  | 'auth.reuse'
  | 'auth.superUserLogin'
  | 'integrations.setKeys'
  | 'user.activate'
  | 'user.changePassword'
  | 'user.create'
  | 'user.deactivate'
  | 'user.resetPassword'
  | 'user.update'
  | 'records.import'
  | 'webhooks.replay'
  | 'webhooks.subscribe'
  | 'webhooks.unsubscribe';

/** A request of an action, and what is said to it later, by the action's name in snake case (I-3). */
type ActionOperation = `event.actions.${Lowercase<ActionType>}.${'request' | 'accept' | 'reject'}`;

/** Who acted. */
export interface Actor {
  /** `sub`: the id of a system client, or an administrator's name. */
  readonly clientId: string;
  readonly clientType: UserType;
}

/** An operation of a system client, or an administrative act; it never contains a secret. */
export interface AuditEntry extends Actor {
  readonly operation: AuditOperation;
  /** The request. */
  readonly requestData: unknown;
  /** The result. */
  readonly responseSummary: object | null;
}

/** The actor on the command line, and in what the service does by itself. */
export const CLI: Actor = { clientId: 'cli', clientType: 'user' };

/** The caller as an actor. */
export const actorOf = ({ subject, userType }: Caller): Actor => ({ clientId: subject, clientType: userType });
