import { readDto } from '../../platform/dto/read-dto.js';
import { AuditPageDto } from './integration.dto.js';

describe('the times of an audit page', () => {
  it('are in their order, whatever their offsets', async () => {
    const [timeStart, timeEnd] = ['2026-01-02T03:00:00+02:00', '2026-01-02T02:00:00Z'];
    expect(await readDto(AuditPageDto, { timeStart, timeEnd })).toMatchObject({ timeEnd: '2026-01-02T02:00:00.000Z' });
    await expect(readDto(AuditPageDto, { timeStart: timeEnd, timeEnd: timeStart })).rejects.toMatchObject({
      issues: [{ message: 'timeEnd: must not be before `timeStart`' }],
    });
  });
});
