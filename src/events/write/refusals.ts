import { isSqlError } from '../../kernel/errors/sql-state.js';
import pg from 'pg';
import type { QueueFull } from '../../platform/queue/fair-queue.js';
import { ServiceError } from '../../kernel/errors/service-error.js';
import { type UniqueValue, uniqueViolation } from '../records/write-records.js';
import type { Command } from './command.js';

/** For its turn, and then for its event. */
export const MOST_WAIT_MS = 10_000;

const RETRY_AFTER = { 'retry-after': '5' };

/** Connection or server errors, and a read-only server. */
const OF_THE_SERVER = /^(?:08|53|57P|58|XX|25006)/;

const codeOf = (error: unknown): string | undefined => (error instanceof pg.DatabaseError ? error.code : undefined);

/** Others of the batch may succeed. */
export const isOfStatement = (error: unknown): boolean => !OF_THE_SERVER.test(codeOf(error) ?? '08');

/** A conflict with an earlier transaction: a retry may succeed. */
export function wasSecond(error: unknown, command: Command<unknown>): boolean {
  const taken = uniqueViolation(error);
  return taken === undefined ? isSqlError(error, 'deadlockDetected') : !isGiven(taken, command);
}

/** Whether the taken value came with the command. */
const isGiven = (taken: 'id' | UniqueValue, { needs }: Command<unknown>): boolean => taken !== 'id' && taken !== needs;

export function refusalOf(error: unknown, command: Command<unknown>): unknown {
  const taken = uniqueViolation(error);
  if (taken !== undefined && taken !== 'id') return command.whenTaken?.(taken) ?? isTaken(taken, error);
  return isSqlError(error, 'lockNotAvailable') ? beingChanged(error) : error;
}

const isTaken = (value: UniqueValue, cause: unknown): ServiceError =>
  new ServiceError('CONFLICT', 'Another event has what must be unique', {
    issues: [{ message: `${value}: is that of another event` }],
    cause,
  });

/** For an event locked or changed by others for too long. */
export const beingChanged = (cause?: unknown): ServiceError =>
  new ServiceError('SERVICE_UNAVAILABLE', 'The event is being changed; try again later', {
    headers: RETRY_AFTER,
    refusal: 'writes-waiting',
    cause,
  });

export const tooMany = (cause: QueueFull): ServiceError =>
  new ServiceError('SERVICE_UNAVAILABLE', 'Too many operations are waiting; try again later', {
    headers: RETRY_AFTER,
    refusal: 'writes-waiting',
    cause,
  });

export const noTurn = (): ServiceError =>
  new ServiceError(
    'SERVICE_UNAVAILABLE',
    `The operation waited ${MOST_WAIT_MS / 1_000} s for its turn, and was given up before it began; try again later`,
    { headers: RETRY_AFTER, refusal: 'writes-waiting' },
  );
