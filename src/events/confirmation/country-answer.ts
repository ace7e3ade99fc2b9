import { isUtf8 } from 'node:buffer';
import type { DeclarationChange } from '../../kernel/domain/event-action.js';
import { isWellFormedText } from '../../kernel/domain/text.js';
import { BoundedFaults } from '../../kernel/input/input.js';
import { isObject, isTextWithin } from '../../kernel/input/checks.js';
import { jsonValue, repeatedKey } from '../../kernel/input/json.js';
import type { MadeExchange } from '../../platform/outbox/outcome.js';
import { retryAfterMs } from '../../platform/outbox/retry-schedule.js';
import { MOST_BODY_BYTES } from '../../platform/outbound/exchange.js';
import { checkSize } from '../records/declaration-size.js';
import { readDeclarationChange, readDeclared } from '../records/declaration-values.js';

/** An answer of the country configuration to a requested action (E-7). */
export type CountryAnswer =
  | {
      readonly kind: 'accepted';
      readonly declaration: DeclarationChange;
      readonly annotation: DeclarationChange | null;
      /** Undefined where it gives none: one is made. */
      readonly registrationNumber: string | undefined;
    }
  | { readonly kind: 'rejected'; readonly reason: string | undefined }
  /** It will accept or reject the action by itself, later. */
  | { readonly kind: 'waiting' }
  /** It has said nothing that can be understood: it is asked again. */
  | { readonly kind: 'failed'; readonly retryAfterMs: number | undefined; readonly error: string | undefined };

/** Its result when nothing more is known. */
export const NO_ANSWER = { kind: 'failed', retryAfterMs: undefined, error: undefined } as const;

/** The longest registration number and reason that are taken, in characters. */
export const MOST_NUMBER_CHARACTERS = 100;
const MOST_REASON_CHARACTERS = 1_000;
/** The log keeps this many of an unusable answer. */
const MOST_ERROR_CHARACTERS = 1_000;

/**
 * 200 accepts, 400 rejects, 202 leaves the action pending; anything else and no answer is a failure, and so are a 200
 * whose body cannot be used, and a 400 whose body breaks off. `nowMs`: see `retryAfterMs`.
 */
export function countryAnswerOf(exchange: MadeExchange, nowMs: number): CountryAnswer {
  if (exchange.kind !== 'answered') return NO_ANSWER;
  const { status, headers, body, whole } = exchange;
  switch (status) {
    case 200:
      return whole ? acceptanceOf(body) : unusable('body: is too long, or was cut short');
    case 202:
      return { kind: 'waiting' };
    case 400:
      // A rejection is final, and what broke off had a reason in it.
      if (!whole && body.length < MOST_BODY_BYTES) return unusable('body: was cut short');
      return { kind: 'rejected', reason: reasonOf(body.toString('utf8')) };
    default:
      return { ...NO_ANSWER, retryAfterMs: retryAfterMs(status, headers, nowMs) };
  }
}

function acceptanceOf(bytes: Buffer): CountryAnswer {
  // Read all the same, each byte that is none would stand in the register as U+FFFD.
  if (!isUtf8(bytes)) return unusable('body: must be UTF-8');
  const text = bytes.toString('utf8');
  const body = text.trim() === '' ? {} : jsonValue(text);
  if (!isObject(body)) return unusable('body: must be a JSON object');
  const repeated = repeatedKey(text);
  if (repeated !== undefined) return unusable(`${repeated}: is given twice`);
  const faults = new BoundedFaults();
  const change = (key: string): DeclarationChange | null => {
    const value = body[key] ?? null;
    if (value === null) return null;
    const read = (key === 'declaration' ? readDeclared : readDeclarationChange)(value, key, faults);
    checkSize(read, key, faults);
    return read;
  };
  const [declaration, annotation] = [change('declaration') ?? {}, change('annotation')];
  const number = body['registrationNumber'] ?? undefined;
  if (number !== undefined && !isTextWithin(number, MOST_NUMBER_CHARACTERS)) {
    faults.add('registrationNumber', `must be text of 1 to ${MOST_NUMBER_CHARACTERS} characters`);
  }
  if (!faults.none) return unusable(faults.issues.map(({ message }) => message).join('; '));
  return { kind: 'accepted', declaration, annotation, registrationNumber: number as string | undefined };
}

/** A reason that a person can read, where the body has one. */
function reasonOf(text: string): string | undefined {
  const body = jsonValue(text);
  if (!isObject(body)) return undefined;
  const content = isObject(body['content']) ? body['content'] : {};
  const reason = [content['reason'], body['reason'], body['message']].find(
    (value): value is string => typeof value === 'string' && value !== '' && isWellFormedText(value),
  );
  return reason && Array.from(reason).slice(0, MOST_REASON_CHARACTERS).join('');
}

/** An acceptance that cannot be used, and the beginning of why. */
export const unusable = (error: string): CountryAnswer => ({
  ...NO_ANSWER,
  error: `answer: ${error}`.slice(0, MOST_ERROR_CHARACTERS),
});
