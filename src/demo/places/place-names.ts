import { listed } from '../names/culture.js';
import type { Prng } from '../prng.js';

/** How the places of a region are called: one part of each list, one after the other. */
export type PlaceNaming = readonly (readonly string[])[];

/** Names as in southern and central Africa. */
export const SAVANNA: PlaceNaming = [
  listed('Ka, Lu, Mu, Chi, Ma, Nde, Nka, Shi, Ki, Lwa, Mpo, Nso, Wa, Zi, Ndo, Che'),
  listed('ba, lo, ndi, pu, samba, fwe, tete, nga, lu, mbo, so, ko, wi, pili'),
  listed('la, shi, zi, nda, ngwe, ma, to, li, wa, be, sha, ngu'),
];

/** Names that are Portuguese and Spanish. */
export const COAST: PlaceNaming = [
  ['Vila ', 'Porto ', 'Monte ', 'Punta ', 'Barra ', 'Praia ', 'Ribeira ', 'Ilha ', 'Campo ', 'Serra '],
  listed('Aurélia, Tomé, Clara, Lázaro, Pinhal, Álvaro, Ilhéu, Peña, Cañada, Esperança, Limón, Inês, Jacinto, Açucena'),
  ['', '', ' Nova', ' Velha', ' do Norte', ' do Sul', ' Alta'],
];

/** Names that are Nordic. */
export const FJORD: PlaceNaming = [
  listed(
    'Åkers, Lind, Sønder, Väster, Gran, Bjørk, Elv, Hals, Kors, Malm, Nord, Ros, Skog, Tors, Ulv, Øster, Hær, Þórs',
  ),
  listed('vik, by, havn, fjäll, dal, ö, torp, stad, sund, berg, nes, lund, mýri, holm'),
  ['', '', '', ' Ytre', ' Indre', ' Övre'],
];

/** Names that are Ethiopian. */
export const HIGHLAND: PlaceNaming = [
  ['Debre ', 'Addi ', 'Bahir ', 'Mekane ', 'Amba ', 'Wolde ', 'Gish ', 'Tis '],
  listed('Tsige, Berhan, Selam, Kidane, Gebre, Abay, Zema, Werk, Yared, Lalo, Tabor, Haile, Mariam, Arba'),
  ['', '', ' Zuria', ' Ketema', ' Laay', ' Taach'],
];

/** Names that are western Slavic. */
export const PLAIN: PlaceNaming = [
  listed('Biało, Krasno, Zielono, Jasno, Dębo, Łyso, Staro, Nowo, Čeró, Wierzbo, Złoto, Šumo, Želez, Krásno'),
  listed('góra, brzeg, pol, wiec, lipie, las, potok, hora, vodice, gród, łąka, młyn, sad'),
  ['', '', '', ' Wielkie', ' Małe', ' nad Wisną'],
];

/** Names that are Vietnamese. */
export const DELTA: PlaceNaming = [
  ['Phú ', 'Long ', 'Bình ', 'An ', 'Vĩnh ', 'Tân ', 'Hòa ', 'Mỹ ', 'Đại ', 'Thạnh '],
  listed('Lộc, Thọ, Giang, Hải, Đông, Thành, Khánh, Lâm, Trung, Sơn, Phước, Hưng, Thuận, Điền'),
  ['', '', '', ' Tây', ' Nam', ' Bắc'],
];

/** Gives each place a name that no other one of the country has. */
export class PlaceNames {
  private readonly given = new Set<string>();

  draw(prng: Prng, naming: PlaceNaming): string {
    let name = spelled(prng, naming);
    while (this.given.has(name)) name = spelled(prng, naming);
    this.given.add(name);
    return name;
  }
}

const spelled = (prng: Prng, naming: PlaceNaming): string => naming.map((parts) => prng.pick(parts)).join('');
