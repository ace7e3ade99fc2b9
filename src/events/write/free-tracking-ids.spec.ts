import { newTrackingId } from './open-batch.js';

describe('a new tracking id', () => {
  it('has 6 characters, and any of 0-9A-Z at every place', () => {
    const ids = Array.from({ length: 2_000 }, newTrackingId);
    for (const id of ids) expect(id).toMatch(/^[0-9A-Z]{6}$/);
    for (let place = 0; place < 6; place++) expect(new Set(ids.map((id) => id[place])).size).toBe(36);
  });
});
