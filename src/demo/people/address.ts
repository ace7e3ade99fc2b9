import type { Uuid } from '../../domain/uuid.js';
import { listed } from '../names/culture.js';
import type { Prng } from '../prng.js';

/** How the country calls itself in an address. */
export const HOME_COUNTRY = 'FAR';

/** Countries of addresses abroad. */
export const FOREIGN_COUNTRIES: readonly string[] = ['ZMB', 'GBR', 'BRA', 'ETH', 'VNM', 'POL', 'NOR', 'IND', 'EGY'];

const STREETS = listed(`
  Independence Avenue, Market Road, Rua da Liberdade, Calle Ñandú, Church Street, Ulica Łódzka, Storgata, Mission Road,
  Avenue de l’Église, Station Road, Đường Lê Lợi, Strandgade, Hospital Road, Mango Lane, Rua São Tomé, School Road,
  Old Mill Road, Plaza Mayor, Lindenstraße, Kızılay Caddesi, Riverside Drive, Baobab Street
`);
const TOWNS = listed('Old Town, Riverside, Kabwata, New Market, Hillcrest, Centro, Station Quarter, Lakeside, Mission');
const FOREIGN_CITIES = listed(
  'Lusaka, Leeds, São Paulo, Addis Ababa, Đà Nẵng, Łódź, Tromsø, Pune, Alexandria, Düsseldorf',
);

/** The value of an address field, in the country. */
export type DomesticAddress = Readonly<{
  country: string;
  addressType: 'DOMESTIC';
  administrativeArea: Uuid;
  streetLevelDetails?: Readonly<Record<string, string>>;
}>;

/** The same abroad. */
export type InternationalAddress = Readonly<{
  country: string;
  addressType: 'INTERNATIONAL';
  streetLevelDetails: Readonly<Record<string, string>>;
}>;

/** An address in one of the villages; every fourth one names the village alone. */
export function drawDomesticAddress(prng: Prng, villages: readonly Uuid[]): DomesticAddress {
  const administrativeArea = prng.pick(villages);
  const home = { country: HOME_COUNTRY, addressType: 'DOMESTIC', administrativeArea } as const;
  if (prng.chance(0.25)) return home;
  const streetLevelDetails = {
    town: prng.pickByRank(TOWNS),
    street: prng.pickByRank(STREETS),
    number: String(prng.between(1, 240)),
    zipCode: String(prng.between(10_000, 98_999)),
  };
  return { ...home, streetLevelDetails };
}

/** An address in some city abroad. */
export const drawInternationalAddress = (prng: Prng): InternationalAddress => ({
  country: prng.pick(FOREIGN_COUNTRIES),
  addressType: 'INTERNATIONAL',
  streetLevelDetails: {
    city: prng.pick(FOREIGN_CITIES),
    addressLine1: `${String(prng.between(1, 200))} ${prng.pick(STREETS)}`,
    postcode: String(prng.between(1_000, 99_999)),
  },
});
