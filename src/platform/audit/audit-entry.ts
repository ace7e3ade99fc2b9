import type { Caller } from '../../kernel/domain/scopes/caller.js';
import type { ActionType } from '../../kernel/domain/event-action.js';
import type { UserType } from '../../kernel/domain/author.js';

/** Upstream's names where its log has one (I-2, I-3). */
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

/** Action names in snake case (I-3). */
type ActionOperation = `event.actions.${Lowercase<ActionType>}.${'request' | 'accept' | 'reject'}`;

export interface Actor {
  /** `sub`: the id of a system client, or an administrator's name. */
  readonly clientId: string;
  readonly clientType: UserType;
}

/** Contains no secrets. */
export interface AuditEntry extends Actor {
  readonly operation: AuditOperation;
  readonly requestData: unknown;
  readonly responseSummary: object | null;
}

export const CLI: Actor = { clientId: 'cli', clientType: 'user' };

export const actorOf = ({ subject, userType }: Caller): Actor => ({ clientId: subject, clientType: userType });
