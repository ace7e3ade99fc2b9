import { aUuid } from '../../../../test/support/builders/a-uuid.js';
import { Hierarchy } from '../../../auth/locations/hierarchy.js';
import { areasWithTerms } from './area-terms.js';

const [COUNTRY, PROVINCE, DISTRICT, OFFICE] = [aUuid(1), aUuid(2), aUuid(3), aUuid(4)];

const hierarchy = new Hierarchy([
  { id: COUNTRY, partOf: null },
  { id: PROVINCE, partOf: COUNTRY },
  { id: DISTRICT, partOf: PROVINCE },
  { id: OFFICE, partOf: DISTRICT },
]);

describe('the areas whose terms a record has', () => {
  it.each([
    ['an office', OFFICE, [PROVINCE, COUNTRY]],
    ['a province', PROVINCE, [PROVINCE, COUNTRY]],
    ['the country', COUNTRY, [COUNTRY]],
  ])('are the two topmost that contain its place: %s', (_, place, areas) => {
    expect(areasWithTerms(hierarchy, place)).toEqual(areas);
  });
});
