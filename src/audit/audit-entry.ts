import type { Caller } from '../access/caller.js';
import type { UserType } from '../domain/record/user-type.js';

/** What is written down, by the names that upstream's log has where it has one (I-2, I-3). */
export type AuditOperation =
  | 'auth.token'
  | 'event.search'
  | 'integrations.activate'
  | 'integrations.create'
  | 'integrations.deactivate'
  | 'integrations.rotateShaSecret'
  | 'integrations.setWebhookFormat'
  | 'keys.reseal'
  | 'keys.rotate'
  | 'webhooks.subscribe'
  | 'webhooks.unsubscribe';

/** Who acted. */
export interface Actor {
  /** `sub`: the id of a system client, or an administrator's name. */
  readonly clientId: string;
  readonly clientType: UserType;
}

/** An operation of a system client, or an administrative act; never a secret in it. */
export interface AuditEntry extends Actor {
  readonly operation: AuditOperation;
  /** What was asked. */
  readonly requestData: unknown;
  /** What came of it. */
  readonly responseSummary: object | null;
}

/** Who acts on the command line, and in what the service does by itself. */
export const CLI: Actor = { clientId: 'cli', clientType: 'user' };

/** The caller as the one who acts. */
export const actorOf = ({ subject, userType }: Caller): Actor => ({ clientId: subject, clientType: userType });
