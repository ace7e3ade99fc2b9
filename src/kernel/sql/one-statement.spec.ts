import { oneStatement, sql } from './sql.js';

describe('oneStatement', () => {
  it('is none of none, and a single one as it is', () => {
    const one = sql`delete from a`;
    expect([oneStatement([]), oneStatement([one])]).toEqual([undefined, one]);
  });

  it('lists several so that the server makes them in their order, with what they share sent once', () => {
    const seqs = ['1', '2'];
    const insert = [sql`insert into a select ${seqs}`, sql`insert into b select ${seqs}, ${'x'}`];
    expect(oneStatement(insert)?.toQuery()).toEqual({
      text: 'with step_1 as (insert into b select $1, $2), step_0 as (insert into a select $1) select',
      params: [seqs, 'x'],
    });
  });
});
