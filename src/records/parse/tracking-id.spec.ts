import { newTrackingId, withNewTrackingId } from './tracking-id.js';

describe('a new tracking id', () => {
  it('has 6 characters, and any of 0-9A-Z at every place', () => {
    const ids = Array.from({ length: 2_000 }, newTrackingId);
    for (const id of ids) expect(id).toMatch(/^[0-9A-Z]{6}$/);
    for (let place = 0; place < 6; place++) expect(new Set(ids.map((id) => id[place])).size).toBe(36);
  });

  it('is drawn again as long as it is taken', async () => {
    const tried: string[] = [];
    const found = await withNewTrackingId((trackingId) => {
      tried.push(trackingId);
      return Promise.resolve(tried.length < 3 ? undefined : { trackingId });
    });
    expect(tried).toHaveLength(3);
    expect(found).toEqual({ trackingId: tried[2] });
  });

  it('is given up when not one of a hundred is free', async () => {
    await expect(withNewTrackingId(() => Promise.resolve(undefined))).rejects.toThrow(
      'none of 100 new tracking ids was free',
    );
  });
});
