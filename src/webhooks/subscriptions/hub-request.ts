import { isWellFormedText, WELL_FORMED_TEXT } from '../../domain/well-formed-text.js';
import { Faults } from '../../errors/faults.js';
import { memberPath } from '../../errors/issue-path.js';
import type { NotificationFormat } from '../notification/notification-format.js';
import { isNotificationFormat, NOTIFICATION_FORMATS } from '../notification/notification-format.js';

/** `hub` of a subscribe request, with what it says not yet looked at (W-1). */
export interface HubRequest {
  readonly callback: string;
  readonly mode: string;
  readonly topic: string;
  readonly secret: string;
  /** Undefined when it names none. */
  readonly format: NotificationFormat | undefined;
  /** The clause tree of a search, not yet checked; null for every event, undefined when nothing is said of it. */
  readonly query: unknown;
}

const TEXTS = ['callback', 'mode', 'topic', 'secret'] as const;
const KEYS: readonly string[] = [...TEXTS, 'format', 'query'];

/** Reads the body of `POST /webhooks`. Throws 400 with one issue per fault when it is not `{hub: {…}}` of strings. */
export function parseHubRequest(body: unknown): HubRequest {
  const faults = new Faults();
  const outer = objectAt(body, '', faults, ['hub']);
  const hub = outer && objectAt(outer['hub'], 'hub', faults, KEYS);
  const [callback, mode, topic, secret] = TEXTS.map((name) => (hub ? textAt(hub, name, faults) : ''));
  const { format, query } = hub ?? {};
  if (format !== undefined && !isNotificationFormat(format)) {
    faults.add('hub.format', `must be one of ${NOTIFICATION_FORMATS.map((name) => JSON.stringify(name)).join(', ')}`);
  }
  faults.throwIfAny();
  return {
    callback: callback ?? '',
    mode: mode ?? '',
    topic: topic ?? '',
    secret: secret ?? '',
    format: isNotificationFormat(format) ? format : undefined,
    query,
  };
}

type Members = Readonly<Record<string, unknown>>;

function objectAt(value: unknown, path: string, faults: Faults, known: readonly string[]): Members | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    faults.add(path, value === undefined ? 'is required' : 'must be an object');
    return undefined;
  }
  for (const key of Object.keys(value)) {
    if (!known.includes(key)) faults.add(memberPath(path, key), `is not a known key; allowed: ${known.join(', ')}`);
  }
  return value as Members;
}

function textAt(members: Members, name: string, faults: Faults): string {
  const value = Object.hasOwn(members, name) ? members[name] : undefined;
  if (typeof value === 'string' && isWellFormedText(value)) return value;
  const reason =
    value === undefined ? 'is required' : typeof value === 'string' ? WELL_FORMED_TEXT : 'must be a string';
  faults.add(`hub.${name}`, reason);
  return '';
}
