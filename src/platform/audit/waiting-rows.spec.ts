import { auditRow } from './audit-entry.js';
import { WaitingRows } from './audit-writer.js';

const row = (characters = 0): ReturnType<typeof auditRow> => {
  const entry = { clientId: 'a', clientType: 'system', operation: 'event.search', responseSummary: null } as const;
  return auditRow({ ...entry, requestData: 'x'.repeat(characters) });
};

describe('rows that wait', () => {
  it('are refused past their number, until some are written', () => {
    const waiting = new WaitingRows({ rows: 3, bytes: 1e6 });
    expect([1, 2, 3, 4].map(() => waiting.add(row()))).toEqual([true, true, true, false]);
    waiting.drop(2);
    expect([waiting.count, waiting.add(row())]).toEqual([1, true]);
  });

  it('are refused past their size, whatever their number', () => {
    const waiting = new WaitingRows({ rows: 1e6, bytes: 10_000 });
    expect([waiting.add(row(9_000)), waiting.add(row(9_000)), waiting.add(row(1))]).toEqual([true, true, false]);
    expect(waiting.isFull).toBe(true);
    waiting.drop(2);
    expect(waiting.isFull).toBe(false);
  });

  it('are taken the oldest first, as many as one statement takes', () => {
    const waiting = new WaitingRows(undefined, { rows: 2, bytes: 1_000 });
    const [a, b, c, large] = [row(), row(), row(), row(5_000)];
    for (const one of [a, b, c, large]) waiting.add(one);
    expect(waiting.first()).toEqual([a, b]);
    // Rows that were taken stay until they are written.
    expect(waiting.first()).toEqual([a, b]);
    waiting.drop(2);
    expect(waiting.first()).toEqual([c]);
    waiting.drop(1);
    expect(waiting.first()).toEqual([large]);
    waiting.drop(1);
    expect(waiting.first()).toEqual([]);
  });
});
